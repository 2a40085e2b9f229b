import CLinux
import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Backups and restores", .timeLimit(.minutes(2))) struct BackupTests {
    private let start = Timestamp(seconds: 1_767_225_600)
    private let feed = Bench.feed("shop")

    private func at(_ seconds: Int) -> Timestamp { start + .seconds(seconds) }

    /// Both stores of a folder.
    private struct Pair: Sendable {
        let cache: Store
        let durable: DurableStore

        init(_ folder: String, at now: Timestamp) throws {
            cache = try Store(folder: folder, random: Randomness(), now: now)
            durable = try DurableStore(folder: folder, now: now)
        }

        func stop() async {
            await offPool {
                cache.stop()
                durable.stop()
            }
        }
    }

    private func put(_ pair: Pair, _ value: String) async throws {
        let commit = PassCommit(
            feed: feed, at: start, progress: FeedProgress(), page: Sample.page([Sample("a", value)]),
            retention: Retention(count: 10))
        _ = try await pair.cache.apply(commit)
        try await pair.durable.save(
            DurableStore.Pair(name: "n", value: Array(value.utf8), updatedAt: start), in: .tokens)
    }

    private func body(_ folder: String) throws -> String? {
        var text: String?
        _ = try StoreReader(folder: folder).item(of: feed, key: RecordKey("a")) { row in
            text = String(decoding: unsafe Array(row.body), as: UTF8.self)
        }
        return text
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test("a backup is a folder with both databases, whole and private, and the newest are kept")
    func writes() async throws {
        let folder = TemporaryFolder()
        let pair = try Pair(folder.path("state"), at: start)
        try await put(pair, "1")
        let backups = BackupFolder(BackupFolder.standard(in: folder.path("state")))
        var reports: [BackupFolder.Report] = []
        for round in 0..<5 {
            reports.append(try backups.write(pair.cache, pair.durable, keep: 3, now: at(round)))
        }
        #expect(
            reports.map(\.name) == (0..<5).map { "20260101T00000\($0).000000Z" })
        #expect(reports.map(\.dropped) == [[], [], [], [reports[0].name], [reports[1].name]])
        #expect(try backups.names() == reports[2...].map(\.name))
        let newest = "\(backups.path)/\(reports[4].name)"
        #expect(DatabaseFile.names(in: newest).sorted() == [".", "..", "cache.sqlite3", "durable.sqlite3"])
        #expect(reports[4].files.map(\.name) == ["cache.sqlite3", "durable.sqlite3"])
        for file in reports[4].files {
            #expect(file.bytes == readFile("\(newest)/\(file.name)")?.count)
            #expect(mode("\(newest)/\(file.name)") == 0o600)
        }
        #expect(mode(newest) == 0o700 && mode(backups.path) == 0o700)
        await pair.stop()
    }

    @Test("what others have put there stays, and a draft of a killed process goes") func strangers()
        async throws
    {
        let folder = TemporaryFolder()
        let pair = try Pair(folder.path("state"), at: start)
        let backups = BackupFolder(folder.path("backups"))
        _ = try backups.write(pair.cache, pair.durable, keep: 1, now: at(0))
        folder.write("mine", to: "backups/notes.txt")
        let draft = folder.path("backups/.20260101T000009.000000Z.new")
        try #require(unsafe mkdir(draft, 0o700) == 0)
        folder.write("half", to: "backups/.20260101T000009.000000Z.new/.cache.sqlite3.new-journal")
        let report = try backups.write(pair.cache, pair.durable, keep: 1, now: at(1))
        #expect(
            DatabaseFile.names(in: backups.path).sorted() == [".", "..", report.name, "notes.txt"])
        await pair.stop()
    }

    @Test("a folder that is a link, somebody else's, or open to others is refused, and nothing is written")
    func untrusted() async throws {
        let folder = TemporaryFolder()
        let pair = try Pair(folder.path("state"), at: start)
        let elsewhere = folder.path("elsewhere")
        try #require(unsafe mkdir(elsewhere, 0o700) == 0)
        func refused(_ path: String) -> Bool {
            do throws(StoreFailure) {
                _ = try BackupFolder(path).write(pair.cache, pair.durable, keep: 3, now: start)
                return false
            } catch {
                if case .untrusted = error { return true }
                return false
            }
        }
        try #require(unsafe symlink(elsewhere, folder.path("link")) == 0)
        #expect(refused(folder.path("link")))
        folder.write("", to: "file")
        #expect(refused(folder.path("file")))
        try #require(unsafe mkfifo(folder.path("fifo"), 0o600) == 0)
        #expect(refused(folder.path("fifo")))
        for mode: mode_t in [0o770, 0o707, 0o777] {
            #expect(unsafe chmod(elsewhere, mode) == 0)
            #expect(refused(elsewhere))
        }
        #expect(unsafe chmod(elsewhere, 0o700) == 0)
        if geteuid() == 0 {
            #expect(unsafe chown(elsewhere, 54_001, 54_001) == 0)
            #expect(refused(elsewhere))
        }
        #expect(DatabaseFile.names(in: elsewhere).count == 2)
        #expect(throws: StoreFailure.self) {
            _ = try BackupFolder(folder.path("no/such")).write(
                pair.cache, pair.durable, keep: 3, now: start)
        }
        await pair.stop()
    }

    @Test("a restore brings back both databases with new epochs, and keeps those of before beside them")
    func restores() async throws {
        let folder = TemporaryFolder()
        let state = folder.path("state")
        var pair = try Pair(state, at: start)
        try await put(pair, "old")
        let before = try #require(try StoreReader(folder: state).head(of: feed))
        let backups = BackupFolder(folder.path("backups"))
        let name = try backups.write(pair.cache, pair.durable, keep: 3, now: start).name
        try await put(pair, "new")
        #expect(throws: StoreFailure.busy) { _ = try Restore(state: state).run(name, of: backups) }
        await pair.stop()
        for _ in 1...2 {
            let report = try Restore(state: state).run(name, of: backups)
            #expect(report.feeds == 1 && report.name == name)
            #expect(report.aside == ["durable", "cache"].map { "\(state)/\($0).sqlite3.before-restore" })
        }
        pair = try Pair(state, at: start)
        #expect(pair.cache.openReport.quarantine == nil && pair.cache.openReport.rolledBack.isEmpty)
        #expect(try body(state) == "old")
        #expect(try StoreReader(folder: state).head(of: feed)?.epoch != before.epoch)
        #expect(try await pair.durable.load("n", in: .tokens)?.value == Array("old".utf8))
        await pair.stop()
        #expect(!DatabaseFile.names(in: state).contains { $0.contains("restoring") })
    }

    @Test("what was committed and not yet written back lies in what is kept beside") func keepsTheLog()
        async throws
    {
        let folder = TemporaryFolder()
        let state = folder.path("state")
        let pair = try Pair(state, at: start)
        try await put(pair, "old")
        let backups = BackupFolder(folder.path("backups"))
        let name = try backups.write(pair.cache, pair.durable, keep: 3, now: start).name
        try await put(pair, "new")
        // As a killed process leaves it.
        let copies = ["cache.sqlite3", "cache.sqlite3-wal", "durable.sqlite3"].map {
            ($0, readFile("\(state)/\($0)") ?? [])
        }
        await pair.stop()
        for (file, bytes) in copies { try writeFile(bytes, to: "\(state)/\(file)") }
        _ = try Restore(state: state).run(name, of: backups)
        #expect(try body(state) == "old")
        try writeFile(
            try #require(readFile("\(state)/cache.sqlite3.before-restore")), to: "\(state)/cache.sqlite3")
        #expect(try body(state) == "new")
    }

    @Test("a backup that is damaged, newer, a link or no backup changes nothing") func refuses() async throws
    {
        let folder = TemporaryFolder()
        let state = folder.path("state")
        let pair = try Pair(state, at: start)
        try await put(pair, "1")
        let backups = BackupFolder(folder.path("backups"))
        let name = try backups.write(pair.cache, pair.durable, keep: 3, now: start).name
        await pair.stop()
        let cache = "\(backups.path)/\(name)/cache.sqlite3"
        let good = try #require(readFile(cache))
        let before = readFile("\(state)/cache.sqlite3")
        func refused(_ name: String) -> Bool {
            (try? Restore(state: state).run(name, of: backups)) == nil
        }
        var damaged = good
        for place in 8_192..<min(good.count, 40_000) { damaged[place] = 0x5A }
        try writeFile(damaged, to: cache)
        #expect(refused(name))
        try writeFile([], to: cache)
        #expect(refused(name))
        try writeFile(good, to: cache)
        try Connection.open(cache, for: .write).execute("PRAGMA user_version = 9000")
        #expect(refused(name))
        #expect(unsafe unlink(cache) == 0 && symlink("/etc/shadow", cache) == 0)
        #expect(refused(name))
        for name in ["..", "", "../state", "20260101T000000.000000X"] { #expect(refused(name)) }
        #expect(readFile("\(state)/cache.sqlite3") == before)
        #expect(try body(state) == "1")
        #expect(!DatabaseFile.names(in: state).contains { $0.contains("restoring") })
    }

    // MARK: - Kills

    private static let childState = unsafe getenv("REFRESHD_RESTORE_CHILD").map { unsafe String(cString: $0) }

    @Test("is the child of the next test", .enabled(if: BackupTests.childState != nil)) func child() throws {
        guard let state = BackupTests.childState else { return }
        let backups = BackupFolder(BackupFolder.standard(in: state))
        let name = try #require(try backups.names().last)
        _ = try Restore(state: state).run(name, of: backups)
    }

    @Test("a killed restore leaves each database whole, and can be repeated", arguments: [1, 2])
    func killed(_ times: Int) async throws {
        let folder = TemporaryFolder()
        let state = folder.path("state")
        var pair = try Pair(state, at: start)
        try await put(pair, "old")
        let backups = BackupFolder(BackupFolder.standard(in: state))
        let name = try backups.write(pair.cache, pair.durable, keep: 3, now: start).name
        try await put(pair, "new")
        await pair.stop()
        var path = [CChar](repeating: 0, count: 4_096)
        _ = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let child = try ChildProcess(
            program,
            ["--testing-library", "swift-testing", "--filter", "RefreshStoreTests.BackupTests/child"],
            in: folder,
            environment: ["REFRESHD_RESTORE_CHILD": state, "REFRESHD_FAIL_AT": "restoring:\(times)"])
        #expect(await child.wait(atMost: .seconds(60)) == .signalled(SIGKILL), "\(child.errors.suffix(500))")
        pair = try Pair(state, at: start)
        #expect(pair.cache.openReport.quarantine == nil && pair.durable.openReport.quarantine == nil)
        // The durable one is swapped first.
        let token = try await pair.durable.load("n", in: .tokens)?.value
        #expect(token == Array((times == 1 ? "new" : "old").utf8))
        #expect(try body(state) == "new")
        await pair.stop()
        _ = try Restore(state: state).run(name, of: backups)
        #expect(try body(state) == "old")
    }
}
