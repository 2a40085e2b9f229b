import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("What must never be lost", .timeLimit(.minutes(1))) struct DurableStoreTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func pair(_ name: String, _ value: String) -> DurableStore.Pair {
        DurableStore.Pair(name: name, value: Array(value.utf8), updatedAt: now)
    }

    @Test("a value that was saved is there after a kill, in its own space") func survives() async throws {
        let folder = TemporaryFolder()
        let store = try DurableStore(folder: folder.path, now: now)
        #expect(store.openReport.created)
        try await store.save(pair("shop", "old"), in: .tokens)
        try await store.save(pair("shop", "new"), in: .tokens)
        try await store.save(pair("desk", "x\0y"), in: .tokens)
        try await store.save(pair("shop", ""), in: .pauses)
        // A kill leaves the files as they are now.
        let killed = TemporaryFolder()
        for name in ["durable.sqlite3", "durable.sqlite3-wal"] {
            try writeFile(try #require(readFile(folder.path(name))), to: killed.path(name))
        }
        for place in [folder, killed] {
            let again = place === folder ? store : try DurableStore(folder: place.path, now: now)
            #expect(try await again.load("shop", in: .tokens) == pair("shop", "new"))
            #expect(try await again.all(in: .tokens) == [pair("desk", "x\0y"), pair("shop", "new")])
            #expect(try await again.load("shop", in: .pauses)?.value == [])
            #expect(try await again.load("desk", in: .pauses) == nil)
            try await again.remove("shop", in: .tokens)
            try await again.remove("nobody", in: .tokens)
            #expect(try await again.load("shop", in: .tokens) == nil)
            await offPool { again.stop() }
            await #expect(throws: StoreFailure.stopped) { try await again.save(pair("a", "b"), in: .tokens) }
        }
    }

    @Test("every commit is synced, and the cache's loss does not touch it") func separate() async throws {
        let folder = TemporaryFolder()
        let file = DatabaseFile.durable(in: folder.path)
        let opened = try file.open(now: now)
        #expect(try opened.connection.number("PRAGMA synchronous") == 2)
        let cache = try Store(folder: folder.path, random: Randomness(seed: 1), now: now)
        await offPool { cache.stop() }
        let store = try DurableStore(folder: folder.path, now: now)
        try await store.save(pair("shop", "token"), in: .tokens)
        try writeFile(Array("broken".utf8), to: folder.path("cache.sqlite3"))
        let rebuilt = try Store(folder: folder.path, random: Randomness(seed: 2), now: now)
        #expect(rebuilt.openReport.quarantine != nil)
        #expect(try await store.load("shop", in: .tokens)?.value == Array("token".utf8))
        await offPool { rebuilt.stop() }
        await offPool { store.stop() }
    }

    @Test("a damaged one is set aside with its name, and a newer one refused") func damaged() async throws {
        let folder = TemporaryFolder()
        try writeFile(Array(repeating: 0x41, count: 9_000), to: folder.path("durable.sqlite3"))
        let store = try DurableStore(folder: folder.path, now: now)
        let aside = folder.path("durable.sqlite3.corrupt-20260101T000000Z")
        #expect(store.openReport.quarantine?.path == aside)
        #expect(readFile(aside)?.count == 9_000)
        await offPool { store.stop() }
        try Connection.open(folder.path("durable.sqlite3"), for: .write).execute("PRAGMA user_version = 9")
        #expect(throws: StoreFailure.newerSchema(path: folder.path("durable.sqlite3"), found: 9, known: 1)) {
            _ = try DurableStore(folder: folder.path, now: now)
        }
    }

    @Test("a copy of either database is whole, private and complete, and follows no link") func backups()
        async throws
    {
        let folder = TemporaryFolder()
        let place = TemporaryFolder()
        let cache = try Store(folder: folder.path, random: Randomness(seed: 1), now: now)
        let durable = try DurableStore(folder: folder.path, now: now)
        try await durable.save(pair("shop", "token"), in: .tokens)
        for round in 1...3 {
            let records = (0..<2_000).map { Sample("k\($0)", "\(round)") }
            let commit = PassCommit(
                feed: Bench.feed("shop"), at: now, progress: FeedProgress(), page: Sample.page(records),
                retention: Retention(count: 5_000))
            _ = try await cache.apply(commit)
            try cache.backup(to: "cache.backup", in: place.path)
            let copy = try Connection.open(place.path("cache.backup"), for: .read)
            #expect(try copy.number("SELECT count(*) FROM items WHERE rev = \(round)") == 2_000)
        }
        try durable.backup(to: "durable.backup", in: place.path)
        #expect(
            try Connection.open(place.path("durable.backup"), for: .read).number("SELECT count(*) FROM pairs")
                == 1)
        var about = stat()
        try #require(unsafe stat(place.path("cache.backup"), &about) == 0)
        #expect(about.st_mode & 0o777 == 0o600)
        #expect(
            readFile(place.path("cache.backup-wal")) == nil
                && readFile(place.path(".cache.backup.new")) == nil)
        let target = place.write("precious", to: "target")
        try #require(unsafe symlink(target, place.path(".linked.new")) == 0)
        try cache.backup(to: "linked", in: place.path)
        #expect(readFile(target) == Array("precious".utf8))
        for name in ["../escape", "", ".hidden", "a/b", "a b"] {
            #expect(throws: StoreFailure.self) { try cache.backup(to: name, in: place.path) }
        }
        await offPool { cache.stop() }
        await offPool { durable.stop() }
    }
}
