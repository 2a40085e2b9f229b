import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Tombstones") struct TombstoneTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let tombstones: Int
        let days: Int
        var bytes = 0
        let verdict: TombstonePurge.Verdict
        var testDescription: String { name }
    }

    @Test(
        "are purged by age, by number, and by bytes whatever their age",
        arguments: [
            Case(name: "young", tombstones: 1, days: 29, verdict: .stop),
            Case(name: "old", tombstones: 1, days: 31, verdict: .purge),
            Case(name: "too many, old enough", tombstones: 10_001, days: 8, verdict: .purge),
            Case(name: "too many, too young", tombstones: 10_001, days: 6, verdict: .stop),
            Case(name: "as many as may be", tombstones: 10_000, days: 8, verdict: .stop),
            Case(name: "from the future", tombstones: 1, days: -3, verdict: .stop),
            Case(name: "too many bytes, young", tombstones: 1, days: 0, bytes: 1_001, verdict: .purge),
            Case(name: "as many bytes as may be", tombstones: 1, days: 0, bytes: 1_000, verdict: .stop),
        ])
    func rules(_ item: Case) {
        let now = Timestamp(seconds: 1_767_225_600)
        var retention = Retention(count: 1)
        retention.tombstoneHardBytes = ByteCount(1_000)
        var rule = TombstonePurge(retention, tombstones: item.tombstones, bytes: item.bytes, now: now)
        let verdict = rule.verdict(deadSince: now + .seconds(-86_400 * item.days), keyBytes: 4)
        #expect(verdict == item.verdict)
    }

    @Test(
        "of the ledger last as long as the upstream lists them, and then three listings and thirty days",
        arguments: [
            (nil, 40, false), (98, 40, true), (99, 40, false), (98, 29, false),
        ] as [(Int64?, Int, Bool)])
    func ledger(missed: Int64?, days: Int, isForgotten: Bool) {
        let now = Timestamp(seconds: 1_767_225_600)
        let rule = LedgerPurge(retention: Retention(count: 1), now: now, passes: 100)
        #expect(rule.isForgotten(missed: missed, listedAt: now + .seconds(-86_400 * days)) == isForgotten)
    }

    @Test("of the ledger are at most twenty thousand, or as many as are listed")
    func ledgerBound() {
        #expect(LedgerPurge.excess(lines: 20_001, listed: 5) == 1)
        #expect(LedgerPurge.excess(lines: 50_000, listed: 50_000) == 0)
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
        for _ in 1...3 { try bench.pass(Array(records.suffix(5)), keep: 5) }
        // Nobody had ever seen them, so nobody's key is too old now.
        #expect(try bench.head()?.floor == 0)
        #expect(try bench.pass(records, keep: 5).counts.added > 0)
    }
}
