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

    package let id: FeedID
    package let adapter: Adapter
    package var title: String?
    package var tags: [String] = []
    package var enabled: Bool
    package var schedule: Schedule
    /// An alarm is shown when no good pass came for this long.
    package var expect: Duration?
    package var request: RequestPlan
    package var records: RecordsPlan
    package var retention: Retention
    package var deletes: DeletesPlan
    /// The rest is mostly left alone.
    package var details: Shared<FeedDetails>

    package init(
        id: FeedID, adapter: Adapter, title: String? = nil, enabled: Bool = true, schedule: Schedule,
        request: RequestPlan, records: RecordsPlan, retention: Retention, absent: AbsentMeans,
        details: Shared<FeedDetails> = .standard
    ) {
        self.id = id
        self.adapter = adapter
        self.title = title
        self.enabled = enabled
        self.schedule = schedule
        self.request = request
        self.records = records
        self.retention = retention
        deletes = DeletesPlan(absent: absent)
        self.details = details
    }

    /// What an absent record means after a proven complete pass.
    package var absent: AbsentMeans { deletes.absent }
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
