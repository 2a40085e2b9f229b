import RefreshCore

/// What the daemon told at one moment.
package struct TopSnapshot: Sendable {
    package var status: StatusAnswer
    package var feeds: [FeedAnswer]
    package var figures: Figures
    /// On a clock that never steps, from any beginning.
    package var taken: Duration

    package init(status: StatusAnswer, feeds: [FeedAnswer], figures: Figures, taken: Duration) {
        self.status = status
        self.feeds = feeds
        self.figures = figures
        self.taken = taken
    }
}

/// What `top` knows: the newest snapshot, how fast things went of late, and how long each feed's refreshes took.
package struct TopModel: Sendable {
    /// How fast things go, over the last minute or what there is of it.
    package struct Rates: Sendable, Equatable {
        package var over: Duration = .zero
        /// A second.
        package var requests: Double?
        package var bytes: Double?
        package var asked: Double?
        package var commits: Double?
        /// Of one transaction.
        package var commit: Duration?
        /// In all of that time.
        package var refreshed: Int?
        package var failed: Int?
    }

    /// The counters of one snapshot.
    private struct Point {
        let taken: Duration
        let requests, bytes, asked, refreshed, failed, commits, commitSeconds: Double?

        init(_ snapshot: TopSnapshot) {
            let figures = snapshot.figures
            taken = snapshot.taken
            requests = figures.sum("refreshd_upstream_requests_total")
            bytes = figures.sum("refreshd_upstream_bytes_total")
            asked = figures.sum("refreshd_api_requests_total")
            refreshed = figures.sum("refreshd_refreshes_total")
            failed = figures.sum("refreshd_refreshes_total", where: ("result", "failed"))
            commits = figures.sum("refreshd_store_commit_seconds_count")
            commitSeconds = figures.sum("refreshd_store_commit_seconds_sum")
        }
    }

    /// What is known of a feed's last refreshes, and of which moment.
    private struct Past {
        let mark: Mark
        let entries: [HistoryAnswer]
    }

    private struct Mark: Equatable {
        let attempt: Timestamp?
        let inFlight: Bool
    }

    package private(set) var latest: TopSnapshot?
    /// Why the newest snapshot is an old one; nil while the daemon answers.
    package var absence: String?
    private var points: [Point] = []
    private var past: [String: Past] = [:]

    private static let window: Duration = .seconds(60)

    package init() {}

    package mutating func take(_ snapshot: TopSnapshot) {
        let point = Point(snapshot)
        // Counters of a daemon that was started anew begin anew.
        if let last = points.last, TopModel.wentBack(from: last, to: point) { points = [] }
        points.append(point)
        while points.count > 2, point.taken - points[0].taken > TopModel.window { points.removeFirst() }
        latest = snapshot
        absence = nil
        let names = Set(snapshot.feeds.map(\.name))
        past = past.filter { names.contains($0.key) }
    }

    private static func wentBack(from last: Point, to point: Point) -> Bool {
        [(last.requests, point.requests), (last.asked, point.asked), (last.commits, point.commits)]
            .contains { ($0.1 ?? 0) < ($0.0 ?? 0) }
    }

    // MARK: - Rates

    package var rates: Rates {
        guard let first = points.first, let last = points.last, last.taken > first.taken else {
            return Rates()
        }
        let over = last.taken - first.taken
        let seconds = Double(over.inMilliseconds) / 1_000
        func grown(_ value: (Point) -> Double?) -> Double? {
            value(last).map { $0 - (value(first) ?? 0) }
        }
        var rates = Rates(over: over)
        rates.requests = grown(\.requests).map { $0 / seconds }
        rates.bytes = grown(\.bytes).map { $0 / seconds }
        rates.asked = grown(\.asked).map { $0 / seconds }
        rates.refreshed = grown(\.refreshed).map { Int($0) }
        rates.failed = grown(\.failed).map { Int($0) }
        let commits = grown(\.commits)
        rates.commits = commits.map { $0 / seconds }
        if let commits, commits > 0, let spent = grown(\.commitSeconds) {
            rates.commit = .microseconds(Int64(spent / commits * 1_000_000))
        }
        return rates
    }

    /// Requests to upstreams a second, from one snapshot to the next.
    package var curve: [Double?] {
        zip(points, points.dropFirst()).map { one, next in
            let seconds = Double((next.taken - one.taken).inMilliseconds) / 1_000
            guard seconds > 0, let before = one.requests, let now = next.requests else { return nil }
            return (now - before) / seconds
        }
    }

    // MARK: - Refreshes of feeds

    /// Which of `feeds` have been refreshed since their past was told.
    package func unknown(among feeds: [FeedAnswer]) -> [FeedAnswer] {
        feeds.filter { past[$0.name]?.mark != TopModel.mark($0) }
    }

    /// The last refreshes of `feed`, the newest first.
    package mutating func take(_ entries: [HistoryAnswer], of feed: FeedAnswer) {
        past[feed.name] = Past(mark: TopModel.mark(feed), entries: entries)
    }

    package func refreshes(of feed: String) -> [HistoryAnswer] { past[feed]?.entries ?? [] }

    private static func mark(_ feed: FeedAnswer) -> Mark {
        Mark(attempt: feed.lastAttempt, inFlight: feed.inFlight)
    }

    // MARK: - Order

    /// The feeds, those first that want attention; a feed keeps its place while nothing happens to it.
    package var feeds: [FeedAnswer] {
        (latest?.feeds ?? []).map { (rank: TopModel.rank($0), feed: $0) }
            .sorted { ($0.rank, $0.feed.name) < ($1.rank, $1.feed.name) }
            .map(\.feed)
    }

    private static func rank(_ feed: FeedAnswer) -> Int {
        switch feed.state {
        case "config-error", "gone": 0
        case "paused", "disabled": 4
        default:
            if feed.failures > 0 || feed.lastError != nil {
                1
            } else if feed.freshness == "overdue" || !feed.alarms.isEmpty {
                2
            } else {
                3
            }
        }
    }
}
