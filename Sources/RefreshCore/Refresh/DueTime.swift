/// When a feed is due next, and by which rule.
package struct DueTime: Sendable, Equatable {
    package let at: Timestamp
    package let rule: DueRule

    package init(at: Timestamp, rule: DueRule) {
        self.at = at
        self.rule = rule
    }

    /// After a pass that went well (refresh policy 2.2); nil on demand only.
    ///
    /// - Parameters:
    ///   - progress: with everything that the pass taught.
    ///   - chance: in [0, 1).
    package static func afterSuccess(
        _ policy: FetchPolicy, _ progress: FeedProgress, start: Timestamp, done: Timestamp, chance: Double
    ) -> DueTime? {
        let schedule = policy.schedule
        if let cron = schedule.cron {
            // Who writes a calendar means it; slots that passed during the pass are one with it.
            return cron.cron.next(after: max(start, done), in: cron.zone).map {
                DueTime(at: $0, rule: .cron)
            }
        }
        guard let (interval, rule) = interval(policy, progress, at: start) else { return nil }
        // Counted from the start, one-sided; a pass longer than its interval still leaves a pause.
        let due = max(start + interval + interval * (chance * schedule.jitter), done + interval / 4)
        let hints = schedule.honorHints ? progress.feedHints : nil
        let windows = SkipWindows(
            hours: schedule.skipHours.union(hints?.skipHours ?? []),
            days: schedule.skipDays.union(hints?.skipDays ?? []))
        let moved = windows.moved(due, chance: (chance * 8_191).truncatingRemainder(dividingBy: 1))
        return DueTime(at: moved, rule: moved == due ? rule : .skipWindow)
    }

    /// D of the policy: the promise, the learnt rhythm, or what the upstream asks for, whichever is longest.
    package static func interval(_ policy: FetchPolicy, _ progress: FeedProgress, at start: Timestamp)
        -> (Duration, DueRule)?
    {
        let schedule = policy.schedule
        guard let every = schedule.every else { return nil }
        let own =
            schedule.adaptive
            ? progress.rhythm.interval(
                every: every, longest: schedule.maxInterval, at: start, adaptivity: schedule.adaptivity)
            : every
        let hint = self.hint(schedule, progress)
        if let hint, hint.0 > own { return hint }
        return (own, own > every ? .adaptive : .every)
    }

    /// H of the policy, bounded by its cap; nil where hints do not count or there are none.
    package static func hint(_ schedule: Schedule, _ progress: FeedProgress) -> (Duration, DueRule)? {
        guard schedule.honorHints else { return nil }
        let feed = progress.feedHints?.interval ?? .zero
        switch progress.httpHint {
        case .lasting(let time) where time >= feed && time > .zero:
            return (min(time, schedule.hintCap), .hintMaxAge)
        case .expiring(let time) where time >= feed && time > .zero:
            return (min(time, schedule.hintCap), .hintExpires)
        default:
            return feed > .zero ? (min(feed, schedule.hintCap), .hintFeed) : nil
        }
    }
}
