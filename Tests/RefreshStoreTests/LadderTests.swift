import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Schema ladder") struct LadderTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    private var taller: Ladder { LadderTests.taller }
    /// The cache of today and a step beyond it.
    static let taller = Ladder(
        steps: Schema.cache.steps + [
            "ALTER TABLE feeds ADD COLUMN colour TEXT; UPDATE feeds SET colour = 'red'",
            "CREATE TABLE shades (colour TEXT NOT NULL) STRICT; INSERT INTO shades SELECT colour FROM feeds",
        ], probes: ["SELECT colour FROM shades LIMIT 1"])

    @Test("climbs from an older version with everything that was stored, and says from where") func climbs()
        throws
    {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder)
        try bench.pass([Sample("a"), Sample("b")])
        try bench.writer.finish()
        let before = try bench.log()
        let opened = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        let from = Schema.cache.version
        let copy = folder.path("cache.sqlite3.schema-\(from)")
        #expect(opened.report == OpenReport(created: false, migratedFrom: from, schemaBackup: copy))
        #expect(try opened.connection.number("SELECT count(*) FROM shades WHERE colour = 'red'") == 1)
        #expect(try bench.log() == before)
        let again = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        #expect(again.report == OpenReport(created: false))
    }

    @Test("a program of the older schema refuses the newer, names both versions and leaves every byte")
    func refuses() throws {
        let folder = TemporaryFolder()
        _ = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        let path = folder.path("cache.sqlite3")
        let before = readFile(path)
        #expect(
            throws: StoreFailure.newerSchema(path: path, found: taller.version, known: Schema.cache.version)
        ) {
            _ = try DatabaseFile.cache(in: folder.path).open(now: now)
        }
        #expect(readFile(path) == before)
    }

    @Test("the program of before is told which copy it can read, and goes on from it")
    func goesBack() throws {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder)
        try bench.pass([Sample("a"), Sample("b")])
        let before = try bench.log()
        try bench.writer.finish()
        _ = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        let path = folder.path("cache.sqlite3")
        let known = Schema.cache.version
        let copy = folder.path("cache.sqlite3.schema-\(known)")
        let failure = StoreFailure.newerSchema(path: path, found: taller.version, known: known, backup: copy)
        #expect(throws: failure) { _ = try DatabaseFile.cache(in: folder.path).open(now: now) }
        #expect(failure.detail.contains("version \(taller.version)") && failure.detail.contains(copy))
        for left in ["", "-wal", "-shm"] { _ = unsafe unlink(path + left) }
        try #require(unsafe rename(copy, path) == 0)
        let opened = try CacheFile(folder: folder.path).open(now: now)
        #expect(opened.report.quarantine == nil)
        #expect(try bench.log() == before)
    }

    @Test("of copies from before two are kept, the newest") func bounded() throws {
        let folder = TemporaryFolder()
        var steps = Schema.cache.steps
        _ = try Bench(in: folder).pass([Sample("a")])
        for number in 1...5 {
            steps.append("CREATE TABLE more\(number) (a TEXT) STRICT")
            _ = try DatabaseFile.cache(in: folder.path, ladder: Ladder(steps: steps, probes: [])).open(
                now: now)
        }
        let copies = DatabaseFile.names(in: folder.path).filter { $0.contains(".schema-") }.sorted()
        let last = steps.count - 1
        #expect(copies == ["cache.sqlite3.schema-\(last - 1)", "cache.sqlite3.schema-\(last)"])
    }

    @Test("without room for a copy a cache changes all the same, and what must not be lost does not")
    func noRoom() throws {
        let folder = TemporaryFolder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=4m") == 0 else {
            print("no room for a copy: skipped, a file system of its own needs root")
            return
        }
        defer { _ = unsafe umount2(folder.path, CInt(MNT_DETACH)) }
        let bench = try Bench(in: folder)
        for round in 1...3 {
            let records = (0..<100).map { Sample("\(round)-\($0)", String(repeating: "x", count: 6_000)) }
            try bench.pass(records, complete: false)
            try bench.writer.checkpoint()
        }
        try bench.writer.finish()
        let path = folder.path("cache.sqlite3")
        let opened = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        #expect(opened.report.migratedFrom == Schema.cache.version && opened.report.schemaBackup == nil)
        let strict = DatabaseFile(
            folder: folder.path, name: "cache.sqlite3",
            ladder: Ladder(steps: taller.steps + ["CREATE TABLE more (a TEXT) STRICT"], probes: []),
            safety: .full, limit: nil)
        #expect(throws: StoreFailure.full) { _ = try strict.open(now: now) }
        #expect(try Connection.open(path, for: .read).number("PRAGMA user_version") == taller.version)
        #expect(!DatabaseFile.names(in: folder.path).contains { $0.contains("schema-") })
    }

    @Test("a step that fails leaves the version before it, and the next start goes on from there")
    func resumes() throws {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder)
        try bench.pass([Sample("a")])
        try bench.writer.finish()
        var steps = taller.steps
        steps[steps.count - 1] = "CREATE TABLE shades (colour TEXT); INSERT INTO nowhere VALUES (1)"
        let path = folder.path("cache.sqlite3")
        do {
            let connection = try Connection.open(path, for: .write)
            #expect(throws: StoreFailure.self) {
                try Ladder(steps: steps, probes: []).migrate(connection, from: Schema.cache.version)
            }
        }
        do {
            let connection = try Connection.open(path, for: .read)
            #expect(try taller.version(of: connection) == taller.version - 1)
            #expect(try connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'shades'") == 0)
        }
        let opened = try DatabaseFile.cache(in: folder.path, ladder: taller).open(now: now)
        #expect(opened.report.migratedFrom == taller.version - 1)
        #expect(try bench.log() == ["1 a=1"])
    }
}
