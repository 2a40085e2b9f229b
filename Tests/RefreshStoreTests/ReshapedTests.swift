import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("A feed whose records become others") struct ReshapedTests {
    @Test("takes nothing more of a pass that began before, and all of one that begins after")
    func refuses() throws {
        let bench = try Bench()
        let before = try #require(try bench.writer.load([bench.feed], shapes: [bench.feed: 1])[bench.feed])
        try bench.page([Sample("a", "old")], pass: 1, .page) { $0.epoch = before.1.epoch }
        let after = try #require(try bench.writer.load([bench.feed], shapes: [bench.feed: 2])[bench.feed])
        #expect(after.1.epoch != before.1.epoch)
        for part in [PassCommit.Part.page, .last(.complete), .note] {
            #expect(throws: StoreFailure.reshaped) {
                try bench.page([Sample("b", "old")], pass: 1, part) { $0.epoch = before.1.epoch }
            }
        }
        let same = try #require(try bench.writer.load([bench.feed], shapes: [bench.feed: 2])[bench.feed])
        #expect(same.1 == after.1)
        let outcome = try bench.page([Sample("c", "new")], pass: 2, .last(.complete)) {
            $0.epoch = after.1.epoch
        }
        #expect(outcome.counts.added == 1)
        #expect(outcome.store.items == 1)
    }

    @Test("one refused pass leaves the others of its transaction alone")
    func alone() throws {
        let bench = try Bench()
        let known = try bench.writer.load([bench.feed])
        let other = Bench.feed("other")
        func commit(_ feed: FeedID, _ epoch: Epoch?) -> PassCommit {
            var commit = PassCommit(
                feed: feed, at: bench.now, progress: FeedProgress(), page: Sample.page([Sample("a")]),
                retention: Retention(count: 10))
            commit.epoch = epoch
            return commit
        }
        let epoch = try #require(known[bench.feed]?.1.epoch)
        let results = bench.writer.perform([
            commit(other, nil), commit(bench.feed, Epoch(epoch.number &+ 1)), commit(bench.feed, epoch),
        ])
        #expect(throws: StoreFailure.reshaped) { try results[1].get() }
        #expect(try results[0].get().store.items == 1)
        #expect(try results[2].get().store.items == 1)
    }

    @Test("what a feed's passes came to is known after a restart")
    func tally() throws {
        let bench = try Bench()
        bench.progress.tally.add(status: 304, bytes: 0, took: .milliseconds(12), isFailure: false)
        try bench.pass([Sample("a")])
        try bench.restart()
        #expect(try bench.writer.load([bench.feed])[bench.feed]?.0.tally == bench.progress.tally)
    }
}
