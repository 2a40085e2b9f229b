import CLinux
import TestSupport
import Testing

@Suite("What the daemon tells of its work", .timeLimit(.minutes(2))) struct FiguresTests {
    private func figures(_ daemon: DaemonUnderTest) async throws -> Set<String> {
        let text = try #require(await daemon.api.get("/metrics")).text
        return Set(text.split(separator: "\n").map(String.init))
    }

    @Test("a refresh shows in the feed's history and in the figures, and so does a wrong configuration")
    func figures() async throws {
        let list = Array(#"[{"id":1},{"id":2}]"#.utf8)
        let upstream = try ScriptedUpstream { request in
            request.path == "/list" ? UpstreamAnswer(body: list) : UpstreamAnswer(status: 404)
        }
        defer { upstream.stop() }
        let config = """
            version: 1
            daemon: {allow_private: true}
            feeds:
              shop: {adapter: json, url: '\(upstream.url("/list"))', key: id, every: off}
            """
        let daemon = DaemonUnderTest(config: config)
        try await daemon.start()
        #expect(try await daemon.refresh("shop") == "refreshed")
        let history = try await daemon.json("/v1/feeds/shop/history")
        let entry = try #require(history.list("refreshes").first)
        let told = ["why", "result", "requests", "status", "bytes", "added"].map {
            history.text($0, in: entry)
        }
        #expect(told == ["refresh", "refreshed", "1", "200", "\(list.count)", "2"])
        let before = try await figures(daemon)
        for line in [
            #"refreshd_refreshes_total{feed="shop",result="refreshed"} 1"#,
            #"refreshd_upstream_requests_total{class="2xx"} 1"#,
            "refreshd_upstream_bytes_total \(list.count)", #"refreshd_feed_items{feed="shop"} 2"#,
            "refreshd_config_last_reload_successful 1",
        ] { #expect(before.contains(line), "\(line)") }
        #expect(!before.contains("refreshd_store_commit_seconds_count 0"))
        daemon.folder.write("version: 1\nfeeds: {shop: {adapter: nosuch}}\n", to: "plugins.yaml")
        daemon.process?.signal(SIGHUP)
        let isSeen = try await eventually {
            try await figures(daemon).contains("refreshd_config_last_reload_successful 0")
        }
        #expect(isSeen)
        try await daemon.stop()
    }
}
