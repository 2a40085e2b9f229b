import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// Where the child of these tests works; set in the child only.
private let childFolder: String? = unsafe getenv("REFRESHD_STORE_CHILD").map { unsafe String(cString: $0) }

/// Whether the child only changes the schema, and ends.
private let childClimbs: Bool = unsafe getenv("REFRESHD_STORE_CLIMBS") != nil

/// A daemon in small: stores a number under every key, again and again, and tells what it was told is stored.
private struct Load {
    static let feed = Bench.feed("shop")
    static let keys = 40
    let folder: String

    static func time(_ number: Int) -> Timestamp { Timestamp(seconds: 1_767_225_600 + Int64(number)) }

    /// A pass in two pages whose every body is `number`, and whose progress says so too.
    private func pass(_ store: Store, _ number: Int) async throws {
        let bodies = (0..<Load.keys).map { Sample("k\($0)", "\(number)") }
        var progress = FeedProgress()
        progress.lastSuccess = Load.time(number)
        let dropped = "d\(number % 7)"
        for (part, records) in [
            (PassCommit.Part.page, Array(bodies[..<20])),
            (.last(.complete), bodies[20...] + [Sample(dropped, String(repeating: "x", count: 3_000))]),
        ] {
            let commit = PassCommit(
                feed: Load.feed, at: Load.time(number), pass: UInt64(number), part: part,
                progress: part == .page ? FeedProgress() : progress, page: Sample.page(records),
                retention: Retention(count: 100), deletes: DeletesPlan(absent: .gone))
            _ = try await store.apply(commit)
        }
    }

    /// Goes on from what is stored, until somebody ends the process.
    func run() async throws {
        while true {
            let store = try Store(folder: folder, random: Randomness(), now: Load.time(0))
            let durable = try DurableStore(folder: folder, now: Load.time(0))
            let loaded = try await store.load(feeds: [Load.feed])[Load.feed]
            let stored = loaded?.0.lastSuccess.map { Int($0.milliseconds / 1_000 - 1_767_225_600) }
            var number = max(stored ?? 0, lastAck("pass"))
            for _ in 1...12 {
                number += 1
                try await pass(store, number)
                try tell("pass", number)
                let pair = DurableStore.Pair(
                    name: "n", value: Array("\(number)".utf8), updatedAt: Load.time(number))
                try await durable.save(pair, in: .tokens)
                try tell("durable", number)
            }
            _ = try BackupFolder("\(folder)/backups").write(
                store, durable, keep: 2, now: Load.time(number))
            await offPool { store.stop() }
            await offPool { durable.stop() }
        }
    }

    private func tell(_ what: String, _ number: Int) throws {
        let file = unsafe fopen("\(folder)/ack.\(what)", "a")
        guard let file = unsafe file else { throw StoreFailure.io(reason: what) }
        unsafe fputs("\(number)\n", file)
        unsafe fclose(file)
    }

    func lastAck(_ what: String) -> Int {
        let text = readFile("\(folder)/ack.\(what)").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").compactMap { Int($0) }.max() ?? 0
    }
}

