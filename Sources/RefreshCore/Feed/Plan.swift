/// A configuration that was read and found right: what the daemon is to do.
package struct Plan: Sendable, Equatable {
    package let daemon: DaemonSettings
    /// By name.
    package let feeds: [Feed]
    package let budgets: [Budget]
    package let plugins: [PluginPlan]
    /// Feeds that were read and found wrong; the others run (a start only).
    package let broken: [BrokenFeed]

    package init(
        daemon: DaemonSettings, feeds: [Feed], budgets: [Budget] = [], plugins: [PluginPlan] = [],
        broken: [BrokenFeed] = []
    ) {
        self.daemon = daemon
        self.budgets = budgets
        self.plugins = plugins
        self.broken = broken
        self.feeds = feeds.sorted { $0.id < $1.id }
    }
}

/// A feed whose part of the file is wrong.
package struct BrokenFeed: Sendable, Equatable {
    package let id: FeedID
    /// `file:line:column: code: text` of its first error.
    package let reason: String

    package init(id: FeedID, reason: String) {
        self.id = id
        self.reason = reason
    }
}

/// What holds for the whole daemon.
package struct DaemonSettings: Sendable, Equatable {
    /// Where programs connect; nil is the default place of the user who runs the daemon.
    package var socketPath: String?
    /// The permission bits of the socket.
    package var socketMode: UInt32 = 0o660
    /// The group of the socket; nil leaves it to the daemon's own.
    package var socketGroup: String?
    /// The socket of those who control the daemon; nil is the default place.
    package var controlPath: String?
    package var controlMode: UInt32 = 0o660
    package var controlGroup: String?
    /// Where the databases live; nil is the default place of the user who runs the daemon.
    package var stateFolder: String?
    package var userAgent = "refreshd/\(Version.text)"
    /// Flights at a time.
    package var concurrency = 16
    /// Flights at a time at one origin.
    package var perOrigin = 1
    /// Between scheduled starts at one origin.
    package var originGap: Duration = .seconds(1)
    /// Bytes of answers that all flights hold together; more waits.
    package var buffers: ByteCount = .mebibytes(64)
    /// Bytes of the cache's file; beyond it the disk counts as full.
    package var disk: ByteCount = .gibibytes(4)
    /// Connections to the socket, of everybody and of one user.
    package var connections = 1_024
    package var connectionsPerUser = 128
    package var streams = 256
    /// Upstream requests that one user's programs may cause.
    package var quota = Rate(count: 60, per: .seconds(60))
    package var access = AccessRules()
    /// Where copies of the databases go; nil is a folder beside them.
    package var backupFolder: String?
    package var backupsKept = 3
    package var logLevel = LogLevel.info
    package var logFormat = LogFormat.auto
    /// How long a stop waits for what is under way.
    package var drain: Duration = .seconds(10)

    package init() {}
}

/// Who may do what; the socket's own level is the most that a rule can give.
package struct AccessRules: Sendable, Equatable {
    /// Nil is everybody whom the socket admits.
    package var read: AccessList?
    /// Nil is the group `refreshd-admin`.
    package var operate: AccessList?
    package var control: AccessList?

    package init() {}
}

package enum LogFormat: String, Sendable, CaseIterable { case auto, text, json, journal }

/// How much is logged, in falling urgency; the numbers are syslog's (RFC 5424, table 2).
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// As the file spells it.
    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
