import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// The built daemon and syndication feeds that are not as one would wish.
@Suite("The daemon on odd feeds", .timeLimit(.minutes(3))) struct OddFeedTests {
    private static func rss(_ items: [String]) -> String {
        "<rss version='2.0'><channel><title>odd</title>\(items.joined())</channel></rss>"
    }

    private static func item(_ number: Int, id: String, text: String = "") -> String {
        "<item><guid isPermaLink='false'>\(id)</guid><link>https://example.org/\(number)</link>"
            + "<title>t\(number)</title><description>w\(text)</description></item>"
    }

    private func daemon(_ upstream: ScriptedUpstream, _ settings: String = "") -> DaemonUnderTest {
        DaemonUnderTest(
            config: """
                version: 1
                daemon: {allow_private: true}
                feeds:
                  odd:
                    adapter: feed
                    every: 1h
                    schedule: {min_gap: 0s}
                    url: \(upstream.url("/feed"))
                    \(settings)
                """)
    }

    private func alarms(_ daemon: DaemonUnderTest) async throws -> [String] {
        let status = try await daemon.json("/v1/feeds/odd")
        return status.list("alarms").map { String(decoding: status.string(of: $0) ?? [], as: UTF8.self) }
    }

    private func filled(_ daemon: DaemonUnderTest, _ count: Int) async throws {
        let isThere = try await eventually { try await daemon.keys("odd").count == count }
        #expect(isThere, "\(daemon.process?.errors ?? "")")
        try await daemon.landed("odd")
    }

    @Test("a new scheme of ids makes nothing new; the old keys say which ones took their place")
    func newScheme() async throws {
        let isNew = UpstreamSwitch()
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                text: Self.rss((0..<10).map { Self.item($0, id: isNew.isOn ? "urn:\($0)" : "\($0)") }))
        }
        defer { upstream.stop() }
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon, 10)
        let key = try await daemon.syncKey("odd")
        isNew.turnOn()
        #expect(try await daemon.refresh("odd") == "refreshed")
        #expect(try await Set(daemon.keys("odd")) == Set((0..<10).map { "urn:\($0)" }))
        let answer = try await daemon.json("/v1/feeds/odd/changes?since=\(key)&limit=1000")
        let changes = answer.list("changes")
        #expect(changes.count == 20)
        #expect(changes.filter { answer.text("created", in: $0) == "true" }.isEmpty)
        let deleted = changes.filter { answer.text("op", in: $0) == "delete" }
        #expect(deleted.count == 10)
        for change in deleted {
            #expect(answer.text("reason", in: change) == "replaced")
            #expect(answer.text("replaced_by", in: change) == "urn:\(answer.text("key", in: change) ?? "")")
        }
        let item = try await daemon.json("/v1/feeds/odd/items/urn:3")
        #expect(item.text("rekeyed_from") == "3")
        #expect(try await alarms(daemon).contains { $0.hasPrefix("id_churn") })
        // The alarm lasts over a restart, and ends with the next document whose ids hold.
        try await daemon.kill()
        try await daemon.start()
        #expect(try await alarms(daemon).contains { $0.hasPrefix("id_churn") })
        _ = try await daemon.refresh("odd", mode: "force")
        #expect(try await daemon.keys("odd").count == 10)
        try await daemon.stop()
    }

    @Test("ids that change with each fetch never make an item new, and end up as no keys at all")
    func churn() async throws {
        let fetches = UpstreamSwitch()
        let upstream = try ScriptedUpstream { _ in
            let fetch = fetches.next()
            return UpstreamAnswer(text: Self.rss((0..<10).map { Self.item($0, id: "\(fetch)-\($0)") }))
        }
        defer { upstream.stop() }
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon, 10)
        let key = try await daemon.syncKey("odd")
        for _ in 0..<5 {
            #expect(try await daemon.refresh("odd") == "refreshed")
            #expect(try await daemon.keys("odd").count == 10)
        }
        #expect(try await daemon.keys("odd").allSatisfy { $0.hasPrefix("https://example.org/") })
        let answer = try await daemon.json("/v1/feeds/odd/changes?since=\(key)&limit=1000")
        #expect(answer.list("changes").allSatisfy { answer.text("created", in: $0) != "true" })
        #expect(try await alarms(daemon).contains { $0.hasPrefix("id_churn") })
        try await daemon.stop()
    }

    @Test("what the configuration says decides from the first document on")
    func forced() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(text: Self.rss((0..<3).map { Self.item($0, id: "\($0)") }))
        }
        defer { upstream.stop() }
        let daemon = daemon(upstream, "key_policy: link")
        try await daemon.start()
        try await filled(daemon, 3)
        #expect(try await Set(daemon.keys("odd")) == Set((0..<3).map { "https://example.org/\($0)" }))
        try await daemon.stop()
    }

    @Test("a text that flaps is told of 24 times, and the feed's status says so")
    func flapping() async throws {
        let fetches = UpstreamSwitch()
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                text: Self.rss([Self.item(1, id: "1", text: "\(fetches.next())"), Self.item(2, id: "2")]))
        }
        defer { upstream.stop() }
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon, 2)
        for _ in 0..<24 { #expect(try await daemon.refresh("odd") == "refreshed") }
        let key = try await daemon.syncKey("odd")
        for _ in 0..<3 { #expect(try await daemon.refresh("odd") == "unchanged") }
        #expect(try await daemon.syncKey("odd") == key)
        #expect(try await daemon.json("/v1/feeds/odd/items/1").text("rev") == "25")
        #expect(try await alarms(daemon).contains { $0.hasPrefix("flapping: $.") })
        try await daemon.stop()
    }
}
