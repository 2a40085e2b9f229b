import RefreshCore

/// How long an answer that was made once stays true as far as time is concerned.
struct Hold: Equatable {
    private let from: Moment
    private let until: Timestamp?
    private let longest: Duration?

    /// - Parameters:
    ///   - until: the first moment at which it may be wrong.
    ///   - longest: how old it may become, measured without regard to the wall clock.
    init(from: Moment, until: Timestamp?, longest: Duration? = nil) {
        self.from = from
        self.until = until
        self.longest = longest
    }

    /// Of an answer that is labelled with the seconds that its feed is still fresh.
    init(labelOf feed: FeedStatus, from now: Moment) {
        let borders = [feed.freshnessHolds(at: now.wall), feed.secondsLeftHold(at: now.wall)]
        self.init(from: now, until: borders.compactMap(\.self).min())
    }

    /// A clock that has gone back makes it void.
    func covers(_ now: Moment) -> Bool {
        guard now.wall >= from.wall else { return false }
        if let until, now.wall >= until { return false }
        return longest.map { now.boot - from.boot < $0 } ?? true
    }

    /// When the next of `feeds` changes its freshness; nil: none does.
    static func freshness(of feeds: [FeedStatus], at now: Timestamp) -> Timestamp? {
        feeds.lazy.compactMap { $0.freshnessHolds(at: now) }.min()
    }
}

extension FeedStatus {
    /// The first moment after `now` at which `freshness` (semantics F2, F4–F6) or `alarms` may say something else; nil:
    /// none.
    func freshnessHolds(at now: Timestamp) -> Timestamp? {
        var borders: [Timestamp] = []
        if let expectedBy { borders.append(expectedBy) }
        if let lastSuccess = progress.lastSuccess, let freshUntil {
            borders += [lastSuccess + .seconds(-60), freshUntil, freshUntil + serving.serveStale]
        }
        if let servedUntil { borders.append(servedUntil + .microseconds(1)) }
        return borders.filter { $0 > now }.min()
    }

    /// Whole seconds that the items are still fresh, negative for those that they are stale.
    func secondsLeft(at now: Timestamp) -> Int64? { freshUntil.map { ($0 - now).components.seconds } }

    /// The first moment after `now` at which `secondsLeft` may say something else.
    func secondsLeftHold(at now: Timestamp) -> Timestamp? {
        guard let freshUntil, let left = secondsLeft(at: now) else { return nil }
        // Rounded towards zero: while it falls to it a second ends just behind the full one, below it with it.
        let end = freshUntil + .seconds(-left)
        return now <= end ? end + .microseconds(1) : freshUntil + .seconds(1 - left)
    }
}
