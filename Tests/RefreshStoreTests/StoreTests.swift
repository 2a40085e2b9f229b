import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Store", .timeLimit(.minutes(1))) struct StoreTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func commit(_ feed: FeedID, _ records: [Sample]) -> PassCommit {
        PassCommit(
            feed: feed, at: now, progress: FeedProgress(), page: Sample.page(records),
            retention: Retention(count: 1_000))
    }

    private func open(_ folder: TemporaryFolder) async throws -> Store {
        let now = now
        return try await offPool { () -> Result<Store, StoreFailure> in
            do throws(StoreFailure) {
                return .success(try Store(folder: folder.path, random: Randomness(seed: 1), now: now))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    @Test("stores what many callers bring at once, and answers after it can be read") func manyCallers()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try await open(folder)
        let feeds = (1...100).map { Bench.feed("feed\($0)") }
        #expect(try await store.load(feeds: feeds).count == 100)
        try await withThrowingTaskGroup { group in
            for feed in feeds {
                group.addTask {
                    for round in 1...3 {
                        let outcome = try await store.apply(commit(feed, [Sample("a", "\(round)")]))
                        #expect(outcome.store.seq == Seq(round))
                        let head = try StoreReader(folder: folder.path).head(of: feed)
                        #expect(head?.seq == Seq(round))
                    }
                }
            }
            try await group.waitForAll()
        }
        await offPool { store.stop() }
    }

    @Test("lets nobody else use its folder until it stops") func oneOwner() async throws {
        let folder = TemporaryFolder()
        let store = try await open(folder)
        await #expect(throws: StoreFailure.busy) { _ = try await open(folder) }
        await offPool { store.stop() }
        let next = try await open(folder)
        await offPool { next.stop() }
    }

    @Test("finishes what waits before it stops, and takes nothing afterwards") func stops() async throws {
        let folder = TemporaryFolder()
        let store = try await open(folder)
        let feed = Bench.feed("shop")
        try await withThrowingTaskGroup { group in
            for number in 1...50 {
                group.addTask { try await store.apply(commit(feed, [Sample("k\(number)")])).store.items }
            }
            var stored = 0
            for try await _ in group { stored += 1 }
            #expect(stored == 50)
        }
        await offPool { store.stop() }
        await offPool { store.stop() }
        await #expect(throws: StoreFailure.stopped) { try await store.apply(commit(feed, [])) }
        await #expect(throws: StoreFailure.stopped) { try await store.load(feeds: [feed]) }
        // Closed and written back: nothing is left beside the database.
        #expect(readFile(folder.path("cache.sqlite3-wal")) == nil)
        let again = try await open(folder)
        #expect(again.openReport == OpenReport(created: false, mayHaveLostCommits: false, migratedFrom: nil))
        #expect(try await again.load(feeds: [feed])[feed]?.1.items == 50)
        await offPool { again.stop() }
    }
}
