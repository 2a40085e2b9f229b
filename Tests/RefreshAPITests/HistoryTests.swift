import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("A feed's history over the socket", .timeLimit(.minutes(1))) struct HistoryTests {
    @Test("tells of the last refreshes, the newest first")
    func entries() async throws {
        try await Rig.with { rig in
            let shop = try rig.feed("shop")
            let start = Timestamp(seconds: 1_000_000)
            var counts = RefreshCounts()
            counts.added = 7
            counts.removed = 2
            rig.history.note(
                shop,
                HistoryEntry(
                    at: start, cause: .schedule, outcome: .refreshed(counts), took: .milliseconds(1_250),
                    requests: 3, status: 200, bytes: 4_096))
            let failure = RefreshFailure(.transient, code: "http-503", detail: "no", status: 503)
            rig.history.note(
                shop,
                HistoryEntry(
                    at: start + .seconds(60), cause: .refresh, outcome: .failed(failure), took: .seconds(1)))
            let body = try Body(await rig.http.get("/v1/feeds/shop/history"))
            #expect(body["feed"] == "shop")
            #expect(body.count("refreshes") == 2)
            let expected = [
                "0.at": "1970-01-12T13:47:40Z", "0.why": "refresh", "0.result": "failed", "0.status": "503",
                "0.error.class": "transient", "0.error.code": "http-503", "0.took_ms": "1000",
                "1.at": "1970-01-12T13:46:40Z", "1.why": "schedule", "1.result": "refreshed",
                "1.requests": "3", "1.status": "200", "1.bytes": "4096", "1.took_ms": "1250",
                "1.added": "7", "1.changed": "0", "1.removed": "2",
            ]
            for (place, value) in expected { #expect(body["refreshes.\(place)"] == value, "\(place)") }
            #expect(body["refreshes.1.error"] == nil)
        }
    }

    @Test("is empty for a feed that was never refreshed, and 404 for one that is not there")
    func none() async throws {
        try await Rig.with { rig in
            let body = try Body(await rig.http.get("/v1/feeds/empty/history"))
            #expect(body.count("refreshes") == 0)
            let answer = await rig.http.get("/v1/feeds/nosuch/history")
            #expect(answer?.status == 404)
        }
    }
}
