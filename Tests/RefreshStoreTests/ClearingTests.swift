import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Cleared feeds", .timeLimit(.minutes(1))) struct ClearingTests {
    @Test("a purged feed has no row, no log and another epoch at once, and its rows go when there is time")
    func purge() throws {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b"), Sample("c")])
        try bench.pass([Sample("a")])
        let before = try #require(try bench.head())
        let cleared = try bench.writer.clear(bench.feed, .purge, progress: FeedProgress(), overtaking: 0)
        #expect(cleared.items == 1)
        let after = try #require(try bench.head())
        #expect(after.epoch != before.epoch && after.seq == 0)
        #expect(cleared.store == StoredCounts(epoch: after.epoch))
        #expect(try bench.order().isEmpty && bench.log().isEmpty)
        while try bench.writer.sweepRemoved() {}
        #expect(try bench.writer.connection.number("SELECT count(*) FROM items") == 0)
        #expect(try bench.writer.connection.number("SELECT count(*) FROM feeds") == 1)
        // What comes back is new, whatever was known of it.
        let outcome = try bench.pass([Sample("a")])
        #expect(outcome.counts.added == 1 && outcome.store.seq == 1)
    }

    @Test("a purge survives a restart, with its epoch") func restart() throws {
        let bench = try Bench()
        try bench.pass([Sample("a")])
        let cleared = try bench.writer.clear(bench.feed, .purge, progress: FeedProgress(), overtaking: 0)
        try bench.restart()
        #expect(try bench.head()?.epoch == cleared.store.epoch)
        #expect(try bench.order().isEmpty)
    }

    @Test("a reset keeps rows, log and epoch, and takes the progress that it is given") func reset() throws {
        let bench = try Bench()
        bench.progress.validators = Validators(etag: "\"1\"")
        try bench.pass([Sample("a"), Sample("b")])
        let (before, log) = (try bench.head(), try bench.log())
        let cleared = try bench.writer.clear(bench.feed, .reset, progress: FeedProgress(), overtaking: 0)
        #expect(cleared.items == 2 && cleared.store.epoch == before?.epoch)
        #expect(try bench.head()?.seq == before?.seq)
        #expect(try bench.log() == log)
        let loaded = try #require(try bench.writer.load([bench.feed])[bench.feed])
        #expect(loaded.0.validators.isEmpty)
    }

    @Test(
        "pages and notes of passes that began before are dropped whole; later ones count",
        arguments: Clearing.allCases)
    func overtaken(_ clearing: Clearing) throws {
        let bench = try Bench()
        try bench.page([Sample("a")], pass: 4, .page)
        _ = try bench.writer.clear(bench.feed, clearing, progress: FeedProgress(), overtaking: 5)
        let kept = clearing == .reset ? ["a"] : []
        var stale = FeedProgress()
        stale.validators = Validators(etag: "\"old\"")
        bench.progress = stale
        let page = try bench.page([Sample("b")], pass: 4, .last(.complete))
        #expect(page.isOvertaken && page.progress.validators.isEmpty)
        let note = try bench.perform(
            PassCommit(
                feed: bench.feed, at: bench.now, pass: 5, part: .note, progress: stale,
                retention: Retention(count: 9), deletes: DeletesPlan(absent: .gone)))
        #expect(note.isOvertaken)
        #expect(try bench.order() == kept)
        let loaded = try #require(try bench.writer.load([bench.feed])[bench.feed])
        #expect(loaded.0.validators.isEmpty)
        let later = try bench.page([Sample("b")], pass: 6, .last(.complete))
        #expect(!later.isOvertaken && later.progress.validators.etag == "\"old\"")
        #expect(try bench.order() == ["b"])
    }
}
