import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Control over the socket", .timeLimit(.minutes(1))) struct ControlTests {
    private func post(_ rig: Rig, _ path: String, socket: String = "control.sock") async -> UnixHTTP.Answer? {
        await UnixHTTP(socket: rig.folder.path(socket)).post(path, json: "")
    }

    @Test("a reload tells what it changed")
    func reload() async throws {
        let (shop, news) = (try #require(FeedID("shop")), try #require(FeedID("news")))
        let report = ReloadReport(
            generation: 2, added: [news], changed: [], removed: [shop], unchanged: 7,
            warnings: [
                ReloadFault(file: "plugins.yaml", line: 3, column: 5, code: "doubtful", detail: "odd")
            ])
        try await Rig.with(control: FakeControl(reload: .applied(report))) { rig in
            let answer = await post(rig, "/v1/reload")
            #expect(answer?.status == 200)
            let body = try Body(answer)
            #expect(body["generation"] == "2")
            #expect(body["added.0"] == "news")
            #expect(body["removed.0"] == "shop")
            #expect(body["unchanged"] == "7")
            #expect(body["warnings.0.line"] == "3")
        }
    }

    @Test("a wrong configuration is told with its places, and changes nothing")
    func refused() async throws {
        let fault = ReloadFault(
            file: "plugins.yaml", line: 12, column: 7, code: "unknown_key",
            detail: "unknown key \"max_page\"")
        try await Rig.with(control: FakeControl(reload: .refused([fault]))) { rig in
            let answer = await post(rig, "/v1/reload")
            #expect(answer?.status == 422)
            let body = try Body(answer)
            #expect(body["code"] == "config-invalid")
            #expect(body["errors.0.line"] == "12")
            #expect(body["errors.0.col"] == "7")
        }
    }

    @Test("one reload at a time")
    func busy() async throws {
        try await Rig.with(control: FakeControl(reload: .busy)) { rig in
            let answer = await post(rig, "/v1/reload")
            #expect(answer?.status == 409)
            let body = try Body(answer)
            #expect(body["code"] == "control-busy")
        }
    }

    @Test("a feed is stopped and let go on")
    func pause() async throws {
        try await Rig.with { rig in
            let paused = await post(rig, "/v1/feeds/shop/pause")
            let body = try Body(paused)
            #expect(body["paused"] == "true")
            let shop = try rig.feed("shop")
            #expect(rig.control.paused == [shop])
            let resumed = await post(rig, "/v1/feeds/shop/resume")
            let after = try Body(resumed)
            #expect(after["paused"] == "false")
            #expect(rig.control.paused.isEmpty)
            #expect(await post(rig, "/v1/feeds/nosuch/pause")?.status == 404)
            #expect(await post(rig, "/v1/feeds/empty/pause")?.status == 404)
        }
    }

    @Test("the common socket leads to none of it", arguments: ["/v1/reload", "/v1/feeds/shop/pause"])
    func elsewhere(_ path: String) async throws {
        try await Rig.with { rig in
            let answer = await post(rig, path, socket: "api.sock")
            #expect(answer?.status == 403)
        }
    }
}
