/// What changes around a feed: an operator's pause, a new file, a clock that was set, a host that slept.
extension FeedMachine {
    /// An operator stops the schedule, or lets it go on; a feed that fell due meanwhile starts at once.
    package mutating func pause(_ isPaused: Bool, at now: Moment) {
        guard self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        _ = unqueue()
        rule = progress.dueRule
        guard isIdle else { return }
        wake(in: untilDue(at: now), at: now)
    }

    /// The file has changed.
    ///
    /// A changed interval counts from the last start; a running backoff goes on, but for a new request, which may
    /// have mended what failed (semantics F8).
    package mutating func replace(
        policy: Shared<FetchPolicy>, enabled: Bool, requestChanged: Bool, at now: Moment
    ) {
        let isSame = self.policy == policy && self.enabled == enabled
        self.policy = policy
        self.enabled = enabled
        guard !isSame || requestChanged else { return }
        _ = unqueue()
        guard isIdle else { return }
        if requestChanged { forgetRequest() }
        rule = progress.dueRule
        if progress.failures == 0, progress.gone == nil || requestChanged { recompute() }
        wake(in: untilDue(at: now), at: now)
    }

    /// The store has made the feed another one, with a new epoch: what was kept for going on is worth nothing.
    package mutating func reshaped(_ stored: FeedProgress, _ counts: StoredCounts) {
        store = counts
        progress.validators = stored.validators
        progress.bodyHash = stored.bodyHash
        progress.checkpoint = stored.checkpoint
    }

    /// A refresh was cut short, or came too late, because the file asks for something else by now: it starts anew.
    package mutating func outdated(at now: Moment) {
        guard isIdle else { return }
        forgetRequest()
        rule = .interrupted
        wake(in: .zero, at: now)
    }

    /// Somebody set the wall clock: what is left to wait stays, and what is shown moves along (policy 2.5).
    package mutating func clockStepped(at now: Moment) {
        progress.clamp(to: now.wall)
        guard let due else { return }
        if schedule.cron != nil, rule == .cron {
            // A calendar goes by the wall clock, whatever it shows.
            progress.due = schedule.cron?.cron.next(after: now.wall, in: schedule.cron?.zone ?? .utc)
            wake(in: untilDue(at: now), at: now)
        } else {
            nextDue = now.wall + (due - now.boot)
            progress.due = nextDue
        }
    }

    /// The host slept: what fell due meanwhile starts `spread` from now, all else when it is due.
    package mutating func resumed(at now: Moment, spread: Duration) {
        let wasQueued = unqueue()
        guard isIdle, wasQueued || due.map({ $0 <= now.boot + spread }) ?? false else { return }
        rule = .overdue
        wake(in: spread, at: now)
    }

    // MARK: - Pieces

    private func untilDue(at now: Moment) -> Duration? {
        guard progress.lastAttempt != nil else { return .zero }
        return progress.due.map { max($0 - now.wall, .zero) }
    }

    private mutating func forgetRequest() {
        progress.failures = 0
        progress.failure = nil
        progress.gone = nil
        progress.redirects = nil
        progress.httpHint = .silent
    }

    /// The due time that the new policy would have set after the last attempt.
    private mutating func recompute() {
        guard let start = progress.lastAttempt else { return }
        let next = DueTime.afterSuccess(
            policy.value, progress, start: start, done: progress.lastDone ?? start, chance: 0)
        progress.due = next?.at
        progress.dueRule = next?.rule ?? .onDemand
        rule = progress.dueRule
    }
}
