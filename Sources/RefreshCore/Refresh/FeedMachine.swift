/// One feed's life: when it is due, whether it flies, what a wish for a refresh is answered.
///
/// It waits for nothing and knows no clock: every event brings its time, every answer says what to do.
package struct FeedMachine: Sendable {
    private enum Phase: Equatable {
        case idle
        /// Waits at the gate for its turn.
        case queued(FetchOrder.Cause, RefreshMode)
        case flying
        case stopped
    }

    /// What a wish for a refresh comes to.
    package enum Reply: Sendable, Equatable {
        /// The answer is known without a request.
        case answer(RefreshOutcome)
        /// Wait for the refresh that is under way or has its place in the queue.
        case join
        /// Put the feed into the queue, ahead of the scheduled ones, and wait.
        case enqueue
        /// It waits for its scheduled turn: move it up, and wait.
        case promote
    }

    package internal(set) var policy: Shared<FetchPolicy>
    package internal(set) var enabled: Bool
    package internal(set) var isPaused = false
    /// Shared with the feed's status.
    @usableFromInline var held: Shared<FeedProgress>
    package internal(set) var store: StoredCounts
    /// When a timer has to call `tick`; nil while there is nothing to wait for.
    package internal(set) var due: BootTime?
    /// The same for people. What is stored may have passed while the daemon was away.
    package internal(set) var nextDue: Timestamp?
    package internal(set) var rule: DueRule
    private var phase = Phase.idle
    /// What the flight under way brings back is of before it was cleared, and does not count.
    private var isCleared = false

    /// The least time between two forced refreshes of a list; sooner ones are done as `now` (policy 2.4).
    package static let forcedGap: Duration = .seconds(600)
    /// How long an on-demand feed counts as fresh.
    package static let onDemandFresh: Duration = .seconds(300)
    /// A daemon that dies in flight again and again leaves a feed alone for at most 2^10 minutes.
    private static let mostCrashes = 10

    /// A feed as the store knew it.
    ///
    /// - Parameter spread: how long after the start an overdue feed begins, and how far ahead one is put whose due
    ///   time no rule can have set.
    package init(
        policy: Shared<FetchPolicy>, enabled: Bool, progress: FeedProgress, store: StoredCounts,
        at now: Moment, spread: Duration
    ) {
        self.policy = policy
        self.enabled = enabled
        var progress = progress
        progress.clamp(to: now.wall)
        held = Shared(progress)
        self.store = store
        rule = .first
        learn()
        let wait = firstWait(at: now, spread: spread)
        wake(in: wait, at: now)
    }

    package internal(set) var progress: FeedProgress {
        @inlinable get { held.value }
        set { held = Shared(newValue) }
    }
    package var isFlying: Bool { phase == .flying }
    package var isIdle: Bool { phase == .idle }
    package var isQueued: Bool { if case .queued = phase { true } else { false } }
    package var schedule: Schedule { policy.schedule }

    var isOver: Bool { progress.gone?.isOver ?? false }
    var mayTick: Bool { enabled && !isPaused && !isOver && policy.value.isScheduled }

    // MARK: - Events

    /// Time has come; true where the feed is due and has to be queued.
    package mutating func tick(at now: Moment) -> Bool {
        guard phase == .idle, let due, due <= now.boot else { return false }
        phase = .queued(.schedule, .now)
        self.due = nil
        return true
    }

    /// Somebody wants a refresh.
    package mutating func wish(_ wish: RefreshWish, at now: Moment) -> Reply {
        switch phase {
        case .stopped: return .answer(.refused(reason: "the daemon stops"))
        case .flying: return .join
        case .queued(let cause, let earlier):
            // What waits for its turn anyhow needs no second look; only a real demand moves it up.
            if wish.isBackground { return .join }
            phase = .queued(.wish, wish.mode == .force ? .force : earlier)
            return cause == .schedule ? .promote : .join
        case .idle: break
        }
        if let outcome = refusal(wish, at: now) { return .answer(outcome) }
        phase = .queued(.wish, wish.mode)
        due = nil
        return .enqueue
    }

    /// The gate lets the queued feed start; nil where it is not queued any more.
    package mutating func take(
        at now: Moment, url: WebURL? = nil, origin: OriginProgress = OriginProgress(), chance: Double
    ) -> FetchOrder? {
        guard case .queued(let cause, let mode) = phase else { return nil }
        phase = .flying
        let gap = progress.lastForced.map { now.wall - $0 }
        let forced = mode == .force && gap.map { $0 >= FeedMachine.forcedGap || $0 < .zero } ?? true
        let order = FetchOrder(
            cause: cause, start: now, forced: forced, progress: progress, policy: policy, url: url,
            origin: origin, chance: chance)
        progress = order.progress
        return order
    }

    /// The flight has ended and left `progress` behind.
    ///
    /// - Parameter offline: its failure is the host's own: it does not count, and the feed is due again at once.
    package mutating func landed(
        _ progress: FeedProgress, store: StoredCounts?, at now: Moment, offline: Bool = false
    ) {
        guard phase == .flying else { return }
        phase = .idle
        if isCleared {
            isCleared = false
            rule = self.progress.dueRule
            return wake(in: self.progress.due.map { max($0 - now.wall, .zero) }, at: now)
        }
        self.progress = progress
        if let store { self.store = store }
        learn()
        if offline { forgive() }
        rule = offline ? .offline : progress.dueRule
        wake(in: self.progress.due.map { max($0 - now.wall, .zero) }, at: now)
    }

    /// A failure of a moment ago was the host's own: it does not count, and the feed is due again.
    package mutating func forgive(at now: Moment) {
        guard phase == .idle, progress.failures > 0 else { return }
        forgive()
        rule = .offline
        wake(in: .zero, at: now)
    }

    /// Takes a feed that only its schedule queued out of the queue again; false where somebody wished for it.
    mutating func unqueue() -> Bool {
        guard case .queued(.schedule, _) = phase else { return false }
        phase = .idle
        return true
    }

    /// What was stored of the feed was cleared; a flight that began before has nothing to say any more.
    package mutating func cleared(_ progress: FeedProgress, store: StoredCounts, at now: Moment) {
        self.progress = progress
        self.store = store
        switch phase {
        case .flying: isCleared = true
        case .idle:
            rule = progress.dueRule
            wake(
                in: progress.lastAttempt == nil ? .zero : progress.due.map { max($0 - now.wall, .zero) },
                at: now)
        case .queued, .stopped: break
        }
    }

    /// The daemon stops: nothing starts any more.
    package mutating func stop() {
        phase = .stopped
        due = nil
    }

    // MARK: - Pieces

    private mutating func forgive() {
        var next = progress
        next.failures = max(next.failures - 1, 0)
        next.due = next.lastAttempt
        next.dueRule = .offline
        progress = next
    }

    /// Whether the last pass brought something is known once it is stored; this notes it, once.
    private mutating func learn() {
        guard let change = progress.lastChange else { return }
        var next = progress
        next.rhythm.learn(changeAt: change)
        if next.rhythm != progress.rhythm { progress = next }
    }

    /// Sets the timer; never where nothing may start by itself.
    mutating func wake(in wait: Duration?, at now: Moment) {
        let wait = mayTick ? wait : nil
        due = wait.map { now.boot + $0 }
        nextDue = wait.map { now.wall + $0 }
        if !enabled {
            rule = .disabled
        } else if isPaused {
            rule = .paused
        } else if isOver {
            rule = .gone
        } else if !policy.value.isScheduled {
            rule = .onDemand
        }
    }

    private func crashed() -> Bool {
        guard let attempt = progress.lastAttempt else { return false }
        return progress.lastDone.map { $0 < attempt } ?? true
    }

    /// How long an idle feed waits at the start of the daemon.
    private mutating func firstWait(at now: Moment, spread: Duration) -> Duration? {
        guard let attempt = progress.lastAttempt else { return .zero }
        guard let due = progress.due else {
            rule = .overdue
            guard let cron = schedule.cron else { return spread }
            rule = .cron
            return cron.cron.next(after: now.wall, in: cron.zone).map { $0 - now.wall }
        }
        let crashed = crashed()
        if crashed { progress.crashes = min(progress.crashes + 1, FeedMachine.mostCrashes) }
        let wait = due - now.wall
        if wait > .zero, !crashed {
            rule = progress.dueRule
            return isBelievable(wait) ? wait : pulledIn(spread)
        }
        rule = .overdue
        guard crashed else { return spread }
        // It died in flight: whatever killed it must not do so in a loop.
        let pause = min(
            policy.value.backoffInterval,
            Backoff.doubled(.seconds(60), times: progress.crashes - 1))
        return max(spread, attempt + pause - now.wall)
    }

    /// No rule sets a due time further ahead: the clock went back, or the file changed.
    private func isBelievable(_ wait: Duration) -> Bool {
        switch progress.dueRule {
        case .cron, .skipWindow: true
        case _ where progress.failures > 0 || progress.gone != nil:
            wait <= Backoff.longestRetryAfter * 1.1 || wait <= policy.value.backoffInterval * 1.1
        default: policy.value.longestWait(progress).map { wait <= $0 } ?? true
        }
    }

    private mutating func pulledIn(_ spread: Duration) -> Duration {
        rule = .clock
        return min(spread, schedule.every ?? spread)
    }
}
