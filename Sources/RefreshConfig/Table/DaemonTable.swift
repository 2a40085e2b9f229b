import RefreshCore

/// The keys of `daemon`.
enum DaemonTable {
    private static let standard = DaemonSettings()

    enum Socket {
        static let path = Key(
            "path", .socketPath,
            "Where programs connect; by default in the runtime folder of the daemon's user.")
        static let mode = DefaultedKey(
            "mode", .mode, default: standard.socketMode, "The permission bits of the socket.")

        static let block = Block([path.entry, mode.entry], later: ["group"])
    }

    enum Log {
        static let level = DefaultedKey(
            "level", .oneOf { $0.name }, default: standard.logLevel, "The least urgent lines that are logged."
        )

        static let block = Block([level.entry], later: ["format"])
    }

    enum Connections {
        static let most = DefaultedKey(
            "max", .whole(1...65_536), default: standard.connections, "Connections of all programs together.")
        static let perUser = DefaultedKey(
            "per_uid", .whole(1...65_536), default: standard.connectionsPerUser,
            "Connections of one user's programs together; root has eight more.")

        static let block = Block([most.entry, perUser.entry], later: ["streams"])
    }

    static let socket = Key("socket", .block(Socket.block), "The socket of the API.")
    static let state = Key(
        "state", .filePath,
        "The folder of the databases; by default in the state folder of the daemon's user.")
    static let userAgent = DefaultedKey(
        "user_agent", .fieldValue, default: standard.userAgent, "How the daemon names itself to upstreams.")
    static let concurrency = DefaultedKey(
        "concurrency", .whole(1...1_024), default: standard.concurrency,
        "Requests under way at a time, in all.")
    static let perOrigin = DefaultedKey(
        "per_origin", .whole(1...1_024), default: standard.perOrigin,
        "Requests under way at a time at one origin (scheme, host and port).")
    static let connections = Key(
        "connections", .block(Connections.block), "How many programs may be connected.")
    static let allowPrivate = DefaultedKey(
        "allow_private", .flag, default: false,
        "Whether feeds may reach private, loopback and link-local addresses.")
    static let log = Key("log", .block(Log.block), "What is logged.")
    static let drain = DefaultedKey(
        "drain", .duration(.zero ... .seconds(3_600)), default: standard.drain,
        "How long a stop waits for what is under way.")

    static let block = Block(
        [
            socket.entry, state.entry, userAgent.entry, concurrency.entry, perOrigin.entry,
            connections.entry, allowPrivate.entry, log.entry,
            drain.entry,
        ],
        later: [
            "control", "buffers", "disk", "origin_gap", "quota", "access",
        ])
}

extension LogLevel {
    /// As the file spells it.
    var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
