/// One upstream source as configured, every value typed and every default in its place.
package struct Feed: Sendable, Equatable {
    package enum Adapter: Hashable, Sendable {
        case json
        /// Syndication: RSS, RDF, Atom, JSON Feed.
        case feed
        case csv
        case xml
        case html
        /// One opaque document.
        case http
        /// A program of the user's, by its name.
        case plugin(String)

        package static let builtIn: [Adapter] = [.json, .feed, .csv, .xml, .html, .http]

        /// As the configuration names it.
        package var name: String {
            switch self {
            case .json: "json"
            case .feed: "feed"
            case .csv: "csv"
            case .xml: "xml"
            case .html: "html"
            case .http: "http"
            case .plugin(let name): name
            }
        }
    }

    package enum AbsentMeans: String, Sendable, CaseIterable { case gone, keep }

    /// What a feed is made of. What many feeds have alike lies in blocks of its own, which they share.
    package struct Parts: Sendable, Equatable {
        package let id: FeedID
        package let adapter: Adapter
        package var title: String?
        package var tags: [String] = []
        package var enabled: Bool
        package var schedule: Shared<Schedule>
        package var expect: Duration?
        package var request: RequestPlan
        package var records: Shared<RecordsPlan>
        package var keeping: Shared<Keeping>
        package var details: Shared<FeedDetails>
    }

    package struct Keeping: Sendable, Equatable {
        package var retention: Retention
        package var deletes: DeletesPlan
    }

    /// A feed is handed from hand to hand all the time, so that a copy must cost nothing.
    @usableFromInline var parts: Shared<Parts>

    package init(
        id: FeedID, adapter: Adapter, title: String? = nil, enabled: Bool = true, schedule: Schedule,
        request: RequestPlan, records: RecordsPlan, retention: Retention, absent: AbsentMeans,
        details: Shared<FeedDetails> = .standard
    ) {
        parts = Shared(
            Parts(
                id: id, adapter: adapter, title: title, enabled: enabled, schedule: Shared(schedule),
                request: request, records: Shared(records),
                keeping: Shared(Keeping(retention: retention, deletes: DeletesPlan(absent: absent))),
                details: details))
    }

    /// Takes the other feed's copy of every block that is equal, so that many feeds alike hold one.
    package mutating func share(with other: Feed) {
        let theirs = other.parts.value
        change { own in
            if own.tags == theirs.tags { own.tags = theirs.tags }
            if own.schedule == theirs.schedule { own.schedule = theirs.schedule }
            if own.request.rest == theirs.request.rest { own.request.rest = theirs.request.rest }
            if own.records == theirs.records { own.records = theirs.records }
            if own.keeping == theirs.keeping { own.keeping = theirs.keeping }
        }
    }

    /// What an absent record means after a proven complete pass.
    package var absent: AbsentMeans { deletes.absent }

    private mutating func change(_ body: (inout Parts) -> Void) {
        var parts = parts.value
        body(&parts)
        self.parts = Shared(parts)
    }
}

extension Feed {
    @inlinable package var id: FeedID { parts.value.id }
    @inlinable package var adapter: Adapter { parts.value.adapter }
    package var title: String? {
        @inlinable get { parts.value.title }
        set { change { $0.title = newValue } }
    }
    package var tags: [String] {
        @inlinable get { parts.value.tags }
        set { change { $0.tags = newValue } }
    }
    package var enabled: Bool {
        @inlinable get { parts.value.enabled }
        set { change { $0.enabled = newValue } }
    }
    package var schedule: Schedule {
        @inlinable get { parts.value.schedule.value }
        set { change { $0.schedule = Shared(newValue) } }
    }
    /// An alarm is shown when no good pass came for this long.
    package var expect: Duration? {
        @inlinable get { parts.value.expect }
        set { change { $0.expect = newValue } }
    }
    package var request: RequestPlan {
        @inlinable get { parts.value.request }
        set { change { $0.request = newValue } }
    }
    package var records: RecordsPlan {
        @inlinable get { parts.value.records.value }
        set { change { $0.records = Shared(newValue) } }
    }
    package var retention: Retention {
        @inlinable get { parts.value.keeping.value.retention }
        set {
            change { $0.keeping = Shared(Keeping(retention: newValue, deletes: $0.keeping.value.deletes)) }
        }
    }
    package var deletes: DeletesPlan {
        @inlinable get { parts.value.keeping.value.deletes }
        set {
            change { $0.keeping = Shared(Keeping(retention: $0.keeping.value.retention, deletes: newValue)) }
        }
    }
    /// The rest is mostly left alone.
    package var details: Shared<FeedDetails> {
        @inlinable get { parts.value.details }
        set { change { $0.details = newValue } }
    }
}

/// The parts of a feed that most feeds leave out.
package struct FeedDetails: Sendable, Equatable {
    package var auth = AuthPlan.none
    package var sort: SortPlan?
    package var paging = PagingPlan()
    package var incremental: IncrementalPlan?
    package var byID: ByIDPlan?
    package var freshness = FreshnessPlan()
    package var preload: PreloadPlan?
    package var derived: [DerivePlan] = []
    package var outbox: OutboxPlan?
    package var parent: ParentPlan?
    /// The user's rules; the built-in ones come after them.
    package var errors: [ErrorRule] = []
    package var retry = RetryPlan()
    package var limits = FeedLimits()
    /// Who may see the feed, and who may drive it; nil is everybody whom the socket admits.
    package var readers: AccessList?
    package var operators: AccessList?

    package init() {}
}

extension Shared<FeedDetails> {
    /// Every default.
    package static let standard = Shared(FeedDetails())
}

/// Users and groups by name or number.
package struct AccessList: Sendable, Hashable {
    package var users: [String] = []
    package var groups: [String] = []

    package init() {}
}
