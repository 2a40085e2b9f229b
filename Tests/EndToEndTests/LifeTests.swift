import RefreshCore
import TestSupport
import Testing

@Suite("The daemon's life", .timeLimit(.minutes(2))) struct LifeTests {
    private func config(_ feeds: String, daemon: String = "allow_private: true") -> String {
        "version: 1\ndaemon: {\(daemon)}\nfeeds:\n\(feeds)"
    }

    @Test(
        "never starts half a daemon on a wrong configuration, and says where it is wrong",
        arguments: [
            ("daemon:\n  sockett: {}\nfeeds: {}\n", 2, "sockett"),
            ("feeds:\n  shop: {adapter: json\n", 3, "plugins.yaml"),
        ])
    func refusesWrongConfiguration(text: String, line: Int, word: String) async throws {
        let daemon = DaemonUnderTest(config: text)
        let process = try daemon.launch()
        #expect(await process.wait() == .exited(78))
        #expect(process.errors.contains("plugins.yaml:\(line):"))
        #expect(process.errors.contains(word))
        #expect(UnixHTTP.connected(to: daemon.socket) == nil)
        #expect(readFile("\(daemon.state)/cache.sqlite3") == nil)
    }

    @Test("ends in order within its time while an upstream stalls")
    func stopsWhileUpstreamStalls() async throws {
        let upstream = try ScriptedUpstream { _ in .silence() }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: config("  slow: {adapter: json, url: '\(upstream.url("/"))', key: id}\n"))
        try await daemon.start()
        await upstream.received(1)
        try await daemon.stop(within: .seconds(10))
        #expect(UnixHTTP.connected(to: daemon.socket) == nil)
    }

    @Test("serves a fast feed while a neighbour stalls and another fails")
    func neighboursDoNotWait() async throws {
        let stalling = try ScriptedUpstream { _ in .silence() }
        let failing = try ScriptedUpstream { _ in UpstreamAnswer(status: 500) }
        let fast = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1},{"id":2}]"#) }
        defer { for upstream in [stalling, failing, fast] { upstream.stop() } }
        let daemon = DaemonUnderTest(
            config: config(
                """
                  a-slow: {adapter: json, url: '\(stalling.url("/"))', key: id}
                  b-broken: {adapter: json, url: '\(failing.url("/"))', key: id}
                  c-fast: {adapter: json, url: '\(fast.url("/"))', key: id}

                """))
        try await daemon.start()
        await stalling.received(1)
        #expect(try await eventually { try await daemon.keys("c-fast").count == 2 })
        try await daemon.stop()
    }

    @Test("passes bodies on as the upstream wrote them")
    func bodiesVerbatim() async throws {
        let record = #"{ "id" : 12345678901234567890, "price": 1.10, "note":"caf\u00e9", "big": 1e400 }"#
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[\(record)]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: config("  shop: {adapter: json, url: '\(upstream.url("/"))', key: id}\n"))
        try await daemon.start()
        #expect(try await eventually { try await daemon.keys("shop") == ["12345678901234567890"] })
        let item = try #require(await daemon.api.get("/v1/feeds/shop/items/12345678901234567890"))
        #expect(item.text.contains(record))
        try await daemon.stop()
    }

    @Test("refuses a private address that nobody has allowed")
    func refusesPrivateAddress() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: config(
                "  shop: {adapter: json, url: '\(upstream.url("/"))', key: id, schedule: {min_gap: 0s}}\n",
                daemon: "concurrency: 2"))
        try await daemon.start()
        #expect(try await daemon.refresh("shop") == "failed")
        #expect(upstream.requests.isEmpty)
        try await daemon.stop()
    }
}
