import Glibc
import RefreshClient
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// The JSON feeds that the documentation shows, as they stand there, tried out against a server on loopback that answers
/// in their place, and played again without it.
@Suite("Trials of the example feeds", .timeLimit(.minutes(1))) struct ExampleFeedTests {
    /// The example file with the one server's address in the place of all hosts.
    private static func file(_ url: String) throws -> String {
        let path = #filePath.dropLast("RefreshClientTests/ExampleFeedTests.swift".count)
        let bytes = try #require(readFile("\(path)RefreshConfigTests/Good/five-feeds.yaml"))
        var text = String(decoding: bytes, as: UTF8.self)
        for host in ["api.forge", "shop", "id", "cal", "quotes"] {
            text = text.split(separator: "https://\(host).example", omittingEmptySubsequences: false)
                .joined(separator: url)
        }
        return text + "\ndefaults: {allow_private: true}\n"
    }

    private static func json(_ text: String, _ headers: [(String, String)] = []) -> UpstreamAnswer {
        UpstreamAnswer(headers: [("Content-Type", "application/json")] + headers, text: text)
    }

    /// What each server says to exactly what its feed should ask; anything else is refused.
    private static func answer(_ request: UpstreamRequest) -> UpstreamAnswer {
        let issues = "/repos/acme/app/issues?state=all&sort=updated&direction=asc"
        let isBearer = request.header("authorization") == "Bearer forge-secret"
        switch (request.method, request.target) {
        case ("GET", "\(issues)&since=2024-01-01T00%3A00%3A00Z&per_page=100") where isBearer:
            return json(
                #"[{"number":1,"updated_at":"2024-02-01T00:00:00Z","reactions":{"+1":2},"body_html":"<p>"}]"#,
                [("Link", #"</repositories/7/issues?page=2&per_page=100>; rel="next""#)])
        case ("GET", let target) where target.hasPrefix("/repositories/7/issues?page=2") && isBearer:
            return json(#"[{"number":2,"updated_at":"2024-03-01T00:00:00Z"}]"#)
        case ("POST", "/oauth/token"):
            return json(#"{"access_token":"shop-token","token_type":"bearer","expires_in":3600}"#)
        case ("POST", "/api/stores/s%2F1/orders/search")
        where request.header("authorization") == "Bearer shop-token": return orders(request)
        case ("GET", "/v1/events?showDeleted=true"):
            return json(#"{"items":[{"id":"e1","updated":"2026-01-01T00:00:00Z"}],"nextPageToken":"p/2"}"#)
        case ("GET", "/v1/events?showDeleted=true&pageToken=p%2F2"):
            return json(
                #"{"items":[{"id":"e2","status":"cancelled"},{"id":"e3"}],"nextSyncToken":"S1"}"#)
        case ("GET", "/list") where request.header("x-key") == "quotes-secret":
            return json(#"{"quotes":[{"symbol":"ACME","price":1.10},{"symbol":"NOVA","price":12}]}"#)
        default: return UpstreamAnswer(status: 403, text: "\(request.method) \(request.target)")
        }
    }

    private static func orders(_ request: UpstreamRequest) -> UpstreamAnswer {
        let body = String(decoding: request.body, as: UTF8.self)
        let isAsked =
            body.contains(#""status":["open","paid","cancelled"]"#) && body.contains(#""limit":200"#)
        guard isAsked else { return UpstreamAnswer(status: 400, text: body) }
        if body.contains(#""cursor":"c2""#) {
            return json(
                #"{"result":{"orders":[{"id":9,"amount":{"gross":5.00},"updatedAt":1767225500000,"status":"cancelled"}],"#
                    + #""page":{"cursor":"c3","hasMore":false}}}"#)
        }
        return json(
            #"{"result":{"orders":[{"id":7,"amount":{"gross":1.10},"updatedAt":1767225000000},"#
                + #"{"id":8,"test":true,"updatedAt":1767225100000}],"page":{"cursor":"c2","hasMore":true}}}"#)
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let feed: String
        /// What the cache would hold, line by line.
        let items: [String]
        let requests: Int
        /// Of what the next pass goes on from.
        let next: String
        var testDescription: String { feed }
    }

    private static let cases = [
        Case(
            feed: "issues",
            items: [
                #"1  {"number":1,"updated_at":"2024-02-01T00:00:00Z","reactions":{"+1":2}}"#,
                #"2  {"number":2,"updated_at":"2024-03-01T00:00:00Z"}"#,
            ], requests: 2, next: "next pass: begins from 2024-03-01T00:00:00Z"),
        Case(
            feed: "orders", items: [#"["s/1","7"]  {"id":7,"total":1.10,"at":1767225000000,"region":"eu"}"#],
            requests: 3, next: ""),
        Case(
            feed: "calendar",
            items: [#"e1  {"id":"e1","updated":"2026-01-01T00:00:00Z"}"#, #"e3  {"id":"e3"}"#],
            requests: 2, next: "S1"),
        Case(
            feed: "quotes",
            items: [#"ACME  {"symbol":"ACME","price":1.10}"#, #"NOVA  {"symbol":"NOVA","price":12}"#],
            requests: 1, next: ""),
    ]

    @Test("hold what was asked for, live and played again without network", arguments: cases)
    private func live(_ example: Case) async throws {
        let upstream = try ScriptedUpstream { Self.answer($0) }
        let rig = try Rig([
            "GET /v1/feeds/stores/items?limit=100": Rig.json(
                #"{"items":[{"key":"s/1","data":{"id":"s/1","region":"eu"}}]}"#)
        ])
        var text = try Self.file(upstream.url(""))
        rig.folder.write("shop-secret\n", to: "shop.secret")
        _ = unsafe setenv("QUOTES_KEY", "quotes-secret", 1)
        let secret = rig.folder.write("forge-secret\n", to: "forge")
        let original = rig.folder.write(text, to: "original.yaml")
        if example.feed == "calendar" {
            // A trial does not use up refresh tokens; what it plays again was asked for with another proof.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            text = lines.filter { !$0.contains("cal_refresh") }.joined(separator: "\n")
        }
        let file = rig.folder.write(text, to: "f.yaml")
        let folder = rig.folder.path("rec")
        let rest = ["--pages", "9", "--secret", "forge_token=\(secret)"]
        let live = try await rig.run(["try", example.feed, file, "--record", folder] + rest)
        #expect(live.code == .ok, "\(live.errors)\(live.output)")
        for item in example.items { #expect(live.output.contains("\n  \(item)"), "\(live.output)") }
        #expect(live.output.contains("the cache would hold \(example.items.count) item"), "\(live.output)")
        #expect(live.output.contains(example.next), "\(live.output)")
        #expect(upstream.requests.count == example.requests, "\(upstream.requests.map(\.target))")
        for hidden in ["forge-secret", "shop-secret", "shop-token", "quotes-secret"] {
            #expect(!live.output.contains(hidden))
        }
        upstream.stop()
        rig.daemon.stop()
        let again = try await rig.run(
            ["try", example.feed, original, "--replay", folder, "--pages", "9"])
        #expect(again.code == .ok, "\(again.errors)")
        for item in example.items { #expect(again.output.contains("\n  \(item)"), "\(again.output)") }
    }
}
