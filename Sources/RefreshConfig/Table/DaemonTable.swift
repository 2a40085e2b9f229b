import RefreshCore

/// The keys of `daemon`.
enum DaemonTable {
    private static let standard = DaemonSettings()
    private static let runtimeNote = "in the runtime folder of the daemon's user"

    /// The keys of a socket.
    struct Socket: Sendable {
        let path: Key<String>
        let mode: DefaultedKey<UInt32>
        let group: Key<String>

        var block: Block { Block([path.entry, mode.entry, group.entry]) }

        static let api = Socket(
            path: Key("path", .socketPath, note: runtimeNote, "Where programs connect."),
            mode: DefaultedKey(
                "mode", .mode, default: standard.socketMode, "The permission bits of the socket."),
            group: Key(
                "group", .token, note: "refreshd-users where systemd makes the socket",
                "The group that owns the socket."))
        static let control = Socket(
            path: Key(
                "path", .socketPath, note: runtimeNote, "Where `refreshctl reload` and the like connect."),
            mode: DefaultedKey(
                "mode", .mode, default: standard.controlMode, "The permission bits of the socket."),
            group: Key(
                "group", .token, note: "refreshd-admin where systemd makes the socket",
                "The group that owns the socket."))
    }

    enum Log {
        static let level = DefaultedKey(
            "level", .oneOf { $0.name }, default: standard.logLevel, "The least urgent lines that are logged."
        )
        static let format = DefaultedKey(
            "format", .word, default: standard.logFormat,
            "How lines are written; `auto` goes by where they go.")

        static let block = Block([level.entry, format.entry])
    }

    enum Connections {
        static let most = DefaultedKey(
            "max", .whole(1...65_536), default: standard.connections, "Connections of all programs together.")
        static let perUser = DefaultedKey(
            "per_uid", .whole(1...65_536), default: standard.connectionsPerUser,
            "Connections of one user's programs together; root has eight more.")
        static let streams = DefaultedKey(
            "streams", .whole(0...65_536), default: standard.streams,
            "Event streams of all programs together.")

        static let block = Block([most.entry, perUser.entry, streams.entry])
    }

    enum Backup {
        static let folder = Key(
            "folder", .filePath, note: "`backups` in the folder of the databases",
            "Where `refreshctl backup` has its copies; the daemon's user must be able to write there, and nobody else may."
        )
        static let keep = DefaultedKey(
            "keep", .whole(1...1_000), default: standard.backupsKept, "How many are kept, the newest ones.")

        static let block = Block([folder.entry, keep.entry])
    }

    /// Users and groups.
    enum People {
        static let users = Key("users", .texts, "Users, by name or number.")
        static let groups = Key("groups", .texts, "Groups, by name or number.")

        static let block = Block([users.entry, groups.entry])
    }

    enum Access {
        static let read = Key(
            "read", .block(People.block), note: "all whom the socket admits", "Who may read.")
        static let operate = Key(
            "operate", .block(People.block), note: "group refreshd-admin",
            "Who may force refreshes, pause feeds and the like.")
        static let control = Key(
            "control", .block(People.block), note: "group refreshd-admin", "Who may control the daemon.")

        static let block = Block([read.entry, operate.entry, control.entry])
    }

    static let socket = Key("socket", .block(Socket.api.block), "The socket of the API.")
    static let control = Key(
        "control", .block(Socket.control.block), "The socket of those who control the daemon.")
    static let state = Key(
        "state", .filePath, note: "in the state folder of the daemon's user", "The folder of the databases.")
    static let userAgent = DefaultedKey(
        "user_agent", .fieldValue, default: standard.userAgent, "How the daemon names itself to upstreams.")
    static let concurrency = DefaultedKey(
        "concurrency", .whole(1...1_024), default: standard.concurrency,
        "Requests under way at a time, in all.")
    static let perOrigin = DefaultedKey(
        "per_origin", .whole(1...1_024), default: standard.perOrigin,
        "Requests under way at a time at one origin (scheme, host and port).")
    static let originGap = DefaultedKey(
        "origin_gap", .duration(.zero ... .seconds(3_600)), default: standard.originGap,
        "The least time between scheduled starts at one origin.")
    static let buffers = DefaultedKey(
        "buffers", .size(.mebibytes(1) ... .gibibytes(64)), default: standard.buffers,
        "Bytes of answers that all requests hold together; more waits.")
    static let disk = DefaultedKey(
        "disk", .size(.mebibytes(1)...ByteCount(1 << 44)), default: standard.disk,
        "Bytes of the cache's file; beyond it the disk counts as full.")
    static let allowPrivate = DefaultedKey(
        "allow_private", .flag, default: false,
        "Whether feeds may reach private, loopback and link-local addresses.")
    static let log = Key("log", .block(Log.block), "What is logged.")
    static let backup = Key("backup", .block(Backup.block), "Copies of the databases.")
    static let drain = DefaultedKey(
        "drain", .duration(.zero ... .seconds(3_600)), default: standard.drain,
        "How long a stop waits for what is under way.")
    static let connections = Key(
        "connections", .block(Connections.block), "How many programs may be connected.")
    static let quota = DefaultedKey(
        "quota", .rate, default: standard.quota,
        "Upstream requests that the programs of one user may cause by reading: `network_first`, `visible`, `position`, `more`."
    )
    static let access = Key("access", .block(Access.block), "Who may do what, within what the socket admits.")

    static let block = Block([
        socket.entry, control.entry, state.entry, userAgent.entry, concurrency.entry, buffers.entry,
        disk.entry, perOrigin.entry, originGap.entry, allowPrivate.entry, log.entry, drain.entry,
        connections.entry, quota.entry, access.entry, backup.entry,
    ])
}
