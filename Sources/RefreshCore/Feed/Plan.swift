/// A configuration that was read and found right: what the daemon is to do.
package struct Plan: Sendable, Equatable {
    package let daemon: DaemonSettings
    /// By name.
    package let feeds: [Feed]

    package init(daemon: DaemonSettings, feeds: [Feed]) {
        self.daemon = daemon
        self.feeds = feeds.sorted { $0.id < $1.id }
    }
}

/// What holds for the whole daemon.
package struct DaemonSettings: Sendable, Equatable {
    /// Where programs connect; nil is the default place of the user who runs the daemon.
    package var socketPath: String?
    /// The permission bits of the socket.
    package var socketMode: UInt32 = 0o660
    /// Where the databases live; nil is the default place of the user who runs the daemon.
    package var stateFolder: String?
    package var userAgent = "refreshd/\(Version.text)"
    /// Flights at a time.
    package var concurrency = 16
    /// Flights at a time at one origin.
    package var perOrigin = 1
    /// Connections to the socket, of everybody and of one user.
    package var connections = 1_024
    package var connectionsPerUser = 128
    package var logLevel = LogLevel.info
    /// How long a stop waits for what is under way.
    package var drain: Duration = .seconds(10)

    package init() {}
}

/// How much is logged, in falling urgency; the numbers are syslog's (RFC 5424, table 2).
package enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
