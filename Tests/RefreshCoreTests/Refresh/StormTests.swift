import RefreshCore
import Testing

/// Ten thousand feeds due at once at two hundred hosts, some of which are slow or say nothing: the machines, the gate
/// and what is known of origins over virtual time, as the engine puts them together.
private struct Storm {
    enum Host: CaseIterable { case fast, slow, refusing, silent }

    struct Tally {
        var requests = 0
        var busy = 0
        var mostBusy = 0
        var lastLanding: Duration = .zero
        var landed = 0
    }

    private struct Flight {
        let feed: Int
        let order: FetchOrder
        let ends: BootTime
        let ticket: Gate.Ticket
    }

    private static let begin = Samples.start
    private let hosts: [Host]
    private let origins: [Origin]
    private let feedsPerHost: Int
    private var now = Storm.begin
    private var machines: [FeedMachine] = []
    private let names: [FeedID]
    private let places: [FeedID: Int]
    private var known: [Origin: OriginProgress] = [:]
    private var gate: Gate
    /// By their ends; each host answers in the order of asking, so that few have to be moved.
    private var flights: [Flight] = []
    private(set) var tallies: [Tally]
    private(set) var mostFlights = 0

    init(hosts: [Host], feedsPerHost: Int, concurrency: Int) {
        self.hosts = hosts
        self.feedsPerHost = feedsPerHost
        origins = hosts.indices.map { Origin(scheme: .http, host: "h\($0).example", port: 80) }
        gate = Gate(concurrency: concurrency, perOrigin: 2, originGap: .zero)
        tallies = Array(repeating: Tally(), count: hosts.count)
        names = (0..<hosts.count * feedsPerHost).map { Samples.feed("f\($0)") }
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(3_600))))
        machines = names.map { _ in
            FeedMachine(
                policy: policy, enabled: true, progress: FeedProgress(), store: Samples.counts, at: now,
                spread: .zero)
        }
    }

    private func host(of feed: Int) -> Int { feed % hosts.count }

    /// How long a request takes and how it ends.
    private func answer(_ host: Host) -> (Duration, RefreshFailure?) {
        switch host {
        case .fast: (.milliseconds(10), nil)
        case .slow: (.seconds(2), nil)
        case .refusing:
            (
                .milliseconds(1),
                RefreshFailure(.transient, code: "connection-refused", detail: "refused")
            )
        case .silent: (.seconds(20), RefreshFailure(.transient, code: "stalled", detail: "stalled"))
        }
    }

    /// Lets a minute pass.
    mutating func run() {
        for feed in machines.indices where machines[feed].tick(at: now) {
            gate.enqueue(
                Gate.Ticket(feed: names[feed], origin: origins[host(of: feed)]), urgent: false)
        }
        let end = now + .seconds(59)
        while true {
            launch()
            var next = end.boot
            if let first = flights.first { next = min(next, first.ends) }
            if let wake = gate.wakeAt(after: now.boot) { next = min(next, wake) }
            now = now + max(next - now.boot, .zero)
            if now.boot >= end.boot { return }
            while let first = flights.first, first.ends <= now.boot {
                flights.removeFirst()
                land(first)
                launch()
            }
        }
    }

    private mutating func launch() {
        while let start = gate.next(at: now.boot) {
            guard let feed = places[start.ticket.feed] else { continue }
            let place = host(of: feed)
            let order = machines[feed].take(
                at: now, origin: known[start.ticket.origin] ?? OriginProgress(), chance: 0)
            guard let order else {
                gate.ended(start.ticket, at: now.boot)
                continue
            }
            tallies[place].requests += 1
            tallies[place].busy += 1
            tallies[place].mostBusy = max(tallies[place].mostBusy, tallies[place].busy)
            let flight = Flight(
                feed: feed, order: order, ends: now.boot + answer(hosts[place]).0, ticket: start.ticket)
            let position = flights.lastIndex { $0.ends <= flight.ends }.map { $0 + 1 } ?? 0
            flights.insert(flight, at: position)
            mostFlights = max(mostFlights, flights.count)
        }
    }

    private mutating func land(_ flight: Flight) {
        let place = host(of: flight.feed)
        tallies[place].busy -= 1
        tallies[place].landed += 1
        tallies[place].lastLanding = now.boot - Storm.begin.boot
        gate.ended(flight.ticket, at: now.boot)
        var origin = known[flight.ticket.origin] ?? OriginProgress()
        let progress: FeedProgress
        if let failure = answer(hosts[place]).1 {
            progress = flight.order.failed(failure, at: now)
            if let until = origin.failed(failure, at: now.wall) {
                gate.hold(flight.ticket.origin, until: now.boot + (until - now.wall))
            }
        } else {
            progress = flight.order.succeeded(PassReport(), at: now)
            origin.succeeded()
        }
        known[flight.ticket.origin] = origin
        machines[flight.feed].landed(progress, store: nil, at: now)
    }

    func tallies(_ kind: Host) -> [Tally] {
        zip(hosts, tallies).filter { $0.0 == kind }.map { $0.1 }
    }
}

@Suite("Ten thousand feeds due at once", .timeLimit(.minutes(1))) struct StormTests {
    @Test("cost no host more than its two requests at a time, and no fast one waits for a slow one")
    func storm() {
        var hosts: [Storm.Host] = Array(repeating: .fast, count: 150)
        // Among the others, as chance would have it.
        for place in 0..<40 { hosts.insert(.slow, at: place * 4) }
        for place in 0..<5 { hosts.insert(.refusing, at: place * 30) }
        for place in 0..<5 { hosts.insert(.silent, at: place * 31 + 7) }
        var storm = Storm(hosts: hosts, feedsPerHost: 50, concurrency: 400)
        storm.run()
        let last = { (kind: Storm.Host) in storm.tallies(kind).map(\.lastLanding).max() ?? .zero }
        print(
            "storm: last fast feed after \(last(.fast)), last slow one after \(last(.slow)); "
                + "most at a host \(storm.tallies.map(\.mostBusy).max() ?? 0), "
                + "to a silent host \(storm.tallies(.silent).map(\.requests)), "
                + "to a refusing host \(storm.tallies(.refusing).map(\.requests)), "
                + "\(storm.mostFlights) flights at a time")
        for kind in [Storm.Host.fast, .slow] {
            #expect(storm.tallies(kind).allSatisfy { $0.landed == 50 })
        }
        #expect(storm.tallies.allSatisfy { $0.mostBusy <= 2 })
        #expect(last(.fast) <= .seconds(2))
        // Fifty feeds, two at a time, two seconds each, are fifty seconds at the best.
        #expect(last(.slow) >= .seconds(50) && last(.slow) <= .milliseconds(52_500))
        #expect(storm.tallies(.silent).allSatisfy { (1...4).contains($0.requests) })
        #expect(storm.tallies(.refusing).allSatisfy { (1...4).contains($0.requests) })
    }

    @Test("with few flights at a time still come to all hosts in turn")
    func fewFlights() {
        var hosts: [Storm.Host] = Array(repeating: .fast, count: 20)
        hosts += [.slow, .silent]
        var storm = Storm(hosts: hosts, feedsPerHost: 5, concurrency: 6)
        storm.run()
        #expect(storm.mostFlights <= 6)
        #expect(storm.tallies(.fast).allSatisfy { $0.landed == 5 && $0.lastLanding < .seconds(1) })
    }
}
