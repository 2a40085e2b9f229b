import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("What a client wants to see", .timeLimit(.minutes(1))) struct ViewsTests {
    static let walks: [(String, [String])] = [
        ("sort", ["n5", "n4", "n3", "n2", "n1"]), ("reverse", ["n1", "n2", "n3", "n4", "n5"]),
        ("key", ["n1", "n2", "n3", "n4", "n5"]),
    ]

    private func fill(_ rig: Rig) async throws {
        for number in 1...5 {
            try await rig.commit("list", (1...number).map { ("n\($0)", #"{"a":\#($0),"b":"x","c":[1, 2]}"#) })
        }
    }

    private func keys(_ body: Body) -> [String] {
        (0..<(body.count("items") ?? 0)).compactMap { body["items.\($0).key"] }
    }

    @Test("a list is read in its order, from its end, or by key, page by page", arguments: ViewsTests.walks)
    func orders(_ order: String, _ wanted: [String]) async throws {
        try await Rig.with { rig in
            try await fill(rig)
            var seen: [String] = []
            var cursor = ""
            repeat {
                let body = try Body(
                    await rig.http.get("/v1/feeds/list/items?limit=2&order=\(order)\(cursor)"))
                seen += keys(body)
                cursor = body["cursor"].map { $0 == "null" ? "" : "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(seen == wanted)
        }
    }

    @Test("a cursor holds good for the order and the view that it was given for")
    func foreign() async throws {
        try await Rig.with { rig in
            try await fill(rig)
            let body = try Body(await rig.http.get("/v1/feeds/list/items?limit=2"))
            let cursor = body["cursor"] ?? ""
            for other in ["order=reverse", "fields=a", "include=gone"] {
                let answer = await rig.http.get("/v1/feeds/list/items?\(other)&cursor=\(cursor)")
                #expect(answer?.status == 400)
                #expect(try Body(answer)["code"] == "bad-cursor")
            }
        }
    }

    @Test("what is gone is answered with its last copy and shown in its place, to whom asks for it")
    func gone() async throws {
        try await Rig.with { rig in
            let item = await rig.http.get("/v1/feeds/shop/items/gone")
            #expect(item?.status == 410)
            let body = try Body(item)
            #expect(body["state"] == "gone")
            #expect(body["gone_reason"] == "missing")
            #expect(body["gone_at"] != nil)
            #expect(body["data"] == "1")
            let plain = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(!keys(plain).contains("gone"))
            let all = try Body(await rig.http.get("/v1/feeds/shop/items?include=gone"))
            #expect(keys(all).contains("gone"))
        }
    }

    @Test("only the members asked for are shown, as they were written")
    func fields() async throws {
        try await Rig.with { rig in
            try await fill(rig)
            let list = await rig.http.get("/v1/feeds/list/items?limit=1&fields=c,a,nosuch")
            #expect(list?.text.contains(#""data":{"a":5,"c":[1, 2]}"#) == true)
            let item = await rig.http.get("/v1/feeds/list/items/n5?fields=b")
            #expect(item?.text.contains(#""data":{"b":"x"}"#) == true)
            let key = try Body(list)["sync_key"] ?? ""
            // The key of a view goes on in that view and in no other.
            let changes = await rig.http.get("/v1/feeds/list/changes?since=\(key)&fields=c,a,nosuch")
            #expect(changes?.status == 200)
            let plain = await rig.http.get("/v1/feeds/list/changes?since=\(key)")
            #expect(try Body(plain)["code"] == "bad-key")
        }
    }

    @Test("the last of the changes come with a digest of what a client then holds")
    func digest() async throws {
        try await Rig.with { rig in
            try await fill(rig)
            let body = try Body(await rig.http.get("/v1/feeds/list/changes"))
            var digest = ChangeDigest()
            for number in 1...5 { digest.add(RecordKey("n\(number)"), rev: 1) }
            #expect(body["digest"] == digest.text)
            let part = try Body(await rig.http.get("/v1/feeds/list/changes?limit=1"))
            #expect(part["has_more"] == "false" || part["digest"] == nil)
        }
    }

    @Test("to go on in a list brings what has changed first, then the page, in one answer")
    func more() async throws {
        try await Rig.with { rig in
            try await fill(rig)
            let first = try Body(await rig.http.get("/v1/feeds/list/items?limit=2"))
            let (cursor, since) = (first["cursor"] ?? "", first["sync_key"] ?? "")
            // The item that the cursor stands on is changed, and the one behind it is deleted.
            try await rig.commit(
                "list",
                [1, 2, 4, 5].map { ("n\($0)", #"{"a":\#($0 == 4 ? 44 : $0),"b":"x","c":[1, 2]}"#) })
            let answer = await rig.http.post(
                "/v1/feeds/list/more", json: #"{"cursor":"\#(cursor)","since":"\#(since)","limit":20}"#)
            #expect(answer?.status == 200)
            let body = try Body(answer)
            let changed = (0..<(body.count("changes") ?? 0)).compactMap { body["changes.\($0).key"] }
            #expect(Set(changed) == ["n3", "n4"])
            #expect(keys(body) == ["n2", "n1"])
            #expect(body["has_more"] == "false")
            let again = await rig.http.post(
                "/v1/feeds/list/more", json: #"{"since":"\#(body["sync_key"] ?? "")","limit":1}"#)
            #expect(try Body(again).count("changes") == 0)
        }
    }

    @Test(
        "a wrong wish is told where it is wrong",
        arguments: [
            (#"{"limit":0}"#, "/limit"), (#"{"order":"up"}"#, "/order"), (#"{"fields":[""]}"#, "/fields"),
            (#"{"colour":1}"#, "/colour"), (#"{"include":["derived"]}"#, "/include"),
            (#"{"since":5}"#, "/since"),
        ])
    func wrongMore(_ body: String, _ pointer: String) async throws {
        try await Rig.with { rig in
            let answer = await rig.http.post("/v1/feeds/shop/more", json: body)
            #expect(answer?.status == 400)
            let problem = try Body(answer)
            #expect(problem["code"] == "bad-body")
            #expect(problem["errors.0.pointer"] == pointer)
        }
    }

    @Test("who wants the network first waits for it, and gets what is there where it takes too long")
    func networkFirst() async throws {
        try await Rig.with(control: FakeControl(immediate: .unchanged)) { rig in
            let answer = await rig.http.get("/v1/feeds/shop/items?policy=network_first")
            #expect(answer?.status == 200)
            #expect(
                answer?.headers.first("Cache-Status")?.hasPrefix("refreshd; fwd=request; stored") == true)
            let wish = try #require(rig.control.wishes.first)
            #expect(wish.mode == .ifStale)
            // The answer to one such question is not the answer to the next.
            _ = await rig.http.get("/v1/feeds/shop/items?policy=network_first")
            #expect(rig.control.wishes.count == 2)
        }
        let failure = RefreshFailure(.transient, code: "http-503", detail: "", status: 503)
        try await Rig.with(control: FakeControl(immediate: .failed(failure))) { rig in
            try rig.fail("shop", failure)
            let answer = await rig.http.get("/v1/feeds/shop/items?policy=network_first")
            #expect(answer?.status == 200)
            let body = try Body(answer)
            #expect(body["error.status"] == "503")
            #expect(body.count("items") == 3)
        }
    }

    @Test("who waits no longer than a moment gets the cache, and the refresh goes on")
    func impatient() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let answer = await offPool { () -> RawClient.Answer? in
                guard let client = RawClient(path) else { return nil }
                client.say(
                    "GET /v1/feeds/shop/items?policy=network_first&wait=2s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                )
                _ = RawClient(path)?.get("/healthz")
                rig.time.advance(by: .seconds(2))
                return client.hear()
            }
            #expect(answer?.status == 200)
            #expect(answer?.headers.first("Cache-Status")?.hasPrefix("refreshd; hit") == true)
        }
    }

    @Test("a reader may say how stale is too stale")
    func tooStale() async throws {
        try await Rig.with { rig in
            rig.time.advance(by: .seconds(301))
            #expect(await rig.http.get("/v1/feeds/shop/items?max_stale=any")?.status == 200)
            #expect(await rig.http.get("/v1/feeds/shop/items?max_stale=10s")?.status == 200)
            rig.time.advance(by: .seconds(10))
            let answer = await rig.http.get("/v1/feeds/shop/items?max_stale=10s")
            #expect(answer?.status == 504)
            let body = try Body(answer)
            #expect(body["code"] == "too-stale")
        }
    }
}
