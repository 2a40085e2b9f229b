import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Schema ladder") struct LadderTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    /// The cache of today and a step beyond it.
    private let taller = Ladder(
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
        #expect(opened.report == OpenReport(created: false, migratedFrom: Schema.cache.version))
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
