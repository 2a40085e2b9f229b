import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Tombstones") struct TombstoneTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let traces: Int
        let days: Int
        var isLogged = true
        var isListed = false
        let verdict: TombstonePurge.Verdict
        var testDescription: String { name }
    }

    @Test(
        "are purged by age, by number, and never while they are needed",
        arguments: [
            Case(name: "young", traces: 1, days: 29, verdict: .stop),
            Case(name: "old", traces: 1, days: 31, verdict: .purge),
            Case(name: "old but still listed", traces: 1, days: 31, isListed: true, verdict: .keep),
            Case(name: "too many, old enough", traces: 10_001, days: 8, verdict: .purge),
            Case(name: "too many, too young", traces: 10_001, days: 6, verdict: .keep),
            Case(name: "too many, never shown", traces: 10_001, days: 0, isLogged: false, verdict: .purge),
            Case(name: "as many as may be", traces: 10_000, days: 8, verdict: .stop),
            Case(name: "from the future", traces: 1, days: -3, verdict: .stop),
        ])
    func rules(_ item: Case) {
        let now = Timestamp(seconds: 1_767_225_600)
        var rule = TombstonePurge(traces: item.traces, listed: 1, now: now)
        let verdict = rule.verdict(
            deadSince: now + .seconds(-86_400 * item.days), isLogged: item.isLogged, isListed: item.isListed)
        #expect(verdict == item.verdict)
    }

    @Test("a listing of many more than are kept may have as many traces") func longListing() {
        let now = Timestamp(seconds: 1_767_225_600)
        var rule = TombstonePurge(traces: 50_000, listed: 50_000, now: now)
        #expect(rule.verdict(deadSince: now, isLogged: false, isListed: false) == .stop)
    }

    @Test("raise the floor when they are purged, and a key that comes again later is new") func floor() throws
    {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        try bench.pass([Sample("b")])
        #expect(try bench.head().map { [$0.seq, $0.floor] } == [3, 0])
        bench.now = bench.now + .seconds(86_400 * 31)
        try bench.pass([Sample("b"), Sample("c")])
        #expect(try bench.head().map { [$0.seq, $0.floor] } == [4, 3])
        #expect(try bench.log() == ["2 b=1", "4 c=1"])
        try bench.pass([Sample("a"), Sample("b"), Sample("c")])
        #expect(try bench.log(since: 4) == ["5 a=1"])
    }

    @Test("of what retention keeps out stay while it is listed, for years") func listed() throws {
        let bench = try Bench()
        let records = (1...20).map { Sample("k\($0)") }
        try bench.pass(records, keep: 5)
        for _ in 1...3 {
            bench.now = bench.now + .seconds(86_400 * 400)
            #expect(try bench.pass(records, keep: 5).counts.isEmpty)
        }
        bench.now = bench.now + .seconds(86_400 * 31)
        try bench.pass(Array(records.suffix(5)), keep: 5)
        // Nobody had ever seen them, so nobody's key is too old now.
        #expect(try bench.head()?.floor == 0)
        #expect(try bench.pass(records, keep: 5).counts.added > 0)
    }
}
