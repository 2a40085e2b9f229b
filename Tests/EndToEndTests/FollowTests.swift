import CLinux
import RefreshCore
import TestSupport
import Testing

@Suite("The program of the documentation that follows a feed", .timeLimit(.minutes(2)))
struct FollowTests {
    private static let program: String? = {
        // Tests run in the package's folder.
        let path = "docs/examples/follow.py"
        return readFile(path) == nil ? nil : path
    }()

    @Test("holds what the cache holds, through changes, deletions and a cache that begins anew")
    func follows() async throws {
        let program = try #require(FollowTests.program)
        let records = Locked((0..<700).map { "{\"id\":\($0),\"v\":1}" })
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(text: "[\(records.withLock { $0 }.joined(separator: ","))]")
        }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: """
                daemon: {allow_private: true}
                feeds:
                  shop: {adapter: json, url: '\(upstream.url("/"))', key: id, schedule: {min_gap: 0s}}
                """)
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop").count == 700 })
        #expect(try await copy(program, daemon) == 700)
        records.withLock { records in
            records.removeFirst(50)
            records[3] = #"{"id":53,"v":2}"#
            records.append(#"{"id":1000,"v":1}"#)
        }
        try await daemon.refresh("shop")
        #expect(try await copy(program, daemon) == 651)
        // The cache is lost: every key is void, and the program begins anew.
        try await daemon.stop()
        for name in ["cache.sqlite3", "cache.sqlite3-wal", "cache.sqlite3-shm"] {
            _ = unsafe unlink("\(daemon.state)/\(name)")
        }
        records.withLock { $0.removeFirst(10) }
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop").count == 641 })
        #expect(try await copy(program, daemon) == 641)
        try await daemon.stop()
    }

    /// Runs the program to the end of the changes; the number of items that it then holds.
    private func copy(_ program: String, _ daemon: DaemonUnderTest) async throws -> Int {
        let database = daemon.folder.path("copy.sqlite3")
        let run = try ChildProcess(
            "/usr/bin/env", ["python3", program, daemon.socket, "shop", database, "--once"],
            in: daemon.folder, name: "follow")
        #expect(await run.wait() == .exited(0), "\(run.errors)")
        let count = try ChildProcess(
            "/usr/bin/sqlite3", [database, "SELECT count(*) FROM items"], in: daemon.folder,
            name: "count")
        #expect(await count.wait() == .exited(0))
        return Int(count.output.split(separator: "\n").last ?? "") ?? -1
    }
}
