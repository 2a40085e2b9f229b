import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Missing records") struct SweepTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let drop: SweepGuard
        let isBelieved: Bool
        var testDescription: String { name }

        init(_ name: String, live: Int, missing: Int, records: Int, rejected: Int = 0, _ isBelieved: Bool) {
            self.name = name
            drop = SweepGuard(live: live, missing: missing, records: records, rejected: rejected)
            self.isBelieved = isBelieved
        }
    }

    @Test(
        "are believed to be gone unless too much is",
        arguments: [
            Case("nothing missing", live: 100, missing: 0, records: 100, true),
            Case("nothing cached, nothing listed", live: 0, missing: 0, records: 0, true),
            Case("an empty listing", live: 1, missing: 1, records: 0, false),
            Case("thirty percent", live: 100, missing: 30, records: 70, true),
            Case("more than thirty percent", live: 100, missing: 31, records: 69, false),
            Case("most of a few", live: 10, missing: 9, records: 1, true),
            Case("ten of a few", live: 11, missing: 10, records: 1, false),
            Case("rejects beside something missing", live: 100, missing: 1, records: 99, rejected: 1, false),
            Case("rejects, all there", live: 100, missing: 0, records: 100, rejected: 1, true),
        ])
    func guardsDrops(_ item: Case) {
        #expect((item.drop.verdict() == .believed) == item.isBelieved)
    }

    private let forty = (1...40).map { Sample("k\($0)", "\($0)") }

    @Test("stay while in doubt, and the doubt is kept until a pass is believed") func withholds() throws {
        let bench = try Bench()
        bench.progress.validators = Validators(etag: "\"1\"")
        try bench.pass(forty)
        let empty = try bench.pass([])
        #expect(empty.counts.isEmpty)
        #expect(empty.progress.suspect == "the listing was empty; 40 items were kept")
        // A later 304 would otherwise confirm the empty list for ever.
        #expect(empty.progress.validators.isEmpty)
        let stamp = try bench.perform(
            PassCommit(
                feed: bench.feed, at: bench.now, progress: FeedProgress(), retention: Retention(count: 50)))
        #expect(stamp.progress.suspect == empty.progress.suspect)
        let half = try bench.pass(Array(forty.prefix(20)))
        #expect(half.progress.suspect == "20 of 40 items were missing and were kept")
        let back = try bench.pass(forty)
        #expect(back.progress.suspect == nil)
        #expect(back.progress.validators.etag == "\"1\"")
        #expect(try bench.log().count == 40)
    }

    @Test("go when somebody accepts the drop") func accepted() throws {
        let bench = try Bench()
        try bench.pass(forty)
        let outcome = try bench.pass([], acceptDrop: true)
        #expect(outcome.counts.removed == 40)
        #expect(outcome.progress.suspect == nil)
        #expect(try bench.head()?.items == 0)
    }

    @Test("stay where the pass was not complete, or absence means nothing") func notComplete() throws {
        let bench = try Bench()
        try bench.pass(forty)
        #expect(try bench.pass(Array(forty.prefix(39)), complete: false).counts.isEmpty)
        #expect(try bench.pass(Array(forty.prefix(39)), absent: .keep).counts.isEmpty)
        #expect(try bench.pass(Array(forty.prefix(39))).counts.removed == 1)
    }

    @Test("of other feeds are left alone") func otherFeeds() throws {
        let bench = try Bench()
        let other = Bench.feed("other")
        try bench.pass(forty)
        try bench.perform(
            PassCommit(
                feed: other, at: bench.now, progress: FeedProgress(), page: Sample.page([Sample("k1", "x")]),
                complete: true, absent: .gone, retention: Retention(count: 1)))
        #expect(try bench.head()?.items == 40)
        #expect(try bench.reader().head(of: other)?.items == 1)
    }
}
