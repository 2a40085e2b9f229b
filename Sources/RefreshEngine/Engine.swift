import RefreshAdapters
import RefreshCore
import RefreshStore
import RefreshTransfer

/// Everything that has a time: the machines of all feeds, their due times, the gate, and the flights.
///
/// It decides nothing itself: machines and gate say what to do, and it does so. An idle feed is a struct in a
/// dictionary; a task exists only while something flies.
package actor Engine: RefreshControl {
    /// What is held of a feed: an object of the engine's own, since a table of values this large, half of it empty,
    /// would take more than its feeds.
    private final class Entry {
        let feed: Feed
        var machine: FeedMachine
        /// Callers who wait for the refresh under way.
        var waiters: [CheckedContinuation<RefreshOutcome?, Never>] = []
        /// Whether the refresh under way was told to believe a drop.
        var acceptDrop = false

        init(feed: Feed, machine: FeedMachine) {
            self.feed = feed
            self.machine = machine
        }
    }

    /// The one task that sleeps until the earliest due time.
    private struct Alarm {
        let at: BootTime
        let number: UInt64
        let task: Task<Void, Never>
    }

    private let store: Store
    private let transfer: TransferService
    private let time: any TimeSource
    private let board: StatusBoard
    private let log: Log
    private let userAgent: String
    private let parents: any ParentSource
    private var random: Randomness
    private var entries: [FeedID: Entry] = [:]
    private var heap = DueHeap()
    private var gate: Gate
    private var alarm: Alarm?
    private var alarms: UInt64 = 0
    private var stopping = false
    private let flights: AsyncStream<Flight>
    private let launch: AsyncStream<Flight>.Continuation

    package init(
        plan: Plan, store: Store, transfer: TransferService, time: any TimeSource, random: Randomness,
        board: StatusBoard, log: Log, parents: any ParentSource
    ) async throws(StoreFailure) {
        self.store = store
        self.transfer = transfer
        self.time = time
        self.random = random
        self.board = board
        self.log = log
        self.parents = parents
        userAgent = plan.daemon.userAgent
        gate = Gate(concurrency: plan.daemon.concurrency, perOrigin: plan.daemon.perOrigin)
        (flights, launch) = AsyncStream.makeStream()
        let stored = try await store.load(feeds: plan.feeds.map(\.id))
        admit(plan, stored)
    }

    // MARK: - Life

    /// Runs until `stop`, and returns when the last flight has landed.
    package func run() async {
        arm()
        await withDiscardingTaskGroup { group in
            for await flight in flights {
                group.addTask { await self.landed(flight, await flight.fly()) }
            }
        }
        alarm?.task.cancel()
        await alarm?.task.value
    }

    /// Nothing starts any more; what waits at the gate goes home. Flights end when the transfer is stopped.
    package func stop() {
        stopping = true
        alarm?.task.cancel()
        gate.clear()
        for (id, entry) in entries where !entry.machine.isFlying {
            entry.machine.stop()
            answer(id, .refused(reason: "the daemon stops"))
        }
        launch.finish()
    }

    /// Asks for a refresh and returns when it has ended.
    package func refresh(_ feed: FeedID, mode: RefreshMode, acceptDrop: Bool) async -> RefreshOutcome? {
        guard let origin = entries[feed]?.feed.request.url.origin else { return nil }
        if stopping { return .refused(reason: "the daemon stops") }
        let now = time.now()
        guard let reply = entries[feed]?.machine.wish(mode, at: now) else { return nil }
        switch reply {
        case .answer(let outcome): return outcome
        case .enqueue: gate.enqueue(feed, at: origin, urgent: true)
        case .promote: gate.promote(feed, at: origin)
        case .join: break
        }
        if acceptDrop { entries[feed]?.acceptDrop = true }
        return await withCheckedContinuation { continuation in
            entries[feed]?.waiters.append(continuation)
            startWhatMay(at: now)
        }
    }

    // MARK: - Time

    /// Queues every feed that is due and starts what the gate admits.
    private func tick(_ number: UInt64) {
        // An alarm that was replaced while it woke up has nothing to say any more.
        guard !stopping, alarm?.number == number else { return }
        alarm = nil
        let now = time.now()
        while let first = heap.first, first.at <= now.boot {
            _ = heap.removeFirst()
            guard let origin = entries[first.feed]?.feed.request.url.origin else { continue }
            if entries[first.feed]?.machine.tick(at: now) == true {
                gate.enqueue(first.feed, at: origin, urgent: false)
            }
        }
        startWhatMay(at: now)
        arm()
    }

    /// Sees to it that somebody calls `tick` at the earliest due time.
    private func arm() {
        guard !stopping, let first = heap.first else { return }
        if let alarm {
            if alarm.at <= first.at { return }
            alarm.task.cancel()
        }
        alarms += 1
        let (time, number) = (time, alarms)
        let task = Task {
            do {
                try await time.sleep(until: first.at)
            } catch {
                return
            }
            self.tick(number)
        }
        alarm = Alarm(at: first.at, number: number, task: task)
    }

    private func startWhatMay(at now: Moment) {
        while let feed = gate.next() {
            guard let entry = entries[feed] else { continue }
            guard let order = entry.machine.take(at: now, chance: random.unit()) else {
                gate.ended(at: entry.feed.request.url.origin)
                continue
            }
            let flight = Flight(
                plan: PassPlan(feed: entry.feed, userAgent: userAgent), order: order,
                acceptDrop: entry.acceptDrop, store: store, transfer: transfer,
                turns: FreeTurns(time: time), parents: parents, time: time,
                random: Randomness(seed: random.next()))
            entry.acceptDrop = false
            post(feed)
            launch.yield(flight)
        }
    }

    private func landed(_ flight: Flight, _ landing: Flight.Landing) {
        let id = flight.feed.id
        let now = time.now()
        note(id, landing)
        gate.ended(at: flight.feed.request.url.origin)
        entries[id]?.machine.landed(landing.progress, store: landing.store, at: now)
        if stopping { entries[id]?.machine.stop() }
        schedule(id)
        post(id)
        answer(id, landing.outcome)
        guard !stopping else { return }
        startWhatMay(at: now)
        arm()
    }

    // MARK: - Pieces

    private func admit(_ plan: Plan, _ stored: [FeedID: (FeedProgress, StoredCounts)]) {
        let now = time.now()
        let overdue = stored.values.filter { $0.0.due.map { $0 <= now.wall } ?? false }.count
        for feed in plan.feeds {
            guard let (progress, counts) = stored[feed.id] else { continue }
            let machine = FeedMachine(
                schedule: feed.schedule, enabled: feed.enabled, progress: progress, store: counts, at: now,
                spread: restartSpread(overdue: overdue, every: feed.schedule.every))
            entries[feed.id] = Entry(feed: feed, machine: machine)
            schedule(feed.id)
            post(feed.id)
        }
    }

    private func schedule(_ id: FeedID) {
        guard let due = entries[id]?.machine.due else { return }
        heap.insert(DueHeap.Entry(at: due, feed: id))
        // Wishes leave entries behind that nobody agrees with; they must not pile up until their time.
        guard heap.count > 2 * entries.count + 64 else { return }
        heap = DueHeap()
        for (id, entry) in entries {
            if let due = entry.machine.due { heap.insert(DueHeap.Entry(at: due, feed: id)) }
        }
    }

    /// How long after the start an overdue feed begins: 5 s and its share of a window that grows with their number
    /// (refresh policy 2.5).
    private func restartSpread(overdue: Int, every: Duration?) -> Duration {
        let window = min(.seconds(overdue), min((every ?? .zero) / 4, .seconds(900)))
        return .seconds(5) + window * random.unit()
    }

    private func post(_ id: FeedID) {
        guard let entry = entries[id] else { return }
        board.post(entry.machine.status(of: entry.feed))
    }

    private func answer(_ id: FeedID, _ outcome: RefreshOutcome) {
        guard let waiters = entries[id]?.waiters, !waiters.isEmpty else { return }
        entries[id]?.waiters = []
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private func note(_ id: FeedID, _ landing: Flight.Landing) {
        switch landing.outcome {
        case .failed(let failure):
            log(
                .warning,
                "feed \(id): \(failure.code): \(failure.detail); failure \(landing.progress.failures) in a row"
            )
        case .refreshed(let counts):
            log(
                .info,
                "feed \(id): \(counts.added) added, \(counts.changed) changed, \(counts.removed) removed")
        default: log(.debug, "feed \(id): \(landing.outcome)")
        }
    }
}
