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
    /// so that a crash loop cannot hammer an upstream. Its validators are the ones to send.
    package let progress: FeedProgress
    /// Where to ask; nil is the configured URL (refresh policy RD3).
    package let effectiveURL: WebURL?
    private let configured: WebURL?
    private let policy: Shared<FetchPolicy>
    /// What was known of the origin when the refresh started.
    private let origin: OriginProgress
    /// What chance says for the next due time, in [0, 1).
    private let chance: Double

    package init(
        cause: Cause, start: Moment, forced: Bool, progress: FeedProgress, policy: Shared<FetchPolicy>,
        url: WebURL? = nil, origin: OriginProgress = OriginProgress(), chance: Double
    ) {
        self.cause = cause
        self.start = start
        self.policy = policy
        self.origin = origin
        self.chance = chance
        configured = url
        let wall = start.wall
        effectiveURL = forced ? nil : progress.redirects?.effectiveURL(at: wall)
        let isFullDue = FetchOrder.isFullDue(progress, after: policy.revalidateFullAfter, at: wall)
        conditional = !forced && !isFullDue
        var provisional = progress
        if forced { provisional.lastForced = wall }
        if isFullDue {
            provisional.fullAsked = wall
            provisional.tagDistrusted = nil
        }
        if provisional.tagDistrusted != nil, provisional.validators.lastModified != nil {
            // The server does not know its own tag; it may still know its own date (V8).
            provisional.validators.etag = nil
        }
        provisional.lastAttempt = wall
        if let every = policy.schedule.every {
            provisional.due = wall + every
        } else if let cron = policy.schedule.cron {
            provisional.due = cron.cron.next(after: wall, in: cron.zone)
        }
        self.progress = provisional
    }

    /// Whether a full answer is due: the last one is long ago, and so is the last attempt at one.
    private static func isFullDue(_ progress: FeedProgress, after limit: Duration, at now: Timestamp) -> Bool
    {
        guard !progress.validators.isEmpty, let full = progress.lastFull else { return false }
        // What was held back is not lost behind an answer that says that nothing is new (SC3).
        let limit = progress.entryKeys.holdsBack ? min(limit, QuietChanges.pause) : limit
        // A failed attempt leaves `lastFull` as it is; the next one comes a day later.
        return now - full > limit && progress.fullAsked.map { now - $0 >= .seconds(86_400) } ?? true
    }

    // MARK: - Ends

    /// The progress after an answer that was read to its end, or that said that nothing is new.
    package func succeeded(_ report: PassReport, at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        next.lastSuccess = start.wall
        next.failures = 0
        next.rhythm.begin(at: start.wall)
        var rare = next.rareOrEmpty
        rare.failure = nil
        rare.crashes = 0
        rare.checkpoint = report.checkpoint
        rare.gone = gone(after: report.isExpired, at: now.wall)
        rare.redirects = configured.flatMap {
            RedirectMemory.after(
                progress.redirects, seen: report.permanentTarget, asked: effectiveURL, configured: $0,
                start: start.wall)
        }
        if let hints = report.feedHints {
            rare.feedHints = hints == FeedHints() ? nil : hints
            if let gap = hints.publishedGap { next.rhythm.seed(gap) }
        }
        rare.tagDistrusted = tagDistrusted(report)
        next.rareOrEmpty = rare
        note(report, in: &next)
        set(
            DueTime.afterSuccess(
                policy.value, next, start: start.wall, done: now.wall, chance: chance), in: &next)
        if report.isExpired { holdGone(&next, at: now.wall) }
        return next
    }

    /// The progress once it is stored: only then it is known whether the pass brought a change, which brings the next
    /// one nearer where nothing had changed for long.
    package func learnt(_ stored: FeedProgress) -> FeedProgress {
        guard stored.lastChange == start.wall, stored.lastSuccess == start.wall, stored.failures == 0,
            let done = stored.lastDone
        else { return stored }
        var next = stored
        next.rhythm.learn(changeAt: start.wall)
        guard policy.schedule.adaptive, stored.gone == nil else { return next }
        set(
            DueTime.afterSuccess(policy.value, next, start: start.wall, done: done, chance: chance),
            in: &next)
        return next
    }

    /// The progress after a failure; validators and what is cached stay.
    package func failed(_ failure: RefreshFailure, at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        next.failures += 1
        var rare = next.rareOrEmpty
        rare.failure = FailureNote(failure, at: now.wall)
        rare.crashes = 0
        if effectiveURL != nil { rare.redirects = rare.redirects?.afterFailure() }
        if failure.saysGone { rare.gone = gone(after: true, at: now.wall) }
        next.rareOrEmpty = rare
        let delay = Backoff.delay(after: failure, count: next.failures, every: policy.backoffInterval)
        var due = DueTime(at: now.wall + spread(delay), rule: failure.asksForPause ? .retryAfter : .backoff)
        // The gate's end is for all feeds of the origin alike; each comes its own while after it.
        if let gate = gate(after: failure, at: now.wall), gate > due.at {
            let late = min(spread(gate - now.wall), Backoff.longestRetryAfter * 1.1)
            due = DueTime(at: now.wall + late, rule: failure.asksForPause ? .retryAfter : .originGate)
        }
        set(due, in: &next)
        if failure.saysGone { holdGone(&next, at: now.wall) }
        return next
    }

    /// The progress after a stop of the daemon in mid-flight: still due, and nothing learnt.
    package func abandoned(at now: Moment) -> FeedProgress {
        var next = progress
        next.lastDone = now.wall
        if policy.isScheduled {
            next.due = start.wall
            next.dueRule = .interrupted
        } else {
            next.due = nil
        }
        return next
    }

    // MARK: - Pieces

    /// Until when nobody is to ask again.
    private func gate(after failure: RefreshFailure, at now: Timestamp) -> Timestamp? {
        if failure.isSettled { return failure.retryAfter.map { now + min($0, Backoff.longestRetryAfter) } }
        var origin = origin
        return origin.failed(failure, at: now)
    }

    private func spread(_ duration: Duration) -> Duration {
        duration + duration * (chance * policy.schedule.jitter)
    }

    private func set(_ due: DueTime?, in progress: inout FeedProgress) {
        progress.due = due?.at
        progress.dueRule = due?.rule ?? .onDemand
    }

    private func note(_ report: PassReport, in next: inout FeedProgress) {
        next.validators = report.validators
        if next.tagDistrusted != nil, next.validators.lastModified != nil { next.validators.etag = nil }
        next.validatorScope = report.scope
        if let hash = report.bodyHash { next.bodyHash = hash }
        if report.isFull { next.lastFull = start.wall }
        // A 304 replaces the hint only where it carries one; a 200 that says nothing takes it back.
        if report.freshness != .silent || report.isFull { next.httpHint = report.freshness }
        if report.staleRules != nil || report.freshness != .silent || report.isFull {
            // Nobody else asks for them, and few feeds have them.
            next.staleRules = policy.upstreamHeaders == .follow ? report.staleRules : nil
        }
    }

    /// V8: a full answer with the body that we have, to a request that carried the tag of that very answer.
    private func tagDistrusted(_ report: PassReport) -> Timestamp? {
        guard conditional, report.isFull, report.isUnchanged, let sent = progress.validators.etag,
            let given = report.validators.etag
        else { return progress.tagDistrusted }
        return EntityTagLikeness.isSame(sent, given) ? start.wall : progress.tagDistrusted
    }

    private func gone(after saysGone: Bool, at now: Timestamp) -> GoneMark? {
        guard saysGone else { return nil }
        guard var mark = progress.gone else { return GoneMark(since: now) }
        mark.confirm(at: now, scheduled: cause == .schedule)
        return mark
    }

    /// What is gone is looked at each week, four times; before it is believed, as after any refusal.
    private func holdGone(_ next: inout FeedProgress, at now: Timestamp) {
        guard policy.isScheduled, let mark = next.gone else { return }
        if mark.isOver {
            next.due = nil
            next.dueRule = .gone
        } else if mark.isBelieved {
            set(DueTime(at: now + spread(GoneMark.pause), rule: .gone), in: &next)
        } else if let due = next.due {
            set(DueTime(at: max(due, now + spread(.seconds(3_600))), rule: .gone), in: &next)
        }
    }
}

/// Whether two entity tags are one tag that something on the way has marked (refresh policy V8).
enum EntityTagLikeness {
    static func isSame(_ left: String, _ right: String) -> Bool { core(left) == core(right) }

    /// Without `W/`, quotes and the suffix of a coding, as Apache's mod_deflate and mod_brotli append them.
    private static func core(_ tag: String) -> [UInt8] {
        var bytes = Array(tag.utf8)[...]
        if bytes.starts(with: "W/".utf8) { bytes = bytes.dropFirst(2) }
        if bytes.first == 0x22 { bytes = bytes.dropFirst() }
        if bytes.last == 0x22 { bytes = bytes.dropLast() }
        for suffix in ["-gzip", ";gzip", "--gzip", "-br", "-df"] where bytes.count > suffix.utf8.count {
            if bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
                return Array(bytes.dropLast(suffix.utf8.count))
            }
        }
        return Array(bytes)
    }
}
