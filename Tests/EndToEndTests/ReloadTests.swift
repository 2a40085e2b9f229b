import CLinux
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@Suite("A reload of the built daemon", .timeLimit(.minutes(2)))
struct ReloadTests {
    private func config(_ feeds: String, every: String = "1h") -> String {
        """
        version: 1
        daemon: {allow_private: true, origin_gap: 0s}
        defaults: {every: \(every), schedule: {min_gap: 0s}}
        feeds:
        \(feeds)
        """
    }

    private func feed(_ name: String, _ upstream: ScriptedUpstream) -> String {
        "  \(name): {adapter: json, url: '\(upstream.url("/\(name)"))', key: id}\n"
    }

    private func control(_ daemon: DaemonUnderTest) -> UnixHTTP {
        UnixHTTP(socket: daemon.folder.path("control.sock"))
    }

    private func document(_ answer: UnixHTTP.Answer?) throws -> JSONDocument {
        try JSONDocument(parsing: PaddedBytes(try #require(answer).body))
    }

    @Test("adds and removes feeds, and leaves the others as they are")
    func applies() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(headers: [("ETag", "\"1\"")], text: #"[{"id":"\#(request.target)"}]"#)
        }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(feed("a", upstream) + feed("b", upstream)))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("a") == ["/a"] })
        #expect(try await eventually { try await daemon.keys("b") == ["/b"] })
        let key = try await daemon.syncKey("a")
        daemon.folder.write(config(feed("a", upstream) + feed("c", upstream)), to: "plugins.yaml")
        let answer = await control(daemon).post("/v1/reload", json: "")
        #expect(answer?.status == 200)
        let report = try document(answer)
        #expect(report.text("generation") == "2")
        #expect(report.list("added").count == 1)
        #expect(report.list("removed").count == 1)
        #expect(report.text("unchanged") == "1")
        let isThere = await eventually { await daemon.api.get("/v1/feeds/c/items/%2Fc")?.status == 200 }
        #expect(isThere)
        #expect(await daemon.api.get("/v1/feeds/b")?.status == 404)
        #expect(try await daemon.syncKey("a") == key)
        // What did not change was asked once, at the start.
        #expect(upstream.requests.filter { $0.target == "/a" }.count == 1)
        try await daemon.stop()
    }

    @Test("a wrong file changes nothing and is told with line and column, to whoever asks and in the log")
    func refuses() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(feed("a", upstream)))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("a") == ["1"] })
        daemon.folder.write(
            config(feed("a", upstream) + "  bad: {adapter: json, urll: x}\n"), to: "plugins.yaml")
        let answer = await control(daemon).post("/v1/reload", json: "")
        #expect(answer?.status == 422)
        #expect(answer?.text.contains("urll") == true)
        #expect(answer?.text.contains(#""line":6"#) == true)
        daemon.process?.signal(SIGHUP)
        let isLogged = await eventually { daemon.process?.errors.contains("plugins.yaml:6:") == true }
        #expect(isLogged)
        #expect(try await daemon.keys("a") == ["1"])
        daemon.folder.write(config(feed("a", upstream) + feed("b", upstream)), to: "plugins.yaml")
        daemon.process?.signal(SIGHUP)
        let isThere = await eventually {
            await daemon.api.get("/v1/feeds/b/items/1")?.status == 200
        }
        #expect(isThere)
        try await daemon.stop()
    }

    @Test("at the start a feed that is wrong stays away from the others, and says why")
    func startsWithOneBadFeed() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: config(feed("a", upstream) + "  bad: {adapter: json, urll: x, key: id}\n"))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("a") == ["1"] })
        let bad = try await daemon.json("/v1/feeds/bad")
        #expect(bad.text("state") == "config-error")
        #expect(bad.list("alarms").first.map { bad.text(of: $0).count > 10 } == true)
        try await daemon.stop()
    }

    @Test("a pause lasts over a restart, and ends when it is told to")
    func pauses() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1}]"#) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: config(feed("a", upstream)))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("a") == ["1"] })
        #expect(await control(daemon).post("/v1/feeds/a/pause", json: "")?.status == 200)
        #expect(try await daemon.json("/v1/feeds/a").text("state") == "paused")
        try await daemon.kill()
        try await daemon.start()
        #expect(try await daemon.json("/v1/feeds/a").text("state") == "paused")
        #expect(await control(daemon).post("/v1/feeds/a/resume", json: "")?.status == 200)
        #expect(try await daemon.json("/v1/feeds/a").text("state") == "active")
        try await daemon.stop()
    }
}
