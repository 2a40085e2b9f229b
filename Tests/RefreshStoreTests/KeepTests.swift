import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Retention by age, bytes and listing") struct KeepTests {
    private let day: Int64 = 86_400

    private func dated(_ bench: Bench, _ days: [Int64]) -> [Sample] {
        days.map { Sample("d\($0)", "1", order: bench.now.milliseconds / 1_000 - $0 * day) }
    }

    @Test(
        "T3, T7: of a feed sorted by time the old ones go, and old ones that come are not let in",
        arguments: [false, true])
    func age(_ isAscending: Bool) throws {
        let bench = try Bench()
        bench.retention.age = .seconds(10 * day)
        let records = dated(bench, [1, 5, 9, 11, 20])
        func pass(_ number: UInt64) throws -> CommitOutcome {
            bench.now = bench.now + .seconds(60)
            return try bench.page(records, pass: number, .last(.complete)) { $0.isAscending = isAscending }
        }
        #expect(try pass(1).counts.added == 3)
        #expect(try bench.log().count == 3)
        for number in UInt64(2)...4 { #expect(try pass(number).counts.isEmpty) }
        bench.now = bench.now + .seconds(2 * day)
        let outcome = try pass(5)
        #expect(outcome.counts.evicted == 1 && outcome.counts.added == 0)
        #expect(try bench.log(since: 5) == ["6 d9-retention"])
        #expect(Set(try bench.order()) == ["d1", "d5"])
    }

    @Test("T3: of other feeds go those that were not seen for so long") func lastSeen() throws {
        let bench = try Bench()
        bench.retention.age = .seconds(10 * day)
        try bench.pass([Sample("a"), Sample("b")], absent: .keep)
        for _ in 1...3 {
            bench.now = bench.now + .seconds(4 * day)
            try bench.pass([Sample("a")], absent: .keep)
        }
        #expect(try bench.order() == ["a"])
        #expect(try bench.pass([Sample("a"), Sample("b")], absent: .keep).counts.added == 1)
    }

    @Test("an upstream that is down for longer than items may age empties no cache") func downForLong() throws
    {
        let bench = try Bench()
        bench.retention.age = .seconds(10 * day)
        try bench.pass([Sample("a"), Sample("b")])
        bench.now = bench.now + .seconds(100 * day)
        try bench.note(isSuccess: false)
        #expect(try bench.head()?.items == 2)
    }

    @Test("T3: bytes hold from the end of the order, and what is larger than all room stays out for good")
    func bytes() throws {
        let bench = try Bench()
        bench.retention.bytes = ByteCount(100)
        let body = String(repeating: "x", count: 30)
        let records = (1...5).map { Sample("k\($0)", body, order: Int64($0)) }
        #expect(try bench.pass(records).counts.added == 3)
        #expect(try bench.order() == ["k5", "k4", "k3"])
        let huge = [Sample("huge", String(repeating: "y", count: 101), order: 9)] + records
        _ = try bench.pass(huge)
        for _ in 1...3 { #expect(try bench.pass(huge).counts.isEmpty) }
        #expect(try bench.head()?.bytes ?? 0 <= 100)
        #expect(try bench.order().contains("huge") == false)
    }

    @Test("T6: what is listed stays up to four times the count; what is not goes first") func listed() throws
    {
        let bench = try Bench()
        bench.retention.listed = true
        let old = (1...3).map { Sample("old\($0)", order: 1_000 + Int64($0)) }
        try bench.pass(old, keep: 5, absent: .keep)
        let records = (1...12).map { Sample("k\($0)", order: Int64($0)) }
        let outcome = try bench.pass(records, keep: 5, absent: .keep)
        #expect(outcome.counts.evicted == 3)
        #expect(try bench.order() == (1...12).reversed().map { "k\($0)" })
        let many = (1...30).map { Sample("k\($0)", order: Int64($0)) }
        let trimmed = try bench.pass(many, keep: 5, absent: .keep)
        #expect(try bench.order() == (11...30).reversed().map { "k\($0)" })
        #expect(trimmed.notes.isTrimmed && !outcome.notes.isTrimmed)
    }

    @Test("a listing longer than the cache is said to be trimmed") func trimmed() throws {
        let bench = try Bench()
        let records = (1...6).map { Sample("k\($0)") }
        #expect(try !bench.pass(records, keep: 6).notes.isTrimmed)
        #expect(try bench.pass(records, keep: 5).notes.isTrimmed)
        #expect(try bench.pass(records, keep: 5).notes.isTrimmed)
        #expect(try !bench.pass(records, keep: 6).notes.isTrimmed)
    }

    @Test(
        "4.14: an old page that is fetched beyond the bound leaves no item, no tombstone and no row of the log"
    )
    func oldPage() throws {
        let bench = try Bench()
        let newest = (51...100).map { Sample("k\($0)", order: Int64($0)) }
        let seq = try bench.pass(newest, keep: 50, complete: false).store.seq
        let outcome = try bench.pass(
            (31...50).map { Sample("k\($0)", order: Int64($0)) }, keep: 50, complete: false)
        #expect(outcome.counts.isEmpty)
        #expect(try bench.log(since: seq).isEmpty)
        #expect(try bench.head().map { [$0.items, Int($0.floor)] } == [50, 0])
    }

    @Test(
        "4.15, T8: a purged record that is still listed is not announced as created, even after its tombstone went"
    )
    func ledger() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", order: 1)], keep: 1)
        try bench.pass([Sample("a", order: 1), Sample("b", order: 2)], keep: 1)
        bench.now = bench.now + .seconds(31 * day)
        try bench.pass([Sample("a", order: 1), Sample("b", order: 2)], keep: 1)
        #expect(try bench.head()?.floor == 3)
        #expect(try bench.log() == ["2 b=1"])
        #expect(try bench.pass([Sample("a", order: 1), Sample("b", order: 2)], keep: 1).counts.isEmpty)
        let key = try bench.head()?.seq ?? 0
        try bench.pass([Sample("a", order: 1)], keep: 1)
        var told: [String] = []
        _ = try bench.reader().tellChanges(of: bench.feed, since: key, limit: 10) { change in
            told.append("\(change.row.key.text) \(change.kind) created \(change.isCreated)")
            return true
        }
        #expect(
            told == ["b delete(RefreshCore.DeleteReason.missing) created false", "a upsert created false"])
        var first: Seq?
        try bench.reader().item(of: bench.feed, key: RecordKey("a")) { first = $0.createdSeq }
        #expect(first == 1)
    }

    @Test("T8: a line of the ledger is forgotten thirty days and three listings after it was listed last")
    func forgotten()
        throws
    {
        let bench = try Bench()
        let both = [Sample("a", order: 1), Sample("b", order: 2)]
        try bench.pass(both, keep: 1)
        func ledger() throws -> Int64 {
            try bench.writer.connection.number("SELECT count(*) FROM items WHERE key = CAST('a' AS BLOB)")
        }
        bench.now = bench.now + .seconds(40 * day)
        for expected in [1, 1] as [Int64] {
            try bench.pass([Sample("b", order: 2)], keep: 1)
            #expect(try ledger() == expected)
        }
        try bench.pass([Sample("b", order: 2)], keep: 1)
        #expect(try ledger() == 0)
    }

    @Test("2.5: a client away for 29 days gets the tombstone, one of 31 days has to list anew") func away()
        throws
    {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        let key = try #require(try bench.head()?.key)
        try bench.pass([Sample("b")])
        bench.now = bench.now + .seconds(29 * day)
        try bench.note(isSuccess: true)
        #expect(try bench.head()?.resync(key) == nil)
        #expect(try bench.log(since: key.seq) == ["3 a-missing"])
        bench.now = bench.now + .seconds(2 * day)
        try bench.note(isSuccess: true)
        #expect(try bench.head()?.resync(key) == .horizon)
        #expect(try bench.head()?.resync(try #require(try bench.head()?.key)) == nil)
    }

    @Test("T2: tombstones beyond the count go after a week, and beyond the hard bytes at once")
    func tombstoneBounds()
        throws
    {
        let bench = try Bench()
        bench.retention.tombstoneCount = 3
        let records = (1...8).map { Sample("k\($0)") }
        try bench.pass(records)
        try bench.pass([], acceptDrop: true)
        func tombstones() throws -> Int { try bench.log().count }
        #expect(try tombstones() == 8)
        bench.now = bench.now + .seconds(8 * day)
        try bench.note(isSuccess: true)
        #expect(try tombstones() == 3)
        #expect(try bench.head()?.floor == 13)
        bench.retention.tombstoneHardBytes = ByteCount(2 * (TombstonePurge.rowBytes + 2))
        try bench.note(isSuccess: true)
        #expect(try tombstones() == 2)
    }

    @Test("4.12, 4.13: 60 of one date: the 50 seen last stay, on every run") func ties() throws {
        var kept: Set<[String]> = []
        for seed in UInt64(1)...3 {
            let bench = try Bench(seed: seed)
            try bench.pass((1...60).map { Sample("k\($0)", order: 7) }, keep: 50)
            kept.insert(try bench.order())
        }
        #expect(kept == [(11...60).reversed().map { "k\($0)" }])
    }

    @Test("the counters are those of the rows, after a thousand random steps", arguments: 1...3)
    func counters(_ seed: UInt64) throws {
        var random = Randomness(seed: seed)
        let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"), seed: seed)
        bench.retention.gone = .seconds(day)
        for pass in UInt64(1)...250 {
            bench.now = bench.now + .seconds(Int64.random(in: 60...day, using: &random))
            let records = (0..<20).filter { _ in Bool.random(using: &random) }.map {
                Sample("k\($0)", "\(Int.random(in: 0...2, using: &random))", order: Int64($0 % 5))
            }
            let keep = Int.random(in: 3...18, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                try bench.page(
                    Array(records.prefix(3)), pass: 0, .byID(gone: [RecordKey("k1"), RecordKey("k7")]),
                    keep: keep)
            case 1: try bench.page(records, pass: pass, .last(.partial), keep: keep)
            case 2:
                try bench.page(Array(records.prefix(4)), pass: pass, .page, keep: keep)
                try bench.page(Array(records.dropFirst(4)), pass: pass, .last(.complete), keep: keep) {
                    $0.deletes.confirm = 2
                }
            default: try bench.page(records, pass: pass, .last(.complete), keep: keep)
            }
            try check(bench)
        }
    }

    private func check(_ bench: Bench) throws {
        let row = try #require(try bench.writer.feeds.row(of: bench.feed))
        func count(_ sql: String) throws -> Int {
            Int(try bench.writer.connection.number("SELECT \(sql)"))
        }
        #expect(try row.items == count("count(*) FROM items WHERE state = 0"))
        #expect(try row.gone == count("count(*) FROM items WHERE state >= 16"))
        #expect(try row.bytes == count("total(length(body)) FROM items"))
        #expect(
            try row.listed == count("count(*) FROM items WHERE missed IS NULL AND (state = 0 OR state = 3)"))
        #expect(
            try row.tombstones
                == count("count(*) FROM items WHERE state BETWEEN 1 AND 15 AND seq IS NOT NULL"))
        #expect(try row.ledger == count("count(*) FROM items WHERE state = 3"))
        #expect(try count("count(*) FROM items WHERE (body IS NULL) = (state = 0 OR state >= 16)") == 0)
    }
}
