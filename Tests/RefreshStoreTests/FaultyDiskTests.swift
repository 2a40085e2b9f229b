import CFaultyVFS
import CSQLite
import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// The disk fails at the first call, at the second, and so on until one life passes without; and after each of them
/// the database is sound and holds what was acknowledged (operations 4.1).
@Suite("A disk that fails", .serialized, .timeLimit(.minutes(20))) struct FaultyDiskTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let kinds: Int
        let code: CInt
        var isForever = false
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "cannot open", kinds: FAULTY_OPEN, code: SQLITE_CANTOPEN),
        Fault(name: "EIO at reads", kinds: FAULTY_READ, code: 266),
        Fault(name: "EIO at writes", kinds: FAULTY_WRITE, code: 778),
        Fault(name: "a full disk at writes", kinds: FAULTY_WRITE, code: SQLITE_FULL),
        Fault(name: "a failed sync", kinds: FAULTY_SYNC, code: 1_034),
        Fault(name: "EIO at truncations", kinds: FAULTY_TRUNCATE, code: 1_546),
        Fault(name: "EIO at deletions", kinds: FAULTY_DELETE, code: 2_570),
        Fault(name: "no shared memory", kinds: FAULTY_SHM, code: 5_386),
        Fault(name: "EIO at sizes", kinds: FAULTY_SIZE, code: 1_802),
        Fault(
            name: "EROFS from there on", kinds: FAULTY_WRITE | FAULTY_TRUNCATE | FAULTY_DELETE, code: 778,
            isForever: true),
        Fault(
            name: "a dead disk from there on",
            kinds: FAULTY_OPEN | FAULTY_READ | FAULTY_WRITE | FAULTY_SYNC | FAULTY_TRUNCATE | FAULTY_DELETE,
            code: 266, isForever: true),
    ]

    private let now = Timestamp(seconds: 1_767_225_600)
    private let feed = Bench.feed("shop")
    private static let keys = 60

    init() throws { try #require(faulty_install() == SQLITE_OK) }

    /// What a life has acknowledged, and what it was refused with.
    private struct Life {
        var acked = 0
        var failures: [StoreFailure] = []
        /// It got as far as it is to get where the disk fails only once.
        var isHealed = false

        mutating func note(_ result: Result<CommitOutcome, StoreFailure>, _ number: Int) {
            switch result {
            case .success: acked = number
            case .failure(let failure): failures.append(failure)
            }
        }
    }

    private func commit(_ number: Int) -> PassCommit {
        let records = (0..<FaultyDiskTests.keys).map {
            Sample("k\($0)", "\(number) " + String(repeating: "x", count: 900))
        }
        return PassCommit(
            feed: feed, at: now + .seconds(number), progress: FeedProgress(), page: Sample.page(records),
            retention: Retention(count: 1_000))
    }

    /// Lets `live` meet the fault at the first, the second call …, each time in a folder that `prepare` has filled.
    private func forEachCall(
        _ fault: Fault, prepare: (TemporaryFolder) throws -> Void = { _ in },
        live: (TemporaryFolder) throws -> Life, check: (TemporaryFolder, Life) throws -> Void
    ) throws {
        let template = TemporaryFolder(under: "/dev/shm")
        try prepare(template)
        var calls = 0
        for nth in 1...2_000 {
            let folder = TemporaryFolder(under: "/dev/shm")
            for name in DatabaseFile.names(in: template.path) where !name.hasPrefix(".") {
                try writeFile(try #require(readFile(template.path(name))), to: folder.path(name))
            }
            unsafe faulty_fail(
                folder.path, CInt(fault.kinds), CInt(nth), fault.code, fault.isForever ? 1 : 0)
            let life = try live(folder)
            let hasFailed = faulty_has_failed() != 0
            let resyncs = faulty_syncs_after_failure()
            faulty_stop()
            #expect(resyncs == 0, "\(fault.name) at call \(nth): a file was synced after a sync had failed")
            for failure in life.failures {
                switch failure {
                case .io, .full, .cannotOpen, .busy: break
                default: Issue.record("\(fault.name) at call \(nth) was taken for \(failure)")
                }
            }
            #expect(fault.isForever || life.isHealed, "\(fault.name) at call \(nth) did not heal")
            try check(folder, life)
            guard hasFailed else { break }
            calls = nth
        }
        print("\(fault.name): at \(calls) calls")
    }

    /// The database is sound, was never set aside, and holds a whole pass that is no older than what was acknowledged.
    private func checkCache(_ folder: TemporaryFolder, _ life: Life, upTo last: Int) throws {
        let opened = try CacheFile(folder: folder.path).open(now: now)
        #expect(opened.report.quarantine == nil)
        let verdict = try opened.connection.prepare("PRAGMA integrity_check")
        #expect(try verdict.step() && verdict.text(0) == "ok")
        try checkBodies(folder, acked: life.acked, last: last)
        #expect(!DatabaseFile.names(in: folder.path).contains { $0.contains("corrupt") })
    }

    private func checkBodies(_ folder: TemporaryFolder, acked: Int, last: Int) throws {
        var numbers: Set<Int> = []
        var rows = 0
        try StoreReader(folder: folder.path).items(of: feed, after: nil) { row in
            let body = unsafe String(decoding: row.body, as: UTF8.self)
            numbers.insert(body.split(separator: " ").first.flatMap { Int($0) } ?? -1)
            rows += 1
            return true
        }
        #expect(numbers.count <= 1 && (rows == 0 || rows == FaultyDiskTests.keys))
        let found = numbers.first ?? 0
        #expect(found >= acked && found <= last)
    }

    /// Without a hold on the writer, so that the seat can close it.
    private func seat(_ folder: TemporaryFolder) throws(StoreFailure) -> WriterSeat {
        let cache = CacheFile(folder: folder.path)
        let writer = try Writer(try cache.open(now: now), random: Randomness(seed: 1))
        return WriterSeat(writer) { (memory) throws(StoreFailure) in
            try Writer(try cache.reopen(after: memory), memory: memory)
        }
    }

    private func commits(_ folder: TemporaryFolder, _ numbers: ClosedRange<Int>) -> Life {
        var life = Life()
        do throws(StoreFailure) {
            var seat = try seat(folder)
            var at = ContinuousClock.now
            for number in numbers {
                at += .seconds(2)
                switch seat.writer(at: at) {
                case .success(let writer):
                    life.note(writer.perform([commit(number)])[0], number)
                    if number % 3 == 0 { try? writer.checkpoint() }
                case .failure(let failure): life.failures.append(failure)
                }
            }
            if life.acked < numbers.upperBound, case .success(let writer) = seat.writer(at: at + .seconds(2))
            {
                // It was the last one that failed.
                life.note(writer.perform([commit(numbers.upperBound + 1)])[0], numbers.upperBound + 1)
            }
            life.isHealed = life.acked >= numbers.upperBound
            at += .seconds(2)
            if case .success(let writer) = seat.writer(at: at + .seconds(2)) { try? writer.finish() }
        } catch {
            // It did not even open, and says so.
            life.failures.append(error)
            life.isHealed = true
        }
        return life
    }

    @Test("while a cache is begun and filled", arguments: faults) func begins(_ fault: Fault) throws {
        try forEachCall(fault) {
            commits($0, 1...7)
        } check: {
            try checkCache($0, $1, upTo: 8)
        }
    }

    @Test("while a killed daemon's cache is opened and goes on", arguments: faults)
    func opens(_ fault: Fault) throws {
        try forEachCall(fault) { folder in
            let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"))
            for number in 1...3 {
                try bench.perform(commit(number))
                if number == 2 { try bench.writer.checkpoint() }
            }
            for name in ["cache.sqlite3", "cache.sqlite3-wal"] {
                try writeFile(try #require(readFile(bench.folder.path(name))), to: folder.path(name))
            }
        } live: { folder in
            var life = commits(folder, 4...7)
            life.acked = max(life.acked, 3)
            return life
        } check: {
            try checkCache($0, $1, upTo: 8)
        }
    }

    @Test("while the schema is changed, with a copy from before", arguments: faults)
    func climbs(_ fault: Fault) throws {
        try forEachCall(fault) { folder in
            let bench = try Bench(in: folder)
            try bench.perform(commit(1))
            try bench.writer.finish()
        } live: { folder in
            var life = Life(acked: 1)
            life.isHealed = true
            do throws(StoreFailure) {
                _ = try DatabaseFile.cache(in: folder.path, ladder: LadderTests.taller).open(now: now)
            } catch {
                life.failures.append(error)
            }
            return life
        } check: { folder, life in
            let opened = try DatabaseFile.cache(in: folder.path, ladder: LadderTests.taller).open(now: now)
            #expect(opened.report.quarantine == nil)
            #expect(try opened.connection.number("SELECT count(*) FROM shades WHERE colour = 'red'") == 1)
            let verdict = try opened.connection.prepare("PRAGMA integrity_check")
            #expect(try verdict.step() && verdict.text(0) == "ok")
            try checkBodies(folder, acked: 1, last: 1)
        }
    }

    @Test("while a copy is made, which is there whole or not at all", arguments: faults)
    func copies(_ fault: Fault) throws {
        try forEachCall(fault) { folder in
            let bench = try Bench(in: folder)
            try bench.perform(commit(1))
        } live: { folder in
            var life = Life(acked: 1)
            life.isHealed = true
            do throws(StoreFailure) {
                try Backup(of: .cache(in: folder.path)).write("copy", in: folder.path)
            } catch {
                life.failures.append(error)
            }
            return life
        } check: { folder, life in
            try checkCache(folder, life, upTo: 1)
            #expect((readFile(folder.path("copy")) == nil) == !life.failures.isEmpty)
            guard life.failures.isEmpty else { return }
            let copy = try Connection.open(folder.path("copy"), for: .read)
            #expect(try copy.number("SELECT count(*) FROM items") == Int64(FaultyDiskTests.keys))
        }
    }

    @Test("while a token is saved, and no acknowledged one is lost", arguments: faults)
    func saves(_ fault: Fault) throws {
        try forEachCall(fault) { folder in
            var life = Life()
            do throws(StoreFailure) {
                let file = DatabaseFile.durable(in: folder.path)
                let table = try DurableTable(try file.open(now: now), of: file)
                for number in 1...9 where number < 9 || life.acked < 8 {
                    let value = Array(String(repeating: "\(number) ", count: 2_000).utf8)
                    let pair = DurableStore.Pair(name: "n", value: value, updatedAt: now)
                    do throws(StoreFailure) {
                        try table.save(pair, in: .tokens)
                        life.acked = number
                    } catch {
                        life.failures.append(error)
                    }
                }
                life.isHealed = life.acked >= 8
                try? table.finish()
            } catch {
                life.failures.append(error)
                life.isHealed = true
            }
            return life
        } check: { folder, life in
            let file = DatabaseFile.durable(in: folder.path)
            let opened = try file.open(now: now)
            #expect(opened.report.quarantine == nil)
            let rows = try DurableRows(opened)
            let found = try rows.load("n", in: .tokens)?.value.split(separator: UInt8(ascii: " ")).first
                .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            #expect(found ?? 0 >= life.acked)
        }
    }

    @Test("a file system that turns read-only is told as such, reads go on, and it heals") func readOnly()
        async throws
    {
        let folder = TemporaryFolder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=16m") == 0 else {
            print("read-only: skipped, a file system of its own needs root")
            return
        }
        defer { _ = unsafe umount2(folder.path, CInt(MNT_DETACH)) }
        do {
            let bench = try Bench(in: folder)
            try bench.perform(commit(1))
            try bench.writer.finish()
        }
        try #require(unsafe mount("none", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        var failure: StoreFailure?
        do throws(StoreFailure) {
            _ = try CacheFile(folder: folder.path).open(now: now)
        } catch {
            failure = error
        }
        guard case .cannotOpen(_, let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason == "Read-only file system")
        try #require(unsafe mount("none", folder.path, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
        #expect(commits(folder, 2...4).acked == 4)
        try checkCache(folder, Life(acked: 4), upTo: 4)
    }
}
