import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Retention by count") struct RetentionTests {
    private func listing(_ count: Int) -> [Sample] { (1...count).map { Sample("k\($0)", "\($0)") } }

    @Test("keeps the newest fifty of sixty, in their order") func keepsNewest() throws {
        let bench = try Bench()
        let outcome = try bench.pass((1...60).map { Sample("k\($0)", order: Int64($0)) }, keep: 50)
        #expect(try bench.order() == (11...60).reversed().map { "k\($0)" })
        #expect(outcome.counts.added == 50 && outcome.counts.evicted == 0)
        #expect(outcome.store.items == 50)
    }

    @Test(
        "of equal dates keeps those seen last, the first of a document that begins with the newest",
        arguments: [(false, Array(11...60)), (true, Array(1...50))])
    func breaksTies(_ item: (newestFirst: Bool, kept: [Int])) throws {
        let bench = try Bench()
        let records = (1...60).map { Sample("k\($0)", order: 1_000) }
        try bench.pass(records, keep: 50, newestFirst: item.newestFirst)
        #expect(Set(try bench.order()) == Set(item.kept.map { "k\($0)" }))
    }

    @Test("lists a document without dates from its top") func undatedDocument() throws {
        let bench = try Bench()
        try bench.pass([Sample("b"), Sample("a")], complete: false, absent: .keep, newestFirst: true)
        try bench.pass(
            [Sample("d"), Sample("c"), Sample("b"), Sample("a")], complete: false, absent: .keep,
            newestFirst: true)
        #expect(try bench.order() == ["d", "c", "b", "a"])
    }

    @Test("believes no date of the future") func futureDates() throws {
        let bench = try Bench()
        try bench.pass([Sample("future", order: 4_000_000_000)], absent: .keep)
        let seen = bench.now
        try bench.pass([Sample("now", order: bench.now.milliseconds / 1_000 + 30)], absent: .keep)
        #expect(try bench.order() == ["now", "future"])
        var order: Timestamp?
        try bench.reader().item(of: bench.feed, key: RecordKey("future")) { order = $0.order.timestamp }
        #expect(order == seen)
    }

    @Test("puts items without an order value last") func nullsLast() throws {
        let bench = try Bench()
        try bench.pass([Sample("none"), Sample("old", order: -5), Sample("new", order: 7)])
        #expect(try bench.order() == ["new", "old", "none"])
    }

    @Test(
        "ten passes over more records than are kept change nothing after the first", arguments: [false, true])
    func noChurn(_ newestFirst: Bool) throws {
        let bench = try Bench()
        let records = listing(700)
        let first = try bench.pass(records, keep: 50, newestFirst: newestFirst)
        #expect(first.counts.added == 50)
        for _ in 2...10 {
            let outcome = try bench.pass(records, keep: 50, newestFirst: newestFirst)
            #expect(outcome.counts.isEmpty)
        }
        #expect(try bench.log(since: first.store.seq).isEmpty)
        #expect(try bench.log().count == 50)
    }

    @Test("shows nobody what came and went in one pass") func neverShown() throws {
        let bench = try Bench()
        try bench.pass((1...5).map { Sample("k\($0)", order: Int64($0)) }, keep: 2)
        #expect(try bench.log() == ["4 k4=1", "5 k5=1"])
        let reader = try bench.reader()
        #expect(try !reader.item(of: bench.feed, key: RecordKey("k1")) { _ in })
    }

    @Test("tells of an item that had been shown") func evictsWithTombstone() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", order: 1), Sample("b", order: 2)], keep: 2, absent: .keep)
        let outcome = try bench.pass([Sample("c", order: 3)], keep: 2, absent: .keep)
        #expect(outcome.counts.evicted == 1 && outcome.counts.added == 1)
        #expect(try bench.log() == ["2 b=1", "3 c=1", "4 a-retention"])
    }

    @Test("an edit alone does not bring an old record back") func editedOutsider() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1", order: 1), Sample("b", "1", order: 2)], keep: 1)
        let outcome = try bench.pass([Sample("a", "2", order: 1), Sample("b", "1", order: 2)], keep: 1)
        #expect(outcome.counts.isEmpty)
        #expect(try bench.order() == ["b"])
    }

    @Test("a record that the upstream has moved to the top comes back, with its revision and first sight")
    func movedOutsider() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1", order: 1)], keep: 1)
        try bench.pass([Sample("a", "1", order: 1), Sample("b", "1", order: 2)], keep: 1)
        let outcome = try bench.pass([Sample("a", "2", order: 3), Sample("b", "1", order: 2)], keep: 1)
        #expect(outcome.counts.added == 1 && outcome.counts.evicted == 1)
        #expect(try bench.log(since: 3) == ["4 b-retention", "5 a=2"])
        var created: Seq?
        try bench.reader().item(of: bench.feed, key: RecordKey("a")) { created = $0.createdSeq }
        #expect(created == 1)
    }

    @Test("an edited entry of a document stays out, whatever date it now carries") func editedEntry() throws {
        let bench = try Bench()
        func pass(_ records: [Sample]) throws -> CommitOutcome {
            try bench.pass(records, keep: 1, complete: false, absent: .keep, newestFirst: true)
        }
        _ = try pass([Sample("b", "1", order: 2), Sample("a", "1", order: 1)])
        let outcome = try pass([Sample("b", "1", order: 2), Sample("a", "2", order: 9)])
        #expect(outcome.counts.isEmpty)
    }

    @Test("room is given to the best of those that had to stay out") func readmitsBest() throws {
        let bench = try Bench()
        let records = (1...20).map { Sample("k\($0)", order: Int64($0)) }
        try bench.pass(records, keep: 5)
        try bench.pass(records, keep: 8)
        #expect(try bench.order() == (13...20).reversed().map { "k\($0)" })
        try bench.pass(records.dropLast(2), keep: 8)
        #expect(try bench.order() == (11...18).reversed().map { "k\($0)" })
        try bench.pass(records.dropLast(2), keep: 0)
        #expect(try bench.order().isEmpty)
        #expect(try bench.head().map { [$0.items, $0.bytes] } == [0, 0])
    }
}
