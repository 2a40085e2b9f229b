import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@Suite("The daemon on a document", .timeLimit(.minutes(2))) struct DocumentFeedTests {
    private static let upstreamTag = "\"logo-1\""

    @Test("serves its bytes as they came, conditionally, over a restart, and with the upstream gone")
    func document() async throws {
        var random = Randomness(seed: 3)
        let first = (0..<700_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let second = Array("second".utf8)
        let isNew = UpstreamSwitch()
        let upstream = try ScriptedUpstream { request in
            let isSecond = isNew.isOn
            let tag = isSecond ? "\"logo-2\"" : Self.upstreamTag
            if request.header("if-none-match") == tag {
                return UpstreamAnswer(status: 304, headers: [("ETag", tag)])
            }
            return UpstreamAnswer(
                headers: [
                    ("Content-Type", "image/x-logo"), ("ETag", tag),
                    ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
                ], body: isSecond ? second : first)
        }
        let daemon = DaemonUnderTest(
            config: """
                version: 1
                daemon: {allow_private: true}
                feeds:
                  logo: {adapter: http, every: 1h, schedule: {min_gap: 0s}, url: \(upstream.url("/logo"))}
                """)
        try await daemon.start()
        let target = "/v1/feeds/logo/document"
        #expect(await eventually { await daemon.api.get(target)?.status == 200 })
        try await daemon.landed("logo")
        let answer = try #require(await daemon.api.get(target))
        #expect(answer.body == first)
        #expect(answer.headers.first("Content-Type") == "image/x-logo")
        #expect(answer.headers.first("ETag") == Self.upstreamTag)
        #expect(answer.headers.first("Last-Modified") == "Mon, 01 Jan 2024 00:00:00 GMT")
        let condition = ["If-None-Match: \(Self.upstreamTag)"]
        #expect(await daemon.api.get(target, headers: condition)?.status == 304)
        // A 304 from the upstream leaves everything as it is.
        #expect(try await daemon.refresh("logo") == "unchanged")
        try await daemon.kill()
        try await daemon.start()
        #expect(await daemon.api.get(target)?.body == first)
        isNew.turnOn()
        #expect(try await daemon.refresh("logo") == "refreshed")
        #expect(await daemon.api.get(target, headers: condition)?.body == second)
        upstream.stop()
        #expect(try await daemon.refresh("logo") == "failed")
        let stale = try #require(await daemon.api.get(target))
        #expect(stale.body == second)
        #expect(stale.headers.first("Cache-Status") != nil)
        #expect(try await daemon.json("/v1/feeds/logo/items").list("items").count == 1)
        try await daemon.stop()
    }
}
