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

    /// Which rule set the due time.
    package enum DueRule: Sendable, Equatable {
        /// Never fetched: as soon as it gets a turn.
        case first
        case every
        case backoff(Int)
        case retryAfter
        /// Due while the daemon was away; spread so that not all start at once.
        case overdue
        case onDemand
        case disabled

        /// As status shows it.
        package var text: String {
            switch self {
            case .first: "first"
            case .every: "every"
            case .backoff(let count): "backoff n=\(count)"
            case .retryAfter: "retry-after"
            case .overdue: "overdue at start"
            case .onDemand: "on demand"
            case .disabled: "disabled"
            }
        }
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

    package let schedule: Schedule
    package let enabled: Bool
    package private(set) var progress: FeedProgress
    package private(set) var store: StoredCounts
    /// When a timer has to call `tick`; nil while there is nothing to wait for.
    package private(set) var due: BootTime?
    /// The same for people. What is stored may have passed while the daemon was away.
    package private(set) var nextDue: Timestamp?
    package private(set) var rule: DueRule
    private var phase = Phase.idle
    /// The last refresh without validators that somebody forced.
    private var lastForced: BootTime?

    /// The least time between two forced refreshes of a list; sooner ones are done as `now` (policy 2.4).
    package static let forcedGap: Duration = .seconds(600)
    /// How long an on-demand feed counts as fresh.
    package static let onDemandFresh: Duration = .seconds(300)

    /// A feed as the store knew it.
    ///
    /// - Parameter spread: how long after the start an overdue feed begins.
    package init(
        schedule: Schedule, enabled: Bool, progress: FeedProgress, store: StoredCounts, at now: Moment,
        spread: Duration
    ) {
        self.schedule = schedule
        self.enabled = enabled
        self.progress = progress
        self.store = store
        (due, rule) = FeedMachine.firstDue(schedule, enabled, progress, at: now, spread: spread)
        nextDue = due.map { now.wall + ($0 - now.boot) }
    }

    package var isFlying: Bool { phase == .flying }

    // MARK: - Events

    /// Time has come; true where the feed is due and has to be queued.
    package mutating func tick(at now: Moment) -> Bool {
        guard phase == .idle, let due, due <= now.boot else { return false }
        phase = .queued(.schedule, .now)
        self.due = nil
        return true
    }

    /// Somebody wants a refresh.
    package mutating func wish(_ mode: RefreshMode, at now: Moment) -> Reply {
        switch phase {
        case .stopped: return .answer(.refused(reason: "the daemon stops"))
        case .flying: return .join
        case .queued(let cause, let earlier):
            phase = .queued(.wish, mode == .force ? .force : earlier)
            return cause == .schedule ? .promote : .join
        case .idle: break
        }
        if !enabled { return .answer(.refused(reason: "the feed is disabled")) }
        if mode == .ifStale {
            if freshness(at: now) == .fresh { return .answer(.fresh) }
            if progress.failures > 0, let due, now.boot < due {
                return .answer(.backoff(retryIn: due - now.boot))
            }
        }
        if let wait = gapLeft(at: now) { return .answer(.tooSoon(retryIn: wait)) }
        phase = .queued(.wish, mode)
        due = nil
        return .enqueue
    }

    /// The gate lets the queued feed start; nil where it is not queued any more.
    package mutating func take(at now: Moment, chance: Double) -> FetchOrder? {
        guard case .queued(let cause, let mode) = phase else { return nil }
        phase = .flying
        let forced = mode == .force && lastForced.map { now.boot - $0 >= FeedMachine.forcedGap } ?? true
        if forced { lastForced = now.boot }
        let order = FetchOrder(
            cause: cause, start: now, conditional: !forced, progress: progress, schedule: schedule,
            chance: chance)
        progress = order.progress
        return order
    }

    /// The flight has ended and left `progress` behind.
    package mutating func landed(_ progress: FeedProgress, store: StoredCounts?, at now: Moment) {
        guard phase == .flying else { return }
        phase = .idle
        self.progress = progress
        if let store { self.store = store }
        due = progress.due.map { now.boot + max($0 - now.wall, .zero) }
        nextDue = due.map { now.wall + ($0 - now.boot) }
        rule = FeedMachine.rule(schedule, progress)
    }

    /// The daemon stops: nothing starts any more.
    package mutating func stop() {
        phase = .stopped
        due = nil
    }

    // MARK: - Pieces

    /// What is left of the least time between two attempts.
    private func gapLeft(at now: Moment) -> Duration? {
        guard let last = progress.lastAttempt else { return nil }
        // An attempt in the future means that the clock went back: it proves nothing.
        let passed = now.wall - last
        return passed >= .zero && passed < schedule.minGap ? schedule.minGap - passed : nil
    }

    private static func rule(_ schedule: Schedule, _ progress: FeedProgress) -> DueRule {
        if schedule.every == nil { return .onDemand }
        guard progress.failures > 0 else { return .every }
        return progress.failure?.failure.retryAfter == nil ? .backoff(progress.failures) : .retryAfter
    }

    private static func firstDue(
        _ schedule: Schedule, _ enabled: Bool, _ progress: FeedProgress, at now: Moment, spread: Duration
    ) -> (BootTime?, DueRule) {
        guard enabled else { return (nil, .disabled) }
        guard let every = schedule.every else { return (nil, .onDemand) }
        guard let attempt = progress.lastAttempt, let due = progress.due else { return (now.boot, .first) }
        // No due time without a failure lies further ahead than an interval: the clock went back, or `every` shrank.
        let latest = progress.failures == 0 ? now.wall + every * (1 + schedule.jitter) : due
        let wait = min(due, latest) - now.wall
        if wait > .zero { return (now.boot + wait, rule(schedule, progress)) }
        var start = spread
        if progress.lastDone.map({ $0 < attempt }) ?? true {
            // It died in flight: whatever killed it must not do so in a loop.
            start = max(start, attempt + min(every, .seconds(60)) - now.wall)
        }
        return (now.boot + start, .overdue)
    }
}
