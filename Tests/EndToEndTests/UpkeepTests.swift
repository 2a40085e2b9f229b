import CLinux
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// Purge, reset, backup, log level and the running configuration of the built daemon.
@Suite("Upkeep of the built daemon", .timeLimit(.minutes(2))) struct UpkeepTests {
    private func config(_ url: String, more: String = "") -> String {
        """
        version: 1
        daemon: {allow_private: true, origin_gap: 0s, log: {level: notice}\(more)}
        feeds:
          shop: {adapter: json, url: '\(url)', key: id, every: 1h, schedule: {min_gap: 0s}}
        """
    }

    private func document(_ answer: UnixHTTP.Answer?, _ status: Int = 200) throws -> JSONDocument {
        let answer = try #require(answer)
        #expect(answer.status == status, "\(answer.text)")
        return try JSONDocument(parsing: PaddedBytes(answer.body))
    }

    @Test("a purge is told to a parked long-poll, a stream and whoever holds a key, and kept answers go")
    func purge() async throws {
        let upstream = try ScriptedUpstream {
            .document(Array(#"[{"id":1},{"id":2}]"#.utf8), etag: "\"1\"", to: $0)
        }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/")))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop") == ["2", "1"] })
        let key = try await daemon.syncKey("shop")
        let (api, socket) = (daemon.api, daemon.socket)
        #expect(await api.get("/v1/feeds/shop/items/1")?.status == 200)
        #expect(await daemon.control.post("/v1/feeds/shop/pause", json: "")?.status == 200)
        async let parked = api.get("/v1/feeds/shop/changes?since=\(key)&wait=30s")
        async let stream = Self.lines(of: socket, key)
        // These two, and who asks.
        #expect(
            await eventually {
                await api.get("/metrics")?.text.contains("refreshd_api_clients 3") == true
            })
        let purged = try document(await daemon.control.post("/v1/feeds/shop/purge", json: "{}"))
        #expect(purged.text("purged_items") == "2")
        let told = try document(await parked, 410)
        #expect(told.text("code") == "resync" && told.text("reason") == "epoch")
        #expect(await stream.contains("event: resync"))
        #expect(try await daemon.keys("shop") == [])
        #expect(await api.get("/v1/feeds/shop/items/1")?.status != 200)
        #expect(try await daemon.syncKey("shop") != key)
        // An empty cache is not filled by a 304.
        #expect(await daemon.control.post("/v1/feeds/shop/resume", json: "")?.status == 200)
        #expect(try await eventually { try await daemon.keys("shop") == ["2", "1"] })
        #expect(upstream.requests.last?.header("if-none-match") == nil)
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.keys("shop") == ["2", "1"])
        #expect(await daemon.api.get("/v1/feeds/shop/changes?since=\(key)")?.status == 410)
        try await daemon.stop()
    }

    /// What a stream says until it ends.
    private static func lines(of socket: String, _ key: String) async -> String {
        await offPool {
            guard let connection = UnixHTTP.connected(to: socket) else { return "" }
            defer { _ = close(connection) }
            let request = Array(
                "GET /v1/feeds/shop/changes?since=\(key) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                    .utf8)
            guard unsafe write(connection, request, request.count) == request.count else { return "" }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 4_096)
            while !String(decoding: bytes, as: UTF8.self).contains("event: resync") {
                let count = unsafe read(connection, &part, part.count)
                guard count > 0 else { break }
                bytes.append(contentsOf: part[..<count])
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("a reset keeps items and keys, and the next refresh asks for everything") func reset() async throws
    {
        let upstream = try ScriptedUpstream {
            .document(Array(#"[{"id":1}]"#.utf8), etag: "\"1\"", to: $0)
        }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/")))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop") == ["1"] })
        try await daemon.landed("shop")
        let key = try await daemon.syncKey("shop")
        #expect(await daemon.control.post("/v1/feeds/shop/reset", json: "")?.status == 200)
        #expect(try await daemon.keys("shop") == ["1"])
        #expect(try await daemon.refresh("shop") == "unchanged")
        #expect(upstream.requests.last?.header("if-none-match") == nil)
        #expect(try await daemon.changes("shop", since: key) == [])
        try await daemon.stop()
    }

    @Test("a backup holds what was there, whatever comes after it") func backup() async throws {
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: #"[{"id":\#($0.order)}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/"), more: ", backup: {keep: 2}"))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop") == ["1"] })
        var names: [String] = []
        for _ in 1...3 {
            let answer = try document(await daemon.control.post("/v1/backup", json: "{}"))
            #expect(answer.text("folder") == "\(daemon.state)/backups" && answer.text("kept") == "2")
            names.append(try #require(answer.text("name")))
        }
        #expect(readFile("\(daemon.state)/backups/\(names[0])/cache.sqlite3") == nil)
        for name in names[1...] {
            for file in ["cache", "durable"] {
                let bytes = readFile("\(daemon.state)/backups/\(name)/\(file).sqlite3")
                #expect(bytes?.starts(with: Array("SQLite format 3".utf8)) == true)
            }
        }
        try await daemon.stop()
    }

    @Test("the folder of backups is looked at each time: one that became a link is refused")
    func untrustedFolder() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/"), more: ", backup: {folder: copies}"))
        try await daemon.start()
        #expect(await daemon.control.post("/v1/backup", json: "")?.status == 200)
        let (copies, other) = (daemon.folder.path("copies"), daemon.folder.path("other"))
        #expect(unsafe rename(copies, other) == 0 && symlink(other, copies) == 0)
        let answer = try document(await daemon.control.post("/v1/backup", json: ""), 500)
        #expect(answer.text("code") == "backup-failed")
        #expect(answer.text("detail")?.contains("a link") == true)
        try await daemon.stop()
    }

    @Test(
        "the log level is changed while the daemon runs, and a file that says something new changes it back")
    func logLevel() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/")))
        try await daemon.start()
        try await daemon.refresh("shop")
        #expect(daemon.process?.errors.contains("feed shop:") == false)
        let changed = try document(await daemon.control.post("/v1/log-level", json: #"{"level":"debug"}"#))
        #expect(changed.text("level") == "debug" && changed.text("was") == "notice")
        try await daemon.refresh("shop")
        #expect(await eventually { daemon.process?.errors.contains("feed shop:") == true })
        // The same file says nothing new.
        #expect(await daemon.control.post("/v1/reload", json: "")?.status == 200)
        #expect(try document(await daemon.control.post("/v1/log-level", json: "")).text("level") == "debug")
        let file = config(upstream.url("/"))
        daemon.folder.write("\(file.replacing("level: notice", with: "level: warning"))", to: "plugins.yaml")
        #expect(await daemon.control.post("/v1/reload", json: "")?.status == 200)
        #expect(try document(await daemon.control.post("/v1/log-level", json: "")).text("level") == "warning")
        try await daemon.stop()
    }

    @Test("what runs is told although the file says something else by now, and a check tells of the file")
    func configuration() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(upstream.url("/")))
        try await daemon.start()
        daemon.folder.write(config(upstream.url("/other")) + "\n  bad: {urll: x}\n", to: "plugins.yaml")
        let checked = try document(await daemon.control.post("/v1/config/check", json: ""))
        #expect(checked.flag("valid") == false && checked.list("errors").count >= 1)
        let running = await daemon.control.get("/v1/config?feed=shop")
        #expect(running?.text.contains(#""value":"\#(upstream.url("/"))""#) == true)
        #expect(running?.text.contains("/other") == false)
        #expect(try document(running).text("generation") == "1")
        daemon.folder.write(config(upstream.url("/other")), to: "plugins.yaml")
        let difference = try await refreshctl(daemon, ["diff", daemon.folder.path("plugins.yaml")])
        #expect(difference.code == .exited(1))
        #expect(
            difference.output
                == "~ shop: request.url \(upstream.url("/")) -> \(upstream.url("/other"))\n",
            "\(difference.errors)")
        #expect(await daemon.control.post("/v1/reload", json: "")?.status == 200)
        let same = try await refreshctl(daemon, ["diff", daemon.folder.path("plugins.yaml")])
        #expect(same.code == .exited(0) && same.output.isEmpty)
        #expect(await daemon.control.get("/v1/config?feed=shop")?.text.contains("/other") == true)
        try await daemon.stop()
    }

    private func refreshctl(
        _ daemon: DaemonUnderTest, _ words: [String]
    ) async throws -> (code: ChildProcess.Ending?, output: String, errors: String) {
        let folder = TemporaryFolder()
        let process = try ChildProcess(
            "\(productsFolder)/refreshctl", words, in: folder,
            environment: ["REFRESHD_SOCKET": daemon.socket])
        let code = await process.wait()
        return (code, process.output, process.errors)
    }
}
