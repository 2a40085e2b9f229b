import RefreshAdapters
import RefreshCore
import RefreshStore
import RefreshTransfer

/// Everything that has a time: the machines of all feeds, their due times, the gate, and the flights.
///
/// It decides nothing itself: machines and gate say what to do, and it does so. An idle feed is a struct in a
/// dictionary; a task exists only while something flies.
package actor Engine: RefreshControl, OriginTurns {
    /// What is held of a feed: an object of the engine's own, since a table of values this large, half of it empty,
    /// would take more than its feeds.
    final class Entry {
        var feed: Feed
        var machine: FeedMachine
        /// What exists only while somebody waits for the feed or it flies.
        var activity: Activity?
        /// Of a feed that keeps them, between its flights.
        var cookies: CookieJar?
        /// Something of it is being forgotten: it must not start.
        var isHeld = false
        /// It had its turn meanwhile.
        var isHeldBack = false
        /// The pass that the last flight left half read: what it has met is still in memory.
        var openPass: OpenPass?

        init(feed: Feed, machine: FeedMachine) {
            self.feed = feed
            self.machine = machine
        }

        /// Makes one where there is none.
        func active(_ ticket: @autoclosure () -> Gate.Ticket) -> Activity {
            if let activity { return activity }
            let made = Activity(ticket: ticket())
            activity = made
            return made
        }
    }

    final class Activity {
        /// With which it stands at the gate.
        let ticket: Gate.Ticket
        /// Callers who wait for the refresh.
        var waiters: [CheckedContinuation<RefreshOutcome?, Never>] = []
        /// Whether the refresh is told to believe a drop.
        var acceptDrop = false
        /// The flight under way, to be cancelled when the host has slept.
        var flight: Task<Flight.Landing, Never>?
        /// Lanes of the flight that have a turn at its origin.
        var holding: Set<Int> = [0]
        /// Lanes without a turn, but with what their request draws on: they ask for a token meanwhile.
        var keeping: Set<Int> = []
        /// Lanes that have given theirs back and wait for the next one, or for the end of a pause before that.
        var pages: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Those of them that stand at the gate, in their order, and with what.
        var waiting: [(lane: Int, ticket: Gate.Ticket)] = []
        /// Why it was cancelled, where it was.
        var cut: Cut?
        /// What it brings does not count: the feed was purged or reset meanwhile.
        var isCleared = false
        /// The feed was taken out of the file meanwhile.
        var isOrphan = false

        init(ticket: Gate.Ticket) { self.ticket = ticket }

        /// No lane will have another turn.
        func sendLanesHome() {
            let pages = self.pages.values
            self.pages = [:]
            waiting = []
            for page in pages { page.resume(returning: false) }
        }
    }

    enum Cut {
        /// The host has slept.
        case slept
        /// The file asks for something else by now.
        case outdated
    }

    /// The one task that sleeps until something is due.
    struct Alarm {
        let at: BootTime
        let number: UInt64
        let task: Task<Void, Never>
    }

    let store: Store
    let credentials: CredentialService
    let time: any TimeSource
    let board: StatusBoard
    let log: Log
    let counters: Counters
    let history: HistoryBoard
    let parents: any ParentSource
    let originMemory: (any OriginMemory)?
    let pauseMemory: (any PauseMemory)?
    var settings: DaemonSettings
    var budgets: [String: Budget] = [:]
    var random: Randomness
    var entries: [FeedID: Entry] = [:]
    /// Since when there are the feeds whose operators expect something of them.
    var known: [FeedID: Timestamp] = [:]
    var heap = DueHeap()
    var gate: Gate
    var origins: [Origin: OriginProgress] = [:]
    /// Origins whose state has changed since it was last kept.
    var changedOrigins: Set<Origin> = []
    var offline = OfflineWatch()
    var storage = StorageWatch()
    /// The write that is tried while nothing can be stored.
    var probing: Task<Void, Never>?
    var clock: ClockCheck
    /// Pages that wait for their own time before they stand at the gate.
    var pausedPages: [(at: BootTime, ticket: Gate.Ticket, lane: Int)] = []
    /// Exchanges of tokens that wait for their turn, by their numbers.
    var exchanges: [UInt64: WaitingExchange] = [:]
    var exchangeNumber: UInt64 = 0
    var policies: [Shared<FetchPolicy>] = []
    var alarm: Alarm?
    var alarms: UInt64 = 0
    var stopping = false
    private let flights: AsyncStream<Flight>
    private let launch: AsyncStream<Flight>.Continuation

    /// - Parameters:
    ///   - credentials: to be closed before `transfer` is stopped; nil makes one that reads the secrets of the
    ///     process's environment and forgets rotated tokens at the end.
    ///   - origins: where the state of origins is kept; nil forgets it at each start.
    ///   - pauses: where pauses of operators are kept, likewise.
    ///   - counters: what it counts.
    ///   - history: where it notes what came of each refresh.
    package init(
        plan: Plan, store: Store, transfer: TransferService, time: any TimeSource, random: Randomness,
        board: StatusBoard, log: Log, parents: any ParentSource,
        credentials: CredentialService? = nil,
        origins: (any OriginMemory)? = nil, pauses: (any PauseMemory)? = nil,
        counters: Counters = Counters(), history: HistoryBoard = HistoryBoard()
    ) async throws(StoreFailure) {
        self.store = store
        self.credentials =
            credentials
            ?? CredentialService(
                transfer: transfer, secrets: Secrets(), reader: JSONTokenReader(), store: ForgottenTokens(),
                time: time)
        self.time = time
        self.random = random
        self.board = board
        self.log = log
        self.counters = counters
        self.history = history
        self.parents = parents
        originMemory = origins
        pauseMemory = pauses
        settings = plan.daemon
        gate = Gate(
            concurrency: plan.daemon.concurrency, perOrigin: plan.daemon.perOrigin,
            originGap: plan.daemon.originGap)
        clock = ClockCheck(time.now(), slept: time.slept())
        (flights, launch) = AsyncStream.makeStream()
        let stored = try await store.load(
            feeds: plan.feeds.map(\.id), shapes: Engine.shapes(plan.feeds))
        let kept = await origins?.origins() ?? [:]
        let paused = await pauses?.paused() ?? []
        remember(kept)
        setBudgets(plan.budgets)
        admit(plan.feeds, stored, paused: paused)
        for broken in plan.broken { board.post(Engine.status(of: broken)) }
        self.credentials.use(self)
        self.credentials.limitBuffers(settings.buffers)
    }

    // MARK: - Life

    /// Runs until `stop`, and returns when the last flight has landed.
    package func run() async {
        arm()
        let (changes, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Only the system's own clock can be set behind our back.
        let watch = time is SystemTime ? ClockWatch { bell.yield() } : nil
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes { await self.clockChanged() }
            }
            for await flight in flights {
                group.addTask {
                    let landing = await self.fly(flight)
                    await self.landed(flight, landing)
                    await self.keepOrigins()
                }
            }
            bell.finish()
        }
        watch?.stop()
        alarm?.task.cancel()
        await alarm?.task.value
        await probing?.value
    }

    /// Nothing starts any more; what waits at the gate goes home. Flights end when the transfer is stopped.
    package func stop() {
        stopping = true
        alarm?.task.cancel()
        gate.clear()
        pausedPages = []
        sendExchangesHome()
        for entry in entries.values {
            // Programs do not end with the transfer.
            if !entry.feed.records.pipe.isEmpty { entry.activity?.flight?.cancel() }
            entry.activity?.sendLanesHome()
            if !entry.machine.isFlying {
                entry.machine.stop()
                answer(entry, .refused(reason: "the daemon stops"))
            }
        }
        launch.finish()
    }

    // MARK: - Wishes

    package func refresh(_ feed: FeedID, mode: RefreshMode, acceptDrop: Bool) async -> RefreshOutcome? {
        var wish = RefreshWish(mode)
        wish.acceptsDrop = acceptDrop
        return await refresh(feed, wish)
    }

    /// Asks for a refresh and returns when it has ended.
    package func refresh(_ feed: FeedID, _ wish: RefreshWish) async -> RefreshOutcome? {
        guard let entry = entries[feed] else { return nil }
        if stopping { return .refused(reason: "the daemon stops") }
        let now = time.now()
        if let failure = storage.failure, !entry.machine.isFlying { return .failed(failure) }
        if let wait = held(entry, by: wish, at: now) { return .limited(retryIn: wait) }
        let reply = entry.machine.wish(wish, at: now)
        if case .answer(let outcome) = reply { return outcome }
        let activity = entry.active(ticket(of: entry, at: now))
        switch reply {
        case .enqueue: gate.enqueue(activity.ticket, urgent: true)
        case .promote: gate.promote(activity.ticket)
        case .join, .answer: break
        }
        if wish.overridesGate {
            gate.letThrough(activity.ticket)
            log(.notice, "feed \(feed): asked past its gate, by control")
        }
        if wish.acceptsDrop { activity.acceptDrop = true }
        return await withCheckedContinuation { continuation in
            activity.waiters.append(continuation)
            post(entry)
            startWhatMay(at: now)
            arm()
        }
    }

    /// Puts the flight into the hands of `run`.
    func send(_ flight: Flight) { launch.yield(flight) }
}
