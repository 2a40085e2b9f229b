import RefreshCore

/// What was found when the cache was opened, for the log.
package struct OpenReport: Sendable, Equatable {
    /// A damaged database that was set aside.
    package struct Quarantine: Sendable, Equatable {
        /// Where it lies now.
        package let path: String
        /// What was wrong with it.
        package let reason: String
        /// Rows that could still be read and were copied over; nil of the cache, which is filled anew.
        package var salvaged: Int?
    }

    /// Whether the database was made now.
    package let created: Bool
    /// The machine went down without a clean stop: every feed has a new epoch.
    package internal(set) var mayHaveLostCommits = false
    /// Feeds whose log was found to have gone back, as that of a restored file does: each has a new epoch.
    package internal(set) var rolledBack: [FeedID] = []
    /// The schema version that was found, where it was an older one.
    package let migratedFrom: Int?
    /// The copy that was made before the change of the schema; nil where no room was left for that of a cache.
    package let schemaBackup: String?
    package internal(set) var quarantine: Quarantine?

    init(
        created: Bool, mayHaveLostCommits: Bool = false, migratedFrom: Int? = nil, schemaBackup: String? = nil
    ) {
        self.created = created
        self.mayHaveLostCommits = mayHaveLostCommits
        self.migratedFrom = migratedFrom
        self.schemaBackup = schemaBackup
    }
}