@Suite("Kills", .serialized, .timeLimit(.minutes(20))) struct KillTests {
    @Test("is the child of the other tests", .enabled(if: childFolder != nil)) func child() async throws {
        guard let childFolder else { return }
        if childClimbs {
            _ = try DatabaseFile.cache(in: childFolder, ladder: LadderTests.taller).open(now: Load.time(0))
        } else {
            try await Load(folder: childFolder).run()
        }
    }

    private func start(
        _ folder: TemporaryFolder, failAt: String? = nil, climbs: Bool = false
    ) throws -> ChildProcess {
        var environment = ["REFRESHD_STORE_CHILD": folder.path]
        if climbs { environment["REFRESHD_STORE_CLIMBS"] = "1" }
        environment["REFRESHD_FAIL_AT"] = failAt
        var path = [CChar](repeating: 0, count: 4_096)
        _ = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return try ChildProcess(
            program, ["--testing-library", "swift-testing", "--filter", "RefreshStoreTests.KillTests/child"],
            in: folder, environment: environment)
    }

    /// What was acknowledged is there, what is there belongs together, and the log did not go back.
    private func check(_ folder: TemporaryFolder, _ before: (Epoch, Seq)?) async throws -> (Epoch, Seq)? {
        let load = Load(folder: folder.path)
        let store = try Store(folder: folder.path, random: Randomness(), now: Load.time(0))
        #expect(store.openReport.quarantine == nil && !store.openReport.mayHaveLostCommits)
        let loaded = try #require(try await store.load(feeds: [Load.feed])[Load.feed])
        let durable = try DurableStore(folder: folder.path, now: Load.time(0))
        let saved = try await durable.load("n", in: .tokens).flatMap {
            Int(String(decoding: $0.value, as: UTF8.self))
        }
        #expect(saved ?? 0 >= load.lastAck("durable"))
        await offPool { durable.stop() }
        await offPool { store.stop() }
        let connection = try Connection.open(folder.path("cache.sqlite3"), for: .read)
        let verdict = try connection.prepare("PRAGMA integrity_check")
        #expect(try verdict.step() && verdict.text(0) == "ok")
        try checkBodies(folder, loaded.0, atLeast: load.lastAck("pass"))
        if let before {
            #expect(loaded.1.epoch != before.0 || loaded.1.seq >= before.1)
        }
        return (loaded.1.epoch, loaded.1.seq)
    }

    private func checkBodies(_ folder: TemporaryFolder, _ progress: FeedProgress, atLeast acked: Int) throws {
        var numbers: Set<Int> = []
        try StoreReader(folder: folder.path).items(of: Load.feed, after: nil) { row in
            if row.key.text.hasPrefix("k") {
                numbers.insert(Int(unsafe String(decoding: row.body, as: UTF8.self)) ?? -1)
            }
            return true
        }
        // Two pages may be apart by one pass, and stamps are never newer than data.
        #expect(numbers.count <= 2 && (numbers.max() ?? 0) - (numbers.min() ?? 0) <= 1)
        #expect(numbers.min() ?? 0 >= acked)
        if let success = progress.lastSuccess { #expect(success <= Load.time(numbers.min() ?? 0)) }
    }

    @Test("at every step leave a sound database that holds all that was acknowledged") func everyStep()
        async throws
    {
        let places = Set(Failpoint.allCases).subtracting([.settingAside, .salvaging, .salvaged, .restoring])
        for place in places.sorted(by: { $0.rawValue < $1.rawValue }) {
            let folder = TemporaryFolder()
            var before: (Epoch, Seq)?
            for order in [place.rawValue, "\(place.rawValue):3"] {
                // A migration happens once in a database's life.
                if order != place.rawValue, place == .migrating || place == .migrated { continue }
                let child = try start(folder, failAt: order)
                let ending = await child.wait(atMost: .seconds(60))
                #expect(ending == .signalled(SIGKILL), "\(order): \(child.errors.suffix(500))")
                before = try await check(folder, before)
            }
        }
        print("kills: at \(places.count) named places")
    }

    @Test("while a damaged database is set aside lose neither it nor the next start") func settingAside()
        async throws
    {
        let folder = TemporaryFolder()
        let garbage = [UInt8](repeating: 0x5A, count: 20_000)
        try writeFile(garbage, to: folder.path("cache.sqlite3"))
        let child = try start(folder, failAt: Failpoint.settingAside.rawValue)
        #expect(await child.wait(atMost: .seconds(60)) == .signalled(SIGKILL))
        let aside = names(in: folder.path).filter { $0.hasPrefix("cache.sqlite3.corrupt-") }
        #expect(aside.count == 1 && readFile(folder.path(aside[0])) == garbage)
        _ = try await check(folder, nil)
    }

    @Test(
        "while the schema is changed lose neither what is stored nor the copy from before",
        arguments: ["backingUp", "renamingBackup", "migrating", "migrating:2", "migrated"])
    func climbing(_ order: String) async throws {
        let folder = TemporaryFolder()
        let bench = try Bench(in: folder)
        try bench.pass((1...200).map { Sample("k\($0)", String(repeating: "\($0) ", count: 50)) })
        let before = try bench.log()
        let child = try start(folder, failAt: order, climbs: true)
        #expect(await child.wait(atMost: .seconds(60)) == .signalled(SIGKILL), "\(child.errors.suffix(500))")
        let opened = try DatabaseFile.cache(in: folder.path, ladder: LadderTests.taller).open(
            now: Load.time(0))
        #expect(opened.report.quarantine == nil)
        #expect(try opened.connection.number("SELECT count(*) FROM shades WHERE colour = 'red'") == 1)
        #expect(try bench.log() == before)
        let version = Schema.cache.version
        let copy = try Connection.open(folder.path("cache.sqlite3.schema-\(version)"), for: .read)
        #expect(try copy.number("PRAGMA user_version") == version)
        #expect(try copy.number("SELECT count(*) FROM items") == 200)
        let verdict = try copy.prepare("PRAGMA integrity_check")
        #expect(try verdict.step() && verdict.text(0) == "ok")
    }

    @Test(
        "while what still reads is saved from a damaged database lose none of it",
        arguments: [Failpoint.salvaging, .salvaged, .settingAside])
    func salvaging(_ place: Failpoint) async throws {
        let folder = TemporaryFolder()
        let damage = try SalvageTests.damaged(in: folder)
        let child = try start(folder, failAt: place.rawValue)
        #expect(await child.wait(atMost: .seconds(60)) == .signalled(SIGKILL), "\(child.errors.suffix(500))")
        let durable = try DurableStore(folder: folder.path, now: Load.time(0))
        #expect(try await durable.all(in: .pauses).count >= damage.readable)
        #expect(try await durable.doubt() != nil)
        await offPool { durable.stop() }
        #expect(names(in: folder.path).filter { $0.hasPrefix("durable.sqlite3.corrupt-") }.count >= 1)
        #expect(!names(in: folder.path).contains(".durable.sqlite3.salvaged"))
    }

    @Test("at random moments leave a sound database that holds all that was acknowledged")
    func randomMoments() async throws {
        let kills = soakRuns > 500 ? 500 : 20
        var random = Randomness()
        let folder = TemporaryFolder()
        var before: (Epoch, Seq)?
        for _ in 1...kills {
            let acked = Load(folder: folder.path).lastAck("pass")
            let child = try start(folder)
            // Only what has stored something is worth a kill.
            #expect(
                await eventually(within: .seconds(60)) { Load(folder: folder.path).lastAck("pass") > acked })
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
            child.signal(SIGKILL)
            #expect(await child.wait() == .signalled(SIGKILL), "\(child.errors.suffix(500))")
            before = try await check(folder, before)
        }
        print(
            "kills: \(kills) at random moments, \(Load(folder: folder.path).lastAck("pass")) passes acknowledged"
        )
    }

    private func names(in folder: String) -> [String] { DatabaseFile.names(in: folder) }
}
