extension FeedMachine {
    /// Why an idle feed is not asked although somebody wishes it; nil where nothing speaks against it (policy 2.4).
    func refusal(_ wish: RefreshWish, at now: Moment) -> RefreshOutcome? {
        if !enabled { return .refused(reason: "the feed is disabled") }
        if wish.mode == .ifStale, let outcome = ifStale(wish, at: now) { return outcome }
        if !wish.overridesGate, let wait = gapLeft(at: now) { return .tooSoon(retryIn: wait) }
        return nil
    }

    private func ifStale(_ wish: RefreshWish, at now: Moment) -> RefreshOutcome? {
        if isFresh(for: wish.maxAge, at: now) { return .fresh }
        if isPaused { return .refused(reason: "the feed is paused") }
        if let due = progress.due, progress.failures > 0 || progress.gone != nil, now.wall < due {
            return .backoff(retryIn: due - now.wall)
        }
        if isOver { return .refused(reason: "the upstream says that the feed is gone for good") }
        // The schedule will do it; readers must not defeat what makes it wait.
        if wish.isBackground, let due, now.boot < due { return .tooSoon(retryIn: due - now.boot) }
        guard let success = progress.lastSuccess, let (hint, _) = DueTime.hint(schedule, progress) else {
            return nil
        }
        let left = success + hint - now.wall
        return left > .zero && success <= now.wall ? .tooSoon(retryIn: left) : nil
    }

    private func isFresh(for maxAge: Duration?, at now: Moment) -> Bool {
        guard let maxAge else { return freshness(at: now) == .fresh }
        guard let success = progress.lastSuccess, progress.failures == 0 else { return false }
        let age = now.wall - success
        return age >= .seconds(-60) && age <= maxAge
    }

    /// What is left of the least time between two attempts.
    private func gapLeft(at now: Moment) -> Duration? {
        guard let last = progress.lastAttempt else { return nil }
        // An attempt in the future means that the clock went back: it proves nothing.
        let passed = now.wall - last
        return passed >= .zero && passed < schedule.minGap ? schedule.minGap - passed : nil
    }
}
