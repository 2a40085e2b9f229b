/// What of a feed's configuration decides when it is fetched; feeds with equal ones share one.
package struct FetchPolicy: Sendable, Equatable {
    package var schedule: Schedule
    /// A full answer is asked for at least this often (refresh policy V4).
    package var revalidateFullAfter: Duration
    /// Items count as fresh for so long after a success; nil: until the due time that it set.
    package var freshFor: Duration?
    /// How they are shown after that.
    package var serving: ServingRules
    /// Whether the upstream's own words shorten or set `freshFor` (semantics F10).
    package var upstreamHeaders: FreshnessPlan.UpstreamHeaders

    package init(schedule: Schedule) {
        self.schedule = schedule
        let freshness = FreshnessPlan()
        revalidateFullAfter = .seconds(8 * 86_400)
        freshFor = freshness.freshFor
        serving = ServingRules(freshness)
        upstreamHeaders = freshness.upstreamHeaders
    }

    package init(_ feed: Feed) {
        let freshness = feed.details.freshness
        schedule = feed.schedule
        revalidateFullAfter = feed.request.revalidateFullAfter
        freshFor = freshness.freshFor
        serving = ServingRules(freshness)
        upstreamHeaders = freshness.upstreamHeaders
    }

    /// The interval that backoff grows from; a feed without one is treated as if it had the usual five minutes, one
    /// with calendar times as if it had an hour.
    var backoffInterval: Duration {
        schedule.every ?? .seconds(schedule.cron == nil ? 300 : 3_600)
    }

    /// Whether a timer ever starts it.
    var isScheduled: Bool { schedule.every != nil || schedule.cron != nil }

    /// No due time without a failure, a gate or a skip window lies further ahead; nil where there is no interval.
    func longestWait(_ progress: FeedProgress) -> Duration? {
        guard let every = schedule.every else { return nil }
        let adaptive = schedule.adaptive ? schedule.maxInterval : .zero
        let hint = DueTime.hint(schedule, progress)?.0 ?? .zero
        return max(every, max(adaptive, hint)) * (1 + schedule.jitter)
    }
}
