import RefreshCore

/// The daemon's decisions over virtual time: the machines, the gate and what is known of origins, as they are; only
/// the network is made of answers that come at once from its operators.
struct PoliteDaemon {
    private struct Flight {
        let place: Int
        let order: FetchOrder
        let ends: Moment
        let ticket: Gate.Ticket
    }

    private(set) var operators: [Operator]
    private(set) var now = Samples.start
    /// Starts at each origin, to see the gaps between them.
    private(set) var starts: [Origin: [Timestamp]] = [:]
    private var machines: [FeedMachine] = []
    /// What a store would have kept.
    private var stored: [FeedProgress]
    private var heap = DueHeap()
    private var gate: Gate
    private var origins: [Origin: OriginProgress] = [:]
    private var flights: [Flight] = []
    private var random: Randomness
    private let policy: Shared<FetchPolicy>
    private let names: [FeedID]
    private let places: [FeedID: Int]
    private(set) var wishes = 0

    init(operators: [Operator], seed: UInt64) {
        self.operators = operators
        random = Randomness(seed: seed)
        stored = Array(repeating: FeedProgress(), count: operators.count)
        var schedule = Schedule(every: .seconds(3_600))
        schedule.adaptive = true
        policy = Shared(FetchPolicy(schedule: schedule))
        names = operators.indices.map { Samples.feed("feed-\($0)") }
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        gate = PoliteDaemon.newGate()
        start()
    }

    private static func newGate() -> Gate {
        let settings = DaemonSettings()
        return Gate(
            concurrency: settings.concurrency, perOrigin: settings.perOrigin, originGap: settings.originGap)
    }

    /// Starts from what was stored, as after a stop or a crash.
    mutating func start() {
        flights = []
        heap = DueHeap()
        gate = PoliteDaemon.newGate()
        for (origin, progress) in origins {
            guard let until = progress.gateUntil, until > now.wall else { continue }
            gate.hold(origin, until: now.boot + (until - now.wall))
        }
        let overdue = stored.filter { $0.due.map { $0 <= now.wall } ?? false }.count
        machines = stored.map { progress in
            FeedMachine(
                policy: policy, enabled: true, progress: progress, store: Samples.counts, at: now,
                spread: .seconds(5) + min(.seconds(overdue), .seconds(900)) * random.unit())
        }
        for place in machines.indices { schedule(place) }
    }

    private mutating func schedule(_ place: Int) {
        if let due = machines[place].due { heap.insert(DueHeap.Entry(at: due, feed: names[place])) }
    }

    /// Lets time pass until `end`; now and then a reader looks at a feed.
    mutating func run(until end: Moment) {
        var nextReader = now + .seconds(600)
        while true {
            launch()
            var next = min(end.boot, nextReader.boot)
            if let due = heap.first?.at { next = min(next, due) }
            if let open = gate.wakeAt(after: now.boot) { next = min(next, open) }
            if let landing = flights.map(\.ends.boot).min() { next = min(next, landing) }
            now = now + max(next - now.boot, .zero)
            if now.boot >= end.boot { return }
            land()
            while let first = heap.first, first.at <= now.boot {
                _ = heap.removeFirst()
                guard let place = places[first.feed], machines[place].tick(at: now) else { continue }
                gate.enqueue(ticket(place), urgent: false)
            }
            if now.boot >= nextReader.boot {
                read(Int(random.unit() * Double(machines.count)))
                nextReader = now + .seconds(600)
            }
        }
    }

    /// A `cache_first` read, which must never cost the upstream anything.
    private mutating func read(_ place: Int) {
        wishes += 1
        if machines[place].wish(.background, at: now) == .enqueue {
            gate.enqueue(ticket(place), urgent: true)
        }
    }

    private func ticket(_ place: Int) -> Gate.Ticket {
        let url = machines[place].progress.redirects?.effectiveURL(at: now.wall) ?? operators[place].url
        return Gate.Ticket(feed: names[place], origin: url.origin)
    }

    private mutating func launch() {
        while let start = gate.next(at: now.boot) {
            guard let place = places[start.ticket.feed] else { continue }
            let origin = start.ticket.origin
            let order = machines[place].take(
                at: now, url: operators[place].url, origin: origins[origin] ?? OriginProgress(),
                chance: random.unit())
            guard let order else {
                gate.ended(start.ticket, at: now.boot)
                continue
            }
            stored[place] = order.progress
            starts[origin, default: []].append(now.wall)
            flights.append(
                Flight(
                    place: place, order: order, ends: now + .milliseconds(100 + Int(random.unit() * 3_000)),
                    ticket: start.ticket))
        }
    }

    private mutating func land() {
        for flight in flights where flight.ends.boot <= now.boot { land(flight) }
        flights.removeAll { $0.ends.boot <= now.boot }
    }

    private mutating func land(_ flight: Flight) {
        let sent = flight.order.conditional ? flight.order.progress.validators : Validators()
        let request = Operator.Request(
            at: flight.order.start.wall, etag: sent.etag, lastModified: sent.lastModified,
            url: flight.order.effectiveURL ?? operators[flight.place].url)
        var origin = origins[flight.ticket.origin] ?? OriginProgress()
        var progress: FeedProgress
        switch operators[flight.place].answer(request) {
        case .report(let report, let changed):
            progress = flight.order.succeeded(report, at: now)
            if changed { progress.lastChange = flight.order.start.wall }
            origin.succeeded()
        case .failure(let failure):
            progress = flight.order.failed(failure, at: now)
            if let until = origin.failed(failure, at: now.wall) {
                gate.hold(flight.ticket.origin, until: now.boot + (until - now.wall))
            }
        }
        origins[flight.ticket.origin] = origin
        stored[flight.place] = progress
        gate.ended(flight.ticket, at: now.boot)
        machines[flight.place].landed(flight.order.learnt(progress), store: nil, at: now)
        schedule(flight.place)
    }
}
