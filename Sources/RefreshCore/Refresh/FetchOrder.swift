/// One refresh that was allowed to start, with all that is needed to say what its end means.
///
/// A flight carries it away and brings back the feed's new progress, so that records and schedule can be stored
/// in one transaction without asking anybody in between.
package struct FetchOrder: Sendable, Equatable {
    package enum Cause: String, Sendable { case schedule, wish }

    package let cause: Cause
    package let start: Moment
    /// Whether validators may be sent.
    package let conditional: Bool
    /// The feed's progress with this attempt and a provisional due time in it: stored before the request is sent,
    /// so that a crash loop cannot hammer an upstream.
    package let progress: FeedProgress
    private let schedule: Schedule
    /// What chance says for the next due time, in [0, 1).
    private let chance: Double

    package init(
        cause: Cause, start: Moment, conditional: Bool, progress: FeedProgress, schedule: Schedule,
        chance: Double
    ) {
        self.cause = cause
        self.start = start
        self.conditional = conditional
        self.schedule = schedule
        self.chance = chance
        var provisional = progress
        provisional.lastAttempt = start.wall
        provisional.due = schedule.every.map { start.wall + $0 }
        self.progress = provisional
    }

    /// The progress after an answer that was read to its end, or that said that nothing is new.
    package func succeeded(_ report: PassReport, at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        next.lastSuccess = start.wall
        next.failures = 0
        next.failure = nil
        next.validators = report.validators
        next.validatorScope = report.scope
        next.checkpoint = report.checkpoint
        next.due = schedule.every.map { every in
            // Counted from the start, one-sided; a pass longer than its interval still leaves a pause (policy 2.2).
            max(start.wall + spread(every), now.wall + every / 4)
        }
        return next
    }

    /// The progress after a failure; validators and what is cached stay.
    package func failed(_ failure: RefreshFailure, at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        next.failures += 1
        next.failure = FailureNote(failure, at: now.wall)
        next.due = schedule.every.map { every in
            now.wall + spread(Backoff.delay(after: failure, count: next.failures, every: every))
        }
        return next
    }

    /// The progress after a stop of the daemon in mid-flight: still due, and nothing learnt.
    package func abandoned(at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        next.due = schedule.every.map { _ in start.wall }
        return next
    }

    private func spread(_ duration: Duration) -> Duration { duration * (1 + chance * schedule.jitter) }
}
