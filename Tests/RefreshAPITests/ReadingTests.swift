import CSQLite
import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Reading over the socket", .timeLimit(.minutes(1))) struct ReadingTests {
    @Test("the root tells what this daemon is")
    func root() async throws {
        try await Rig.with { rig in
            let answer = await rig.http.get("/")
            let body = try Body(answer)
            #expect(answer?.status == 200)
            #expect(body["server"] == "refreshd")
            #expect(body["api.max"] == "1.0")
            #expect(body["instance"] == "abc")
            #expect(body["started_at"] == "2026-01-01T00:00:00Z")
            #expect(answer?.headers.first("Refreshd-Api") == "1.0")
            #expect(answer?.headers.first("Refreshd-Request-Id") == "req-abc-1")
        }
    }

    @Test("health and readiness", arguments: ["/healthz", "/readyz"])
    func health(_ path: String) async throws {
        try await Rig.with { rig in
            let answer = await rig.http.get(path)
            let body = try Body(answer)
            #expect(answer?.status == 200)
            #expect(body["status"] == "ok")
        }
    }

    @Test("a cache that cannot be read makes the daemon unready, not unhealthy")
    func unready() async throws {
        try await Rig.with { rig in
            let cache = rig.folder.path("state/cache.sqlite3")
            let isBroken = await offPool { spoil(cache) }
            #expect(isBroken)
            let ready = await rig.http.get("/readyz")
            let body = try Body(ready)
            #expect(ready?.status == 503)
            #expect(ready?.headers.first("Retry-After") != nil)
            #expect(body["status"] == "failed")
            #expect(body["checks.1.ok"] == "false")
            let health = await rig.http.get("/healthz")
            #expect(health?.status == 200)
            let items = await rig.http.get("/v1/feeds/shop/items")
            #expect(items?.status == 500)
            let problem = try Body(items)
            #expect(problem["code"] == "cache-failed")
        }
    }

    @Test("status counts feeds by state and freshness")
    func status() async throws {
        try await Rig.with { rig in
            rig.time.advance(by: .seconds(7))
            let body = try Body(await rig.http.get("/v1/status"))
            #expect(body["feeds.total"] == "2")
            #expect(body["feeds.by_state.active"] == "2")
            #expect(body["feeds.by_freshness.fresh"] == "1")
            #expect(body["feeds.by_freshness.new"] == "1")
            #expect(body["uptime_ms"] == "7000")
            #expect(body["generation"] == "1")
            let disk = body["disk_bytes"].flatMap { Int($0) } ?? 0
            #expect(disk >= 8_192)
        }
    }

    @Test("feeds come in the order of their names, with what is known of them")
    func feeds() async throws {
        try await Rig.with { rig in
            let failure = RefreshFailure(.transient, code: "http-503", detail: "not available", status: 503)
            try rig.fail("shop", failure)
            let body = try Body(await rig.http.get("/v1/feeds"))
            #expect(body.count("feeds") == 2)
            #expect(body["feeds.0.name"] == "empty")
            #expect(body["feeds.0.freshness"] == "new")
            #expect(body["feeds.0.last_error"] == "null")
            let feed = try Body(await rig.http.get("/v1/feeds/shop"))
            #expect(feed["name"] == "shop")
            #expect(feed["state"] == "backoff")
            #expect(feed["last_error.code"] == "http-503")
            #expect(feed["last_error.class"] == "transient")
            #expect(feed["consecutive_failures"] == "2")
            #expect(feed["due_rule"] == "every")
            #expect(feed["next_due"] == "2026-01-01T00:00:30Z")
            #expect(feed["items"] == "3")
            let key = try rig.key("shop", try rig.newest("shop"))
            #expect(feed["sync_key"] == key)
        }
    }

    @Test("a list comes in pages, each with the key taken before it")
    func pages() async throws {
        try await Rig.with { rig in
            let first = try Body(await rig.http.get("/v1/feeds/shop/items?limit=2"))
            let key = try rig.key("shop", try rig.newest("shop"))
            #expect(first.count("items") == 2)
            #expect(first["sync_key"] == key)
            #expect(first["has_more"] == "true")
            #expect(first["end"] == "false")
            #expect(first["freshness"] == "fresh")
            #expect(first["stale"] == "false")
            #expect(first["fresh_at"] == "2026-01-01T00:00:00Z")
            let cursor = try #require(first["cursor"])
            let second = try Body(await rig.http.get("/v1/feeds/shop/items?limit=2&cursor=\(cursor)"))
            #expect(second.count("items") == 1)
            let keys = [first["items.0.key"], first["items.1.key"], second["items.0.key"]]
            #expect(Set(keys) == ["a/b", "c", #"["x","y"]"#])
            #expect(second["cursor"] == "null")
            #expect(second["has_more"] == "false")
            #expect(second["end"] == "true")
        }
    }

    @Test("an item's record passes as the upstream wrote it")
    func record() async throws {
        try await Rig.with { rig in
            let body = try Body(await rig.http.get("/v1/feeds/shop/items/c"))
            #expect(
                body.names == [
                    "key", "rev", "state", "order", "first_seen", "listed_at", "checked_at", "changed_at",
                    "created_seq", "seq", "data",
                ])
            #expect(body["data"] == #"{"n":1e400}"#)
            #expect(body["rev"] == "2")
            let seq = body["seq"].flatMap { Seq($0) } ?? 0
            let created = body["created_seq"].flatMap { Seq($0) } ?? 0
            #expect(created > 0 && created < seq)
        }
    }

    @Test(
        "a key is found whatever is in it",
        arguments: [("a%2Fb", "a/b"), ("%5B%22x%22%2C%22y%22%5D", #"["x","y"]"#), ("%63", "c")])
    func keys(_ segment: String, _ key: String) async throws {
        try await Rig.with { rig in
            let answer = await rig.http.get("/v1/feeds/shop/items/\(segment)")
            let body = try Body(answer)
            #expect(answer?.status == 200)
            #expect(body["key"] == key)
        }
    }

    @Test("repeated keys read just these, and pass over what is not there")
    func chosen() async throws {
        try await Rig.with { rig in
            let body = try Body(
                await rig.http.get("/v1/feeds/shop/items?key=c&key=nothing&key=a%2Fb&key=gone"))
            #expect(body.count("items") == 2)
            #expect(body["items.0.key"] == "c")
            #expect(body["items.1.key"] == "a/b")
            #expect(body["has_more"] == "false")
        }
    }

    @Test("a feed never fetched answers an empty list, and 503 for one item")
    func new() async throws {
        try await Rig.with { rig in
            let list = await rig.http.get("/v1/feeds/empty/items")
            let body = try Body(list)
            #expect(list?.status == 200)
            #expect(body["freshness"] == "new")
            #expect(body.count("items") == 0)
            let item = await rig.http.get("/v1/feeds/empty/items/a")
            #expect(item?.status == 503)
            #expect(item?.headers.first("Retry-After") == "30")
        }
    }

    @Test("a list that the client holds already costs no body, and still says how fresh it is")
    func notModified() async throws {
        try await Rig.with { rig in
            let first = await rig.http.get("/v1/feeds/shop/items")
            let tag = try #require(first?.headers.first("ETag"))
            #expect(tag.hasPrefix("W/\""))
            rig.time.advance(by: .seconds(340))
            let again = await rig.http.get("/v1/feeds/shop/items", headers: ["If-None-Match: \"x\", \(tag)"])
            #expect(again?.status == 304)
            #expect(again?.body == [])
            #expect(
                again?.headers.first("Cache-Status")
                    == "refreshd; hit; ttl=-40; detail=stale_while_revalidate")
            #expect(again?.headers.first("Refreshd-Fresh-At") == "2026-01-01T00:00:00Z")
            let other = await rig.http.get("/v1/feeds/shop/items?limit=1", headers: ["If-None-Match: \(tag)"])
            #expect(other?.status == 200)
        }
    }

    @Test("items outlive a failing upstream, labelled stale, with the error")
    func stale() async throws {
        try await Rig.with { rig in
            let failure = RefreshFailure(.offline, code: "no-network", detail: "no route")
            try rig.fail("shop", failure)
            rig.time.advance(by: .seconds(400))
            let answer = await rig.http.get("/v1/feeds/shop/items")
            let body = try Body(answer)
            #expect(body.count("items") == 3)
            #expect(body["stale"] == "true")
            #expect(body["freshness"] == "stale")
            #expect(body["error.code"] == "no-network")
            #expect(
                answer?.headers.first("Cache-Status") == "refreshd; hit; ttl=-100; detail=stale_if_error")
        }
    }

    @Test("a page ends early when it has grown large, and the next one goes on")
    func largePage() async throws {
        let body = "\"" + String(repeating: "x", count: 5 * 1_024 * 1_024) + "\""
        try await Rig.with { rig in
            try await rig.commit("big", ["k1", "k2", "k3"].map { ($0, body) })
            let page = try Body(await rig.http.get("/v1/feeds/big/items?limit=3"))
            #expect(page.count("items") == 1)
            #expect(page["has_more"] == "true")
            let cursor = try #require(page["cursor"])
            let next = try Body(await rig.http.get("/v1/feeds/big/items?limit=3&cursor=\(cursor)"))
            #expect(next.count("items") == 1)
            #expect(next["items.0.key"] != page["items.0.key"])
            let changes = try Body(await rig.http.get("/v1/feeds/big/changes"))
            #expect(changes.count("changes") == 1)
            #expect(changes["has_more"] == "true")
        }
    }

    @Test("HEAD is answered like GET, without the body")
    func head() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let (answer, next) = await offPool { () -> (RawClient.Answer?, RawClient.Answer?) in
                guard let client = RawClient(path) else { return (nil, nil) }
                client.say("HEAD /v1/feeds HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return (client.hear(head: true), client.get("/healthz"))
            }
            #expect(answer?.status == 200)
            #expect(answer?.headers.first("Content-Length").flatMap { Int($0) } ?? 0 > 100)
            #expect(next?.status == 200)
        }
    }
}

/// Takes the tables away under the reader; false where that fails.
func spoil(_ path: String) -> Bool {
    var handle: OpaquePointer?
    defer { _ = unsafe sqlite3_close(handle) }
    guard unsafe sqlite3_open(path, &handle) == SQLITE_OK else { return false }
    return unsafe sqlite3_exec(handle, "DROP TABLE items; DROP TABLE feeds", nil, nil, nil) == SQLITE_OK
}
