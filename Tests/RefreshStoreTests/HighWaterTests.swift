import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Restored databases", .timeLimit(.minutes(1))) struct HighWaterTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    private let feed = Bench.feed("shop")

    private func commit(_ body: String) -> PassCommit {
        PassCommit(
            feed: feed, at: now, progress: FeedProgress(), page: Sample.page([Sample("a", body)]),
            retention: Retention(count: 10))
    }

    private func open(_ folder: TemporaryFolder) throws -> Store {
        try Store(folder: folder.path, random: Randomness(seed: 1), now: now, boot: "one")
    }

    @Test("an older copy in the place of the database begins a new epoch, also when it is put back again")
    func restored()
        async throws
    {
        let folder = TemporaryFolder()
        let path = folder.path("cache.sqlite3")
        var store = try open(folder)
        let first = try await store.apply(commit("1")).store.epoch
        await offPool { [store] in store.stop() }
        let copy = try #require(readFile(path))
        store = try open(folder)
        #expect(
            try await store.apply(commit("2")).store == StoredCounts(epoch: first, seq: 2, items: 1, bytes: 1)
        )
        await offPool { [store] in store.stop() }
        var epochs: Set<Epoch> = [first]
        for round in 1...3 {
            try writeFile(copy, to: path)
            store = try open(folder)
            #expect(store.openReport.rolledBack == [feed])
            let outcome = try await store.apply(commit("x\(round)"))
            #expect(outcome.store.seq == 2)
            epochs.insert(outcome.store.epoch)
            await offPool { [store] in store.stop() }
        }
        #expect(epochs.count == 4)
        store = try open(folder)
        #expect(store.openReport.rolledBack.isEmpty)
        await offPool { [store] in store.stop() }
    }

    @Test("is noted within a second of a commit, and a missing or damaged note changes nothing") func noted()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try open(folder)
        let epoch = try await store.apply(commit("1")).store.epoch
        let note = HighWater(folder: folder.path)
        let expected = [feed: HighWater.Mark(epoch: epoch, seq: 1)]
        #expect(await eventually { note.read() == expected })
        _ = try await store.apply(commit("2"))
        #expect(await eventually { note.read()[feed]?.seq == 2 })
        await offPool { store.stop() }
        for text in ["", "shop", "shop x y\n\u{0}\nother 1 2 3\n"] {
            folder.write(text, to: "cache.high")
            let again = try open(folder)
            #expect(again.openReport.rolledBack.isEmpty)
            #expect(try await again.load(feeds: [feed])[feed]?.1.epoch == epoch)
            await offPool { again.stop() }
        }
    }
}
