extension FeedMachine {
    /// Until when the items count as fresh: the due time that the last success set (freshness of scope `feed`).
    package var freshUntil: Timestamp? {
        guard let success = progress.lastSuccess else { return nil }
        guard let every = schedule.every else { return success + FeedMachine.onDemandFresh }
        guard progress.failures == 0, !isFlying, let due = progress.due else { return success + every }
        return due
    }

    package func freshness(at now: Moment) -> FeedStatus.Freshness {
        FeedStatus.freshness(lastSuccess: progress.lastSuccess, freshUntil: freshUntil, at: now.wall)
    }

    /// The picture of `feed` that status shows.
    package func status(of feed: Feed) -> FeedStatus {
        FeedStatus(
            feed: feed.id, title: feed.title, adapter: feed.adapter.name,
            url: feed.request.url.display,
            state: state, progress: progress, freshUntil: freshUntil,
            nextDue: due == nil ? nil : nextDue,
            dueRule: rule.text, inFlight: isFlying, store: store,
            alarms: progress.suspect.map { ["suspect: \($0)"] } ?? [])
    }

    private var state: FeedStatus.State {
        if !enabled { return .disabled }
        guard progress.failures > 0 else { return .active }
        return rule == .retryAfter ? .limited : .backoff
    }
}
