import RefreshCore
import Testing

@Suite("Log limit") struct LogLimitTests {
    private let here = LogLimit.Site(file: "RefreshEngine/Engine.swift", line: 7)
    private let there = LogLimit.Site(file: "RefreshEngine/Engine.swift", line: 8)

    private func at(_ seconds: Int) -> BootTime { BootTime(.seconds(seconds)) }

    @Test("holds back what one place logs beyond its burst, and no other place's")
    func holdsBack() {
        var limit = LogLimit(burst: 3, interval: .seconds(10))
        let admitted = (0..<5).map { limit.admits(.info, of: here, at: at($0)) }
        #expect(admitted == [true, true, true, false, false])
        let other = limit.admits(.info, of: there, at: at(5))
        #expect(other)
        #expect(limit.due == at(10))
    }

    @Test("says once how many were held back, as urgently as the most urgent of them")
    func saysHowMany() {
        var limit = LogLimit(burst: 1, interval: .seconds(10))
        for level in [LogLevel.info, .info, .warning, .debug] { _ = limit.admits(level, of: here, at: at(1)) }
        #expect(limit.over(at: at(10)) == [])
        #expect(limit.over(at: at(11)) == [.init(site: here, count: 3, level: .warning)])
        #expect(limit.over(at: at(12)) == [])
        #expect(limit.due == nil)
        let again = limit.admits(.info, of: here, at: at(12))
        #expect(again)
    }

    @Test("loses no record: each is written or counted", arguments: [1, 3, 100])
    func countsAll(burst: Int) {
        var limit = LogLimit(burst: burst, interval: .seconds(7))
        var written = 0
        var counted = 0
        for second in 0..<1_000 {
            counted += limit.over(at: at(second)).map(\.count).reduce(0, +)
            for site in [here, there] where limit.admits(.info, of: site, at: at(second)) { written += 1 }
        }
        counted += limit.rest().map(\.count).reduce(0, +)
        #expect(written + counted == 2_000)
        #expect(written <= 2 * burst * (1_000 / 7 + 1))
    }

    @Test("the line names number, time and place")
    func text() {
        let held = LogLimit.Held(site: here, count: 900, level: .warning)
        #expect(
            held.text(interval: .seconds(30))
                == "900 more records like these held back within 30s (RefreshEngine/Engine.swift:7)")
    }
}
