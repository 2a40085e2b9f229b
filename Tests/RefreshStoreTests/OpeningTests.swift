import CLinux
import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Opening") struct OpeningTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func mode(of path: String) throws -> mode_t {
        var about = stat()
        try #require(unsafe stat(path, &about) == 0)
        return about.st_mode & 0o7777
    }

    /// A folder with a closed cache of 300 items, and the database's path.
    private func filled() throws -> (TemporaryFolder, String) {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder)
        try bench.pass((1...300).map { Sample("k\($0)", String(repeating: "\($0) ", count: 20)) })
        try bench.writer.checkpoint()
        return (folder, CacheFile(folder: folder.path).path)
    }

    @Test("makes the folder and its file for the daemon's user alone") func permissions() throws {
        let folder = TemporaryFolder()
        let cache = CacheFile(folder: folder.path("state"))
        let opened = try cache.open(now: now)
        #expect(opened.report == OpenReport(created: true, mayHaveLostCommits: false, migratedFrom: nil))
        #expect(try mode(of: folder.path("state")) == 0o700)
        #expect(try mode(of: cache.path) == 0o600)
        #expect(try mode(of: cache.path + "-wal") == 0o600)
    }

    @Test("keeps everything over a restart, and the epoch with it") func restart() throws {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder, seed: 1)
        try bench.pass([Sample("a"), Sample("b")])
        let before = try bench.head()
        let opened = try CacheFile(folder: folder.path).open(now: now)
        #expect(opened.report == OpenReport(created: false, mayHaveLostCommits: false, migratedFrom: nil))
        bench.writer = try Writer(opened, random: Randomness(seed: 2))
        #expect(try bench.head() == before)
        #expect(try bench.pass([Sample("a"), Sample("b")]).counts.isEmpty)
    }

    @Test("gives every feed an epoch of its own") func epochs() throws {
        let bench = try Bench()
        let loaded = try bench.writer.load([Bench.feed("one"), Bench.feed("two"), Bench.feed("one")])
        #expect(loaded.count == 2)
        #expect(Set(loaded.values.map(\.1.epoch)).count == 2)
        #expect(loaded.values.allSatisfy { $0.0 == FeedProgress() && $0.1.items == 0 })
    }

    @Test("refuses a newer schema by both numbers and leaves every byte as it was") func newerSchema() throws
    {
        let (folder, path) = try filled()
        // Left in the log, as a killed newer daemon would leave it.
        let newer = try Connection.open(path, for: .write)
        try newer.checkpointOnClose(false)
        try newer.execute("PRAGMA user_version = \(Schema.cache.version + 1)")
        let before = [readFile(path), readFile("\(path)-wal")]
        let failure = StoreFailure.newerSchema(
            path: path, found: Schema.cache.version + 1, known: Schema.cache.version)
        for _ in 1...2 {
            #expect(throws: failure) { _ = try CacheFile(folder: folder.path).open(now: now) }
        }
        #expect([readFile(path), readFile("\(path)-wal")] == before)
        let known = Schema.cache.version
        #expect(failure.detail.contains("version \(known + 1)") && failure.detail.contains("up to \(known)"))
    }

    enum Damage: String, CaseIterable {
        case header, page, schemaPage, truncated, short, text, foreign
    }

    private func damage(_ path: String, _ damage: Damage) throws {
        var bytes = try #require(readFile(path))
        switch damage {
        case .header: bytes.replaceSubrange(0..<16, with: repeatElement(0x55, count: 16))
        case .page:
            bytes.replaceSubrange((8_192 * 4)..<(8_192 * 4 + 4_000), with: repeatElement(0xA5, count: 4_000))
        case .schemaPage: bytes.replaceSubrange(100..<8_192, with: repeatElement(0x00, count: 8_092))
        case .truncated: bytes.removeLast(bytes.count / 2)
        case .short: bytes.removeLast(bytes.count - 50)
        case .text:
            bytes = Array("feeds:\n  - this is a configuration file, saved under the wrong name\n".utf8)
        case .foreign:
            bytes = []
        }
        try writeFile(bytes, to: path)
        if damage == .foreign {
            try Connection.open(path, for: .write).execute("CREATE TABLE items (theirs)")
        }
    }

    @Test(
        "sets a damaged database aside, says so, and begins anew with a new epoch", arguments: Damage.allCases
    )
    func damaged(_ damage: Damage) throws {
        let (folder, path) = try filled()
        try self.damage(path, damage)
        let spoilt = readFile(path)
        let opened = try CacheFile(folder: folder.path).open(now: now)
        let aside = "\(path).corrupt-20260101T000000Z"
        #expect(opened.report.created)
        #expect(opened.report.quarantine?.path == aside)
        #expect(opened.report.quarantine?.reason.isEmpty == false)
        if damage != .foreign { #expect(readFile(aside) == spoilt) }
        let writer = try Writer(opened, random: Randomness(seed: 9))
        let loaded = try writer.load([Bench.feed("shop")])[Bench.feed("shop")]
        #expect(loaded?.1.items == 0)
        #expect(loaded?.1.epoch == Epoch(firstOf: 9))
        #expect(loaded?.1.epoch != Epoch(firstOf: 1))
    }

    @Test("takes an empty file for a new one") func emptyFile() throws {
        let (folder, path) = try filled()
        try writeFile([], to: path)
        let opened = try CacheFile(folder: folder.path).open(now: now)
        #expect(opened.report == OpenReport(created: true, mayHaveLostCommits: false, migratedFrom: nil))
    }

    @Test("keeps the last three that were set aside") func quarantines() throws {
        let folder = TemporaryFolder()
        let cache = CacheFile(folder: folder.path)
        for day in 0..<5 {
            // The log of the one before would make it whole again.
            _ = unsafe unlink("\(cache.path)-wal")
            try writeFile(Array("no database, number \(day)".utf8), to: cache.path)
            _ = try cache.open(now: now + .seconds(86_400 * day))
        }
        let kept = (0..<5).map { readFile("\(cache.path).corrupt-2026010\($0 + 1)T000000Z") != nil }
        #expect(kept == [false, false, true, true, true])
    }

    @Test("follows no link to somebody else's file") func links() throws {
        let folder = TemporaryFolder()
        let target = folder.write("precious", to: "target")
        let cache = CacheFile(folder: folder.path)
        try #require(unsafe symlink(target, cache.path) == 0)
        #expect(throws: StoreFailure.self) { _ = try cache.open(now: now) }
        #expect(readFile(target) == Array("precious".utf8))
    }

    @Test("makes the folders above that are missing, and names what is in the way") func missingFolders()
        throws
    {
        let folder = TemporaryFolder()
        _ = try CacheFile(folder: folder.path("a/b/state/")).open(now: now)
        #expect(readFile(folder.path("a/b/state/cache.sqlite3")) != nil)
        let path = folder.path("file/state")
        folder.write("", to: "file")
        #expect(throws: StoreFailure.cannotOpen(path: path, reason: "Not a directory")) {
            _ = try CacheFile(folder: path).open(now: now)
        }
    }
}

extension Epoch {
    fileprivate init(firstOf seed: UInt64) {
        var random = Randomness(seed: seed)
        self.init(random.next())
    }
}
