import RefreshConfig
import RefreshCore
import RefreshStore

/// What those who run the host may ask of the daemon.
package protocol DaemonControl: Sendable {
    /// Reads the configuration again and goes over to it, or leaves everything as it was.
    func reload() async -> ReloadOutcome

    /// Stops a feed's schedule and its readers' wishes, or lets them go on; it lasts over restarts. False where there is
    /// no such feed.
    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool

    /// Has something of a feed forgotten.
    func clear(_ feed: FeedID, _ clearing: Clearing) async -> ClearOutcome

    /// Copies both databases to where the configuration says.
    func backup() async -> BackupOutcome

    /// Changes which records are logged, until the daemon ends or the file says something new; nil only tells.
    func logLevel(_ wanted: LogLevel?) async -> LogLevelChange

    /// Reads the configuration on the disk as a reload would, and changes nothing.
    func checkConfiguration() async -> ConfigurationVerdict

    /// What the daemon runs with; nil where the wish names a feed that is not in it.
    func configuration(_ wish: ConfigurationWish) async -> RunningConfiguration?
}

/// How a backup ended.
package enum BackupOutcome: Sendable, Equatable {
    case written(BackupFolder.Report, kept: Int, took: Duration)
    /// What is wrong and what to do about it; the older ones are as they were.
    case failed(String)
}

/// What is logged, and what was before.
package struct LogLevelChange: Sendable, Equatable {
    package let level: LogLevel
    package let before: LogLevel

    package init(level: LogLevel, before: LogLevel) {
        self.level = level
        self.before = before
    }
}

/// What a reload would say to the files on the disk.
package struct ConfigurationVerdict: Sendable, Equatable {
    package let file: String
    /// How many feeds they have; nil where there is an error.
    package let feeds: Int?
    package let errors: [ReloadFault]
    package let warnings: [ReloadFault]

    package init(file: String, feeds: Int?, errors: [ReloadFault], warnings: [ReloadFault]) {
        self.file = file
        self.feeds = feeds
        self.errors = errors
        self.warnings = warnings
    }
}

/// Which part of the running configuration is wanted.
package struct ConfigurationWish: Sendable, Equatable {
    /// Only this one; nil: all of them.
    package var feed: FeedID?
    /// Feeds whose names come after it.
    package var after: String?
    /// Feeds at most.
    package var limit = 500
    /// Whether values are told that nobody has written.
    package var includesDefaults = false

    package init() {}
}

/// The configuration that the daemon runs with.
package struct RunningConfiguration: Sendable, Equatable {
    package let generation: Int
    /// The first of its files.
    package let file: String
    package let loadedAt: Timestamp
    package let overview: ConfigOverview

    package init(generation: Int, file: String, loadedAt: Timestamp, overview: ConfigOverview) {
        self.generation = generation
        self.file = file
        self.loadedAt = loadedAt
        self.overview = overview
    }
}

/// How a reload ended.
package enum ReloadOutcome: Sendable, Equatable {
    case applied(ReloadReport)
    /// The configuration is wrong; the old one goes on.
    case refused([ReloadFault])
    /// Another reload is under way.
    case busy
    /// The configuration is right, and cannot be gone over to now.
    case failed(String)
}

/// What a reload changed.
package struct ReloadReport: Sendable, Equatable {
    /// Counts the configurations that were taken over, the first being 1.
    package let generation: Int
    package let added: [FeedID]
    package let changed: [FeedID]
    package let removed: [FeedID]
    package let unchanged: Int
    package let warnings: [ReloadFault]

    package init(
        generation: Int, added: [FeedID], changed: [FeedID], removed: [FeedID], unchanged: Int,
        warnings: [ReloadFault]
    ) {
        self.generation = generation
        self.added = added
        self.changed = changed
        self.removed = removed
        self.unchanged = unchanged
        self.warnings = warnings
    }
}

/// One thing wrong with a configuration, and where.
package struct ReloadFault: Sendable, Equatable {
    package let file: String
    /// From 1; 0 for the file as a whole.
    package let line: Int
    package let column: Int
    package let code: String
    package let detail: String

    package init(file: String, line: Int, column: Int, code: String, detail: String) {
        self.file = file
        self.line = line
        self.column = column
        self.code = code
        self.detail = detail
    }
}
