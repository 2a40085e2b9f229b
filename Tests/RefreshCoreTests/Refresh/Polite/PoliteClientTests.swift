import RefreshCore
import Testing

/// What people who run servers measure readers by (refresh policy 1): validators echoed exactly; at most one
/// unconditional request a day; conditional ones no closer than an hour, restarts included; max-age, Retry-After and
/// skipHours honoured; no second request at the start; validators taken although the body is the same.
@Suite("A polite client") struct PoliteClientTests {
    @Test("loses no point in 30 days with 200 feeds, through restarts and crashes")
    func losesNoPoint() throws {
        var operators: [Operator] = []
        var random = Randomness(seed: 5)
        let manners = Operator.Manner.allCases
        for number in 0..<200 {
            // Every third feed shares one of four hosts with others.
            let host = number % 3 == 0 ? "shared-\(number % 4).example" : "host-\(number).example"
            let gap = [1_800.0, 21_600, 86_400, 604_800, 2_592_000][number % 5]
            let manner = manners[number % manners.count]
            let isHostile = manner == .limited || manner == .deadConnections || manner == .retryAfterDate
            operators.append(
                Operator(
                    manner,
                    url: try WebURL(
                        parsing: "https://\(isHostile ? "host-\(number).example" : host)/\(number)"),
                    gap: gap, start: Samples.start.wall, seed: random.next()))
        }
        var daemon = PoliteDaemon(operators: operators, seed: 6)
        for day in 1...30 {
            // A stop in the middle of whatever is under way, at another hour each time.
            daemon.run(until: Samples.start + .seconds(day * 86_400 - day * 1_111))
            if day % 4 == 0 { daemon.start() }
            daemon.run(until: Samples.start + .seconds(day * 86_400))
        }
        let complaints = daemon.operators.flatMap(\.complaints)
        let judged = daemon.operators.map(\.judged).reduce(0, +)
        let requests = daemon.operators.map(\.requests).reduce(0, +)
        let notModified = daemon.operators.map(\.notModified).reduce(0, +)
        print(
            "polite client: \(judged - complaints.count) of \(judged) points, \(requests) requests, "
                + "\(notModified) answered 304, \(daemon.wishes) readers, \(operators.count) feeds, 30 days")
        #expect(complaints == [], "\(complaints.prefix(20))")
        #expect(daemon.operators.allSatisfy { $0.requests > 1 })
        for times in daemon.starts.values {
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) })
        }
    }
}
