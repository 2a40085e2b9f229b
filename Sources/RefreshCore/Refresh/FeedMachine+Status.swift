extension FeedMachine {
    /// Until when the items count as fresh: so long after a success as the file says, otherwise until the due time
    /// that the last success set (freshness of scope `feed`).
    package var freshUntil: Timestamp? {
        guard let success = progress.lastSuccess, let own = ownFreshUntil else { return nil }
        // What the upstream says of its answer, counted from the same start (semantics F10).
        let said: Duration
        switch progress.httpHint {
        case .silent: return own
        case .lasting(let time), .expiring(let time): said = time
        }
        switch policy.upstreamHeaders {
        case .ignore: return own
        case .shorten: return min(own, success + said)
        case .follow: return success + said
        }
    }

    private var ownFreshUntil: Timestamp? {
        guard let success = progress.lastSuccess else { return nil }
        if let freshFor = policy.freshFor { return success + freshFor }
        guard let every = schedule.every ?? (schedule.cron == nil ? FeedMachine.onDemandFresh : nil) else {
            return progress.due ?? success
        }
        guard progress.failures == 0, !isFlying, let due = progress.due else { return success + every }
        return due
    }

    package func freshness(at now: Moment) -> FeedStatus.Freshness {
        FeedStatus.freshness(
            lastSuccess: progress.lastSuccess, freshUntil: freshUntil, serveStale: serving.serveStale,
            at: now.wall)
    }

    /// How the items are shown: the upstream's own words count only where the file says that it is followed.
    private var serving: ServingRules {
        guard policy.upstreamHeaders == .follow, let rules = progress.staleRules else {
            return policy.serving
        }
        return policy.serving.following(rules)
    }

    /// The picture of `feed` that status shows.
    ///
    /// - Parameters:
    ///   - heldUntil: until when its origin or its budget is held.
    ///   - known: since when there is the feed: from then on a first good pass is expected.
    package func status(of feed: Feed, heldUntil: Timestamp? = nil, known: Timestamp? = nil) -> FeedStatus {
        let isHeld = heldUntil != nil && (nextDue.map { $0 < heldUntil ?? $0 } ?? isQueued)
        var status = FeedStatus(
            of: feed, self,
            state: isHeld && state != .paused && state != .disabled ? .limited : state,
            nextDue: isHeld ? heldUntil : (due == nil ? nil : nextDue),
            dueRule: isHeld ? DueRule.originGate.text(failures: 0) : rule.text(failures: progress.failures))
        if enabled, let expect = feed.expect, let last = progress.lastSuccess ?? known {
            status.expectedBy = last + expect
        }
        return status
    }

    /// What people should know, each by a stable name and in words.
    var alarms: [String] {
        var alarms = progress.suspect.map { ["suspect: \($0)"] } ?? []
        let keys = progress.entryKeys
        if keys.churns > 0 {
            alarms.append(
                keys.level == .id
                    ? "id_churn: the upstream lists the same entries under new ids"
                    : "id_churn: the upstream's ids change; entries are told apart without them")
        }
        alarms += store.alarms
        if keys.holdsBack, !alarms.contains(where: { $0.hasPrefix("flapping") }) {
            alarms.append("flapping: entries change all the time, and are told of once a day")
        }
        return alarms
    }

    package var state: FeedStatus.State {
        if !enabled { return .disabled }
        if isPaused { return .paused }
        if let gone = progress.gone, gone.isBelieved { return gone.isOver ? .disabled : .gone }
        guard progress.failures > 0 else { return .active }
        return progress.dueRule == .retryAfter ? .limited : .backoff
    }
}

/// Why a feed is due when it is: what `explain` shows.
package struct DueExplanation: Sendable, Equatable {
    package let at: Timestamp?
    package let rule: String
    /// The interval that counted, without jitter; nil where none did.
    package let interval: Duration?
    package let every: Duration?
    /// The mean gap between changes that was learnt, and how many were seen.
    package let usualGap: Duration?
    package let changes: Int
    /// Since the last change.
    package let idle: Duration?
    /// What the upstream asks for, after the cap.
    package let hint: Duration?
    package let failures: Int
}

extension FeedMachine {
    package func explanation(at now: Moment) -> DueExplanation {
        let rhythm = progress.rhythm
        let start = progress.lastSuccess ?? now.wall
        return DueExplanation(
            at: due == nil ? nil : nextDue, rule: rule.text(failures: progress.failures),
            interval: DueTime.interval(policy.value, progress, at: start)?.0,
            every: schedule.every,
            usualGap: rhythm.gapSeconds > 0 ? .milliseconds(Int64(rhythm.gapSeconds * 1_000)) : nil,
            changes: rhythm.changes,
            idle: rhythm.changedAt.map { max(now.wall - $0, .zero) },
            hint: DueTime.hint(schedule, progress)?.0,
            failures: progress.failures)
    }
}
