import RefreshCore
import Testing

@Suite("Watchdog") struct WatchdogTests {
    private typealias Part = Watchdog.Part
    private let all = Part.allCases

    private func at(_ seconds: Int) -> BootTime { BootTime(.seconds(1_000 + seconds)) }

    @Test("pings only when every part has answered since the last ping")
    func pingsAfterAll() {
        var watchdog = Watchdog(limit: .seconds(90))
        #expect(watchdog.interval == .seconds(15))
        #expect(watchdog.turn(answered: [], at: at(0)) == .init(ask: all))
        #expect(watchdog.turn(answered: [.store], at: at(15)) == .init())
        #expect(watchdog.turn(answered: [.api], at: at(30)) == .init())
        #expect(watchdog.turn(answered: [.scheduler], at: at(45)) == .init(ping: true, ask: all))
        // Old answers count once.
        #expect(watchdog.turn(answered: [], at: at(59)) == .init())
    }

    @Test("never pings while one part is silent, and names it once", arguments: Watchdog.Part.allCases)
    func namesTheSilent(silent: Watchdog.Part) {
        var watchdog = Watchdog(limit: .seconds(90))
        let others = Set(all).subtracting([silent])
        _ = watchdog.turn(answered: [], at: at(0))
        var named: [Int] = []
        for turn in 1...20 {
            let result = watchdog.turn(answered: others, at: at(15 * turn))
            #expect(!result.ping && result.ask.isEmpty)
            #expect(result.late.isEmpty || result.late == [silent])
            if !result.late.isEmpty { named.append(15 * turn) }
        }
        #expect(named == [45])
        #expect(watchdog.turn(answered: [silent], at: at(400)) == .init(ping: true, ask: all))
    }

    @Test(
        "a stall shorter than the limit leaves no gap between pings as long as the limit",
        arguments: [0, 10, 30, 45, 60])
    func survivesStalls(stall: Int) {
        var watchdog = Watchdog(limit: .seconds(90))
        var pings = [0]
        // From second 100 on the store answers nothing for `stall` seconds.
        var askedAt = 0
        for second in stride(from: 0, through: 400, by: 15) {
            let isStalled = (100..<(100 + stall)).contains(askedAt) || (100..<(100 + stall)).contains(second)
            let answered: Set<Watchdog.Part> =
                second == 0 ? [] : isStalled ? [.scheduler, .api] : Set(all)
            let turn = watchdog.turn(answered: answered, at: at(second))
            if turn.ping { pings.append(second) }
            if !turn.ask.isEmpty { askedAt = second }
        }
        let longest = zip(pings, pings.dropFirst()).map { $1 - $0 }.max() ?? .max
        #expect(longest < 90)
        #expect(pings.count > 15)
    }
}
