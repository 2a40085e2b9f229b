import CLinux
import RefreshConfig
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

    @Test("the common socket leads to none of it", arguments: ControlTests.posts)
    func elsewhere(_ path: String) async throws {
        try await Rig.with { rig in
            let answer = await post(rig, path, socket: "api.sock")
            #expect(answer?.status == 403)
            #expect(await rig.http.get("/v1/config")?.status == 403)
            #expect(rig.control.cleared.isEmpty && rig.control.paused.isEmpty)
        }
    }

    private static let posts = [
        "/v1/reload", "/v1/backup", "/v1/log-level", "/v1/config/check", "/v1/feeds/shop/pause",
        "/v1/feeds/shop/resume", "/v1/feeds/shop/purge", "/v1/feeds/shop/reset",
    ]

    @Test("a member of the body that nobody knows is refused, and nothing is done", arguments: posts)
    func strangers(_ path: String) async throws {
        try await Rig.with { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            let answer = await http.post(path, json: #"{"nosuch/x":1}"#)
            let body = try Body(answer)
            #expect(answer?.status == 400)
            #expect(body["code"] == "bad-body")
            #expect(body["errors.0.pointer"] == "/nosuch~1x")
            for broken in ["[]", "{", #"{"a":1"#] {
                #expect(await http.post(path, json: broken)?.status == 400)
            }
            #expect(rig.control.cleared.isEmpty && rig.control.paused.isEmpty)
        }
    }

    @Test("a feed is purged and reset, and each says what was done")
    func clear() async throws {
        try await Rig.with { rig in
            let purged = try Body(await post(rig, "/v1/feeds/shop/purge"))
            #expect(purged["feed"] == "shop" && purged["purged_items"] == "3")
            let reset = try Body(await post(rig, "/v1/feeds/shop/reset"))
            #expect(reset["feed"] == "shop" && reset["reset"] == "true")
            #expect(rig.control.cleared == ["purge shop", "reset shop"])
            #expect(await post(rig, "/v1/feeds/nosuch/purge")?.status == 404)
            #expect(await post(rig, "/v1/feeds/empty/purge")?.status == 404)
        }
        try await Rig.with(control: FakeControl(clear: .busy)) { rig in
            #expect(await post(rig, "/v1/feeds/shop/reset")?.status == 409)
        }
        try await Rig.with(control: FakeControl(clear: .failed("no space"))) { rig in
            #expect(await post(rig, "/v1/feeds/shop/purge")?.status == 500)
        }
    }

    @Test(
        "one control call of a kind at a time, and other kinds meanwhile", arguments: posts + ["/v1/config"])
    func oneAtATime(_ path: String) async throws {
        let isGet = path == "/v1/config"
        try await Rig.with(control: FakeControl(isSlow: true)) { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            @Sendable func ask(_ path: String) async -> UnixHTTP.Answer? {
                path == "/v1/config" ? await http.get(path) : await http.post(path, json: "{}")
            }
            async let first = ask(path)
            #expect(await eventually { rig.control.held == 1 })
            let second = try Body(await ask(path))
            #expect(second["code"] == "control-busy" && second["status"] == "409")
            let other = isGet ? "/v1/backup" : "/v1/config"
            async let third = ask(other)
            #expect(await eventually { rig.control.held == 2 })
            rig.control.finish(nil)
            #expect(await first?.status != 409)
            #expect(await third?.status != 409)
            async let again = ask(path)
            #expect(await eventually { rig.control.held == 1 })
            rig.control.finish(nil)
            #expect(await again?.status != 409)
        }
    }

    @Test("what is logged is told, and changed by one of the known words")
    func logLevel() async throws {
        try await Rig.with { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            let told = try Body(await http.post("/v1/log-level", json: "{}"))
            #expect(told["level"] == "info" && told["was"] == "info")
            let changed = try Body(await http.post("/v1/log-level", json: #"{"level":"debug"}"#))
            #expect(changed["level"] == "debug" && changed["was"] == "info")
            #expect(await http.post("/v1/log-level", json: #"{"level":"loud"}"#)?.status == 400)
            #expect(await http.post("/v1/log-level", json: #"{"level":7}"#)?.status == 400)
            let still = try Body(await http.post("/v1/log-level", json: ""))
            #expect(still["level"] == "debug")
        }
    }

    @Test("the running configuration is told by feeds and pages, without its secrets")
    func configuration() async throws {
        try await Rig.with { rig in
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            let answer = await http.get("/v1/config")
            let all = try Body(answer)
            #expect(all["generation"] == "3" && all["file"] == "f.yaml")
            #expect(all.count("daemon") == 1 && all["daemon.0.path"] == "concurrency")
            #expect(all["daemon.0.value"] == "4" && all["daemon.0.origin"] == "f.yaml:1")
            #expect(all["budgets.0.path"] == "forge.rate")
            #expect(all.count("feeds") == 2 && all["feeds.1.feed"] == "shop")
            #expect(answer?.text.contains("hunter2") == false)
            #expect(answer?.text.contains("(secret)") == true)
            let first = try Body(await http.get("/v1/config?limit=1"))
            #expect(first.count("feeds") == 1 && first["has_more"] == "true")
            let second = try Body(await http.get("/v1/config?limit=1&cursor=\(first["cursor"] ?? "")"))
            #expect(second["feeds.0.feed"] == "shop" && second["has_more"] == "false")
            let whole = try Body(await http.get("/v1/config?feed=shop&defaults=1"))
            #expect(whole.count("feeds") == 1)
            #expect(whole.count("daemon") ?? 0 > 20)
            #expect(await http.get("/v1/config?feed=nosuch")?.status == 404)
            #expect(await http.get("/v1/config?defaults=2")?.status == 400)
            #expect(await http.get("/v1/config?cursor=A")?.status == 400)
        }
    }

    @Test("a check tells every mistake with its place") func check() async throws {
        try await Rig.with { rig in
            let body = try Body(await post(rig, "/v1/config/check"))
            #expect(body["valid"] == "false" && body["feeds"] == "null")
            #expect(body["errors.0.line"] == "3" && body["errors.0.col"] == "5")
            #expect(body["warnings.0.code"] == "unknown_key")
        }
    }

    @Test("the schema for editors is told to whoever may read") func schema() async throws {
        try await Rig.with { rig in
            let answer = await rig.http.get("/v1/schema/config.json")
            #expect(answer?.status == 200)
            #expect(answer?.headers.first("Content-Type") == "application/schema+json")
            #expect(answer?.text == ConfigSchema.json)
        }
    }

    @Test("a pause of the upstream is overridden only by whoever may control") func override() async throws {
        try await Rig.with(control: FakeControl(immediate: .unchanged)) { rig in
            let body = #"{"override_gate":true,"wait":"all"}"#
            let http = UnixHTTP(socket: rig.folder.path("control.sock"))
            #expect(await http.post("/v1/feeds/shop/refresh", json: body)?.status == 200)
            #expect(await rig.http.post("/v1/feeds/shop/refresh", json: body)?.status == 403)
            #expect(rig.control.wishes.count == 1)
        }
    }

    @Test("each control call stands in the log with who asked and what came of it, those refused too")
    func logged() async throws {
        let lines = Lines()
        let log = Log(level: .notice) { _, line in lines.add(line) }
        try await Rig.with(log: log) { rig in
            _ = await post(rig, "/v1/feeds/shop/purge")
            _ = await post(rig, "/v1/backup", socket: "api.sock")
            _ = await UnixHTTP(socket: rig.folder.path("control.sock")).get("/v1/status")
            let mine = "of user \(geteuid()), process \(getpid())"
            #expect(lines.all.count == 2)
            #expect(lines.all.first?.hasSuffix("POST /v1/feeds/shop/purge \(mine): 200") == true)
            #expect(lines.all.last?.hasSuffix("POST /v1/backup \(mine): 403") == true)
        }
    }
}
