/// How insistent a wish for a refresh is (refresh policy 2.4).
package enum RefreshMode: String, Sendable, CaseIterable {
    /// Only where the items are stale; obeys the schedule's backoff.
    case ifStale = "if_stale"
    /// Whether stale or not; obeys `min_gap`.
    case now
    /// As `now`, and without validators.
    case force
}

/// How a wish for a refresh ended.
package enum RefreshOutcome: Sendable, Equatable {
    case refreshed(RefreshCounts)
    /// The upstream had nothing new.
    case unchanged
    /// The items were fresh; nothing was asked.
    case fresh
    case failed(RefreshFailure)
    /// The feed waits after failures; nothing was asked.
    case backoff(retryIn: Duration)
    /// `min_gap` has not passed; nothing was asked.
    case tooSoon(retryIn: Duration)
    /// The origin or a budget is held; nothing was asked.
    case limited(retryIn: Duration)
    /// The feed is disabled or the daemon stops.
    case refused(reason: String)
}

/// What one refresh did to the cache.
package struct RefreshCounts: Sendable, Equatable {
    package var added = 0
    package var changed = 0
    package var removed = 0
    package var evicted = 0
    package var unchanged = 0
    package var rejected = 0

    package init() {}

    package var isEmpty: Bool { added == 0 && changed == 0 && removed == 0 && evicted == 0 }
}
