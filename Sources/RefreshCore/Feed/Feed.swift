/// One upstream source as configured, every value typed and every default in its place.
package struct Feed: Sendable, Equatable {
    package enum Adapter: String, Sendable, CaseIterable {
        case json
        /// Syndication: RSS, RDF, Atom, JSON Feed.
        case feed
    }

    package let id: FeedID
    package let adapter: Adapter
    package let title: String?
    package let enabled: Bool
    package let schedule: Schedule
    package let request: RequestPlan
    package let records: RecordsPlan
    package let retention: Retention
    /// What an absent record means after a proven complete pass.
    package let absent: AbsentMeans

    package enum AbsentMeans: String, Sendable, CaseIterable { case gone, keep }

    package init(
        id: FeedID, adapter: Adapter, title: String? = nil, enabled: Bool = true, schedule: Schedule,
        request: RequestPlan, records: RecordsPlan, retention: Retention, absent: AbsentMeans
    ) {
        self.id = id
        self.adapter = adapter
        self.title = title
        self.enabled = enabled
        self.schedule = schedule
        self.request = request
        self.records = records
        self.retention = retention
        self.absent = absent
    }
}

/// How rows are found in an answer and what identifies them.
package struct RecordsPlan: Sendable, Equatable {
    /// The path of the rows; of a `feed` without meaning.
    package let path: JSONPath
    /// The paths, from a row, of the parts of its key; of a `feed` empty.
    package let key: [JSONPath]

    package init(path: JSONPath = .root, key: [JSONPath] = []) {
        self.path = path
        self.key = key
    }
}
