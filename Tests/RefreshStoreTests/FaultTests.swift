import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

private let fewFilesFolder: String? = unsafe getenv("REFRESHD_FEW_FILES").map { unsafe String(cString: $0) }

@Suite("Faults", .timeLimit(.minutes(5))) struct FaultTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    private let feed = Bench.feed("shop")

    private func commit(_ records: [Sample], pass: UInt64 = 0) -> PassCommit {
        PassCommit(
            feed: feed, at: now, pass: pass, part: .last(.partial), progress: FeedProgress(),
            page: Sample.page(records), retention: Retention(count: 100_000),
            deletes: DeletesPlan(absent: .keep))
    }

    private func heavy(_ name: String, _ count: Int) -> [Sample] {
        (0..<count).map { Sample("\(name)\($0)", String(repeating: "x", count: 4_000)) }
    }

    // MARK: - Full disks

    @Test("beyond the file's bound the disk is full: reads go on, a probe says when it is over") func bound()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try Store(
            folder: folder.path, random: Randomness(seed: 1), now: now, limit: .mebibytes(1))
        _ = try await store.apply(commit([Sample("first", "1")]))
        var stored = 0
        do {
            for round in 0..<100 {
                _ = try await store.apply(commit(heavy("r\(round)-", 10)))
                stored += 10
            }
            Issue.record("4 MB went into 1 MiB")
        } catch {
            #expect(error == .full)
            #expect(error.code == "storage-full")
        }
        #expect(try StoreReader(folder: folder.path).head(of: feed)?.items == stored + 1)
        await #expect(throws: StoreFailure.full) { try await store.probe() }
        // What is small may still fit; what was dropped was dropped whole.
        let drop = PassCommit(
            feed: feed, at: now, part: .last(.complete), progress: FeedProgress(),
            page: Sample.page([Sample("first", "1")]),
            retention: noCopies(100_000), deletes: DeletesPlan(absent: .gone), acceptDrop: true)
        #expect(try await store.apply(drop).counts.removed == stored)
        try await store.probe()
        #expect(try await store.apply(commit(heavy("again", 20))).counts.added == 20)
        await offPool { store.stop() }
    }

    private func noCopies(_ count: Int) -> Retention {
        var retention = Retention(count: count)
        retention.gone = .zero
        return retention
    }

    @Test("a full disk costs what does not fit, reads go on, and it heals without a restart") func fullDisk()
        async throws
    {
        let folder = TemporaryFolder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=4m") == 0 else {
            print("full disk: skipped, a file system of its own needs root")
            return
        }
        defer { _ = unsafe umount2(folder.path, CInt(MNT_DETACH)) }
        let ballast = folder.write([UInt8](repeating: 1, count: 1_500_000), to: "ballast")
        let store = try Store(folder: folder.path, random: Randomness(seed: 1), now: now)
        let durable = try DurableStore(folder: folder.path, now: now)
        var stored = 0
        var failure: StoreFailure?
        for round in 0..<200 where failure == nil {
            do throws(StoreFailure) {
                _ = try await store.apply(commit(heavy("r\(round)-", 10)))
                stored += 10
            } catch {
                failure = error
            }
        }
        #expect(failure == .full && stored > 0)
        let reader = try StoreReader(folder: folder.path)
        #expect(try reader.head(of: feed)?.items == stored)
        reader.endRound()
        await #expect(throws: StoreFailure.full) { try await store.probe() }
        _ = unsafe unlink(ballast)
        try await store.probe()
        #expect(try await store.apply(commit(heavy("after", 10))).store.items == stored + 10)
        let pair = DurableStore.Pair(name: "a", value: [1], updatedAt: now)
        try await durable.save(pair, in: .tokens)
        #expect(try reader.head(of: feed)?.items == stored + 10)
        await offPool { store.stop() }
        await offPool { durable.stop() }
        print("full disk: \(stored) items before, healed")
    }

    // MARK: - Damage

    /// The files of a killed daemon: half of its commits in the database, half in the log.
    private func killed(into folder: TemporaryFolder) throws -> FeedHead? {
        let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"))
        try bench.pass((1...300).map { Sample("k\($0)", String(repeating: "\($0) ", count: 20)) })
        try bench.writer.checkpoint()
        try bench.pass((1...300).map { Sample("k\($0)", String(repeating: "\($0)!", count: 20)) })
        try bench.pass((1...200).map { Sample("k\($0)", "short") }, acceptDrop: true)
        _ = HighWater(folder: bench.folder.path).write(bench.writer.heads)
        for name in ["cache.sqlite3", "cache.sqlite3-wal", "cache.sqlite3-shm", "cache.high"] {
            try writeFile(try #require(readFile(bench.folder.path(name))), to: folder.path(name))
        }
        return try bench.head()
    }

    @Test(
        "bytes that flip anywhere end in a sound cache: the same, one set aside, or one with a new epoch",
        arguments: ["cache.sqlite3", "cache.sqlite3-wal", "cache.sqlite3-shm", "cache.high"])
    func flips(_ name: String) throws {
        var random = Randomness(seed: 4)
        var (kept, aside, renewed) = (0, 0, 0)
        for _ in 1...max(10, soakRuns / 50) {
            let folder = TemporaryFolder(under: "/dev/shm")
            let head = try killed(into: folder)
            var bytes = try #require(readFile(folder.path(name)))
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(
                    in: 1...255, using: &random)
            }
            try writeFile(bytes, to: folder.path(name))
            let opened = try CacheFile(folder: folder.path).open(now: now)
            let report = opened.report
            let writer = try Writer(opened, random: Randomness(seed: 77))
            let found = try StoreReader(folder: folder.path).head(of: feed)
            if report.quarantine != nil {
                aside += 1
                #expect(found == nil)
            } else if found?.epoch == head?.epoch {
                kept += 1
                #expect(found?.seq == head?.seq)
            } else {
                renewed += 1
            }
            // Whatever is left takes what comes.
            _ = try? writer.perform([commit([Sample("new")])])[0].get()
        }
        print("flipped bytes in \(name): \(kept) as before, \(aside) set aside, \(renewed) with a new epoch")
    }

    @Test("a log that is cut short loses its end and the epoch with it", arguments: [0, 0.3, 0.7])
    func cutLog(_ share: Double) throws {
        let folder = TemporaryFolder()
        let head = try #require(try killed(into: folder))
        let log = try #require(readFile(folder.path("cache.sqlite3-wal")))
        try writeFile(Array(log.prefix(Int(Double(log.count) * share))), to: folder.path("cache.sqlite3-wal"))
        let opened = try CacheFile(folder: folder.path).open(now: now)
        #expect(opened.report.rolledBack == [feed])
        let found = try #require(try StoreReader(folder: folder.path).head(of: feed))
        #expect(found.epoch != head.epoch && found.seq < head.seq)
    }

    // MARK: - Size

    @Test("a reader that stays may let the log grow, and no longer than it stays") func longReader() throws {
        let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"))
        try bench.pass(heavy("k", 100))
        let reader = try bench.reader()
        _ = try reader.head(of: bench.feed)
        for round in 0..<8 {
            try bench.pass((0..<600).map { Sample("k\($0)", String(repeating: "\(round)", count: 4_000)) })
        }
        let path = bench.folder.path("cache.sqlite3-wal")
        #expect(readFile(path)?.count ?? 0 > 16 << 20)
        try bench.writer.checkpoint()
        reader.endRound()
        try bench.writer.checkpoint()
        #expect(readFile(path)?.isEmpty == true)
        // Without a reader it is written back all the time.
        for round in 0..<4 {
            try bench.pass((0..<600).map { Sample("k\($0)", String(repeating: "a\(round)", count: 2_000)) })
        }
        #expect(readFile(path)?.count ?? .max <= 20 << 20)
    }

    @Test("when nobody wants anything the log is emptied and space is given back, then it sleeps")
    func upkeep() throws {
        let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"))
        try bench.pass(heavy("k", 2_000), keep: 5_000)
        try bench.writer.checkpoint()
        let full = try #require(readFile(bench.folder.path("cache.sqlite3"))).count
        // Rows that go leave whole pages free; tombstones would stay in theirs.
        bench.retention.tombstoneHardBytes = ByteCount(0)
        try bench.pass([Sample("k0")], acceptDrop: true)
        let note = HighWater(folder: bench.folder.path)
        var upkeep = Upkeep(highWater: note)
        let start = ContinuousClock.now
        upkeep.turn(bench.writer, hadWork: true, now: start)
        #expect(note.read().count == 1)
        #expect(upkeep.patience == .seconds(1))
        upkeep.turn(bench.writer, hadWork: false, now: start + .seconds(1))
        #expect(readFile(bench.folder.path("cache.sqlite3-wal"))?.isEmpty == false)
        var turns = 0
        while upkeep.patience != nil, turns < 100 {
            turns += 1
            upkeep.turn(bench.writer, hadWork: false, now: start + .seconds(5 + turns))
        }
        #expect(turns > 2 && turns < 20)
        #expect(readFile(bench.folder.path("cache.sqlite3-wal"))?.isEmpty == true)
        #expect(try #require(readFile(bench.folder.path("cache.sqlite3"))).count < full / 2)
    }

    // MARK: - Files

    @Test("is the child of the test below", .enabled(if: fewFilesFolder != nil)) func fewFilesChild()
        async throws
    {
        guard let folder = fewFilesFolder else { return }
        let free = dup(0)
        _ = close(free)
        var limits = rlimit(rlim_cur: UInt(free), rlim_max: 4_096)
        for _ in 0..<3 {
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
            #expect(throws: StoreFailure.self) {
                _ = try Store(folder: folder, random: Randomness(seed: 1), now: now)
            }
            limits.rlim_cur += 1
        }
        limits.rlim_cur = 1_024
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
        let store = try Store(folder: folder, random: Randomness(seed: 1), now: now)
        _ = try await store.apply(commit([Sample("a")]))
        // A store that is open needs no more descriptors.
        limits.rlim_cur = UInt(free)
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
        #expect(try await store.apply(commit(heavy("k", 50))).store.items == 51)
        limits.rlim_cur = 1_024
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
        await offPool { store.stop() }
    }

    @Test("without a free descriptor it does not open, says so, and opens when there is one") func fewFiles()
        async throws
    {
        let folder = TemporaryFolder()
        var path = [CChar](repeating: 0, count: 4_096)
        _ = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let child = try ChildProcess(
            program,
            ["--testing-library", "swift-testing", "--filter", "RefreshStoreTests.FaultTests/fewFilesChild"],
            in: folder, environment: ["REFRESHD_FEW_FILES": folder.path("state")])
        #expect(
            await child.wait(atMost: .seconds(60)) == .exited(0),
            "\(child.output.suffix(2_000))\(child.errors.suffix(500))")
    }
}
