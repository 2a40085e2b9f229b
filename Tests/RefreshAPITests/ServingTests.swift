import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

/// What is shown once it is stale (semantics F5–F7, F10).
@Suite("Stale items", .timeLimit(.minutes(1))) struct ServingTests {
    private static let offline = RefreshFailure(.offline, code: "no-network", detail: "no route")

    @Test("F7: while refreshes fail items are shown as long as the file allows, and longer to who says so")
    func bound() async throws {
        try await Rig.with { rig in
            try rig.fail("shop", ServingTests.offline)
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(9_000)) {
                $0.staleIfError = .seconds(60)
            }
            rig.time.advance(by: .seconds(360))
            for path in ["/v1/feeds/shop/items", "/v1/feeds/shop/items/c"] {
                let answer = await rig.http.get(path)
                #expect(answer?.status == 200)
                #expect(
                    answer?.headers.first("Cache-Status") == "refreshd; hit; ttl=-60; detail=stale_if_error")
            }
            rig.time.advance(by: .milliseconds(1))
            for path in ["/v1/feeds/shop/items", "/v1/feeds/shop/items/c"] {
                let answer = await rig.http.get(path)
                #expect(answer?.status == 504)
                #expect(try Body(answer)["code"] == "too-stale")
                #expect(answer?.headers.first("Retry-After") != nil)
                #expect(await rig.http.get(path + "?max_stale=any")?.status == 200)
            }
        }
    }

    @Test("F7: for ever where the file says nothing, and however old where no refresh has failed")
    func unbound() async throws {
        try await Rig.with { rig in
            rig.time.advance(by: .seconds(86_400 * 400))
            try rig.serve("shop") { $0.staleIfError = .seconds(60) }
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            try rig.serve("shop") { $0.staleIfError = nil }
            try rig.fail("shop", ServingTests.offline)
            let body = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(body["freshness"] == "overdue" && body["error.code"] == "no-network")
        }
    }

    @Test("F5, F6: how long stale is not yet overdue is the feed's own")
    func serveStale() async throws {
        try await Rig.with { rig in
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(9_000)) {
                $0.serveStale = .seconds(50)
            }
            for (step, label) in [(349, "stale"), (1, "overdue")] {
                rig.time.advance(by: .seconds(step))
                let answer = await rig.http.get("/v1/feeds/shop/items")
                #expect(try Body(answer)["freshness"] == label)
                let feed = try Body(await rig.http.get("/v1/feeds/shop"))
                #expect(feed["freshness"] == label)
                let status = answer?.headers.first("Cache-Status") ?? ""
                #expect(status.hasSuffix("detail=stale_while_revalidate") == (label == "stale"))
            }
        }
    }

    @Test("F10: an upstream that allows no stale copies is asked first; while it fails nothing is shown")
    func mustRevalidate() async throws {
        let control = FakeControl()
        try await Rig.with(control: control) { rig in
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(9_000)) { $0.mustRevalidate = true }
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            #expect(control.wishes.isEmpty)
            rig.time.advance(by: .seconds(301))
            async let waiting = rig.http.get("/v1/feeds/shop/items")
            await control.arrived(1)
            control.finish(.unchanged)
            let answer = await waiting
            #expect(answer?.status == 200)
            #expect(answer?.headers.first("Cache-Status")?.hasPrefix("refreshd; fwd=request; stored") == true)
            try rig.fail("shop", ServingTests.offline)
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(9_000)) { $0.mustRevalidate = true }
            let asked = control.wishes.count
            async let failing = rig.http.get("/v1/feeds/shop/items")
            await control.arrived(asked + 1)
            control.finish(.failed(ServingTests.offline))
            #expect(await failing?.status == 504)
            #expect(await rig.http.get("/v1/feeds/shop/items?max_stale=any")?.status == 200)
        }
    }

    @Test("F3: with ages of their own a page is as old as its oldest item, and each item as old as itself")
    func itemScope() async throws {
        try await Rig.with { rig in
            rig.time.advance(by: .seconds(100))
            try await rig.confirm("shop", "c")
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(9_000)) {
                $0.itemFresh = .seconds(50)
            }
            let one = await rig.http.get("/v1/feeds/shop/items/c")
            #expect(one?.headers.first("Cache-Status") == "refreshd; hit; ttl=50")
            #expect(one?.headers.first("Refreshd-Fresh-At") == "2026-01-01T00:01:40Z")
            let chosen = try Body(await rig.http.get("/v1/feeds/shop/items?key=c"))
            #expect(chosen["freshness"] == "fresh" && chosen["fresh_at"] == "2026-01-01T00:01:40Z")
            let all = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(all["freshness"] == "stale" && all["fresh_at"] == "2026-01-01T00:00:00Z")
        }
    }

    @Test("F5: a read of what is stale has it refreshed, unless its schedule will, at most once a second")
    func behind() async throws {
        let control = FakeControl()
        try await Rig.with(control: control) { rig in
            try rig.serve("shop") { _ in }
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            rig.time.advance(by: .seconds(301))
            #expect(await rig.http.get("/v1/feeds/shop/items?policy=cache_only")?.status == 200)
            #expect(control.wishes.isEmpty)
            for _ in 1...5 { #expect(await rig.http.get("/v1/feeds/shop/items/c")?.status == 200) }
            await control.arrived(1)
            rig.time.advance(by: .seconds(1))
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            await control.arrived(2)
            try rig.serve("shop", nextDue: rig.time.now().wall + .seconds(60)) { _ in }
            rig.time.advance(by: .seconds(2))
            #expect(await rig.http.get("/v1/feeds/shop/items")?.status == 200)
            #expect(control.wishes.map(\.mode) == [.ifStale, .ifStale])
        }
    }

    @Test("what is wrong with the daemon as a whole stands in its status until it is over")
    func alarms() async throws {
        try await Rig.with { rig in
            let before = try Body(await rig.http.get("/v1/status"))
            #expect(before.count("alarms") == 0)
            rig.board.setAlarm("storage", "storage-full: no space is left")
            let meanwhile = try Body(await rig.http.get("/v1/status"))
            #expect(meanwhile["alarms.0"] == "storage: storage-full: no space is left")
            rig.board.setAlarm("storage", nil)
            let after = try Body(await rig.http.get("/v1/status"))
            #expect(after.count("alarms") == 0)
        }
    }
}
