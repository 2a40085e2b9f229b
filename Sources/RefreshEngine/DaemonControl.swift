import RefreshCore

/// What those who run the host may ask of the daemon.
package protocol DaemonControl: Sendable {
    /// Reads the configuration again and goes over to it, or leaves everything as it was.
    func reload() async -> ReloadOutcome

    /// Stops a feed's schedule and its readers' wishes, or lets them go on; it lasts over restarts. False where there is
    /// no such feed.
    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool
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
