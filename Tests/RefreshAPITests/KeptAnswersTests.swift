import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Answers that are kept", .timeLimit(.minutes(1))) struct KeptAnswersTests {
    @Test("an answer is the same until something changes", arguments: ["/v1/feeds", "/v1/feeds/shop/items"])
    func same(_ path: String) async throws {
        try await Rig.with { rig in
            let first = await rig.http.get(path)
            let second = await rig.http.get(path)
            #expect(first?.status == 200)
            #expect(first?.body == second?.body)
            #expect(second?.headers.first("Refreshd-Api") == "1.0")
            #expect(second?.headers.first("Content-Type") == "application/json")
            #expect(second?.headers.first("ETag") == first?.headers.first("ETag"))
        }
    }

    @Test("a change on the board shows in the very next answers")
    func change() async throws {
        try await Rig.with { rig in
            _ = await rig.http.get("/v1/status")
            _ = await rig.http.get("/v1/feeds")
            try rig.fail("shop", RefreshFailure(.transient, code: "http-503", detail: "", status: 503))
            let status = try Body(await rig.http.get("/v1/status"))
            #expect(status["feeds.by_state.backoff"] == "1")
            let feeds = try Body(await rig.http.get("/v1/feeds"))
            #expect(feeds["feeds.1.last_error.code"] == "http-503")
            rig.board.remove(try rig.feed("empty"))
            let fewer = try Body(await rig.http.get("/v1/status"))
            #expect(fewer["feeds.total"] == "1")
        }
    }

    @Test(
        "freshness changes at its border and not before",
        arguments: [
            (299_999, "fresh"), (300_000, "stale"), (3_899_999, "stale"), (3_900_000, "overdue"),
        ] as [(Int64, String)])
    func border(_ after: Int64, _ freshness: String) async throws {
        try await Rig.with { rig in
            // Whatever is kept was made long before.
            for path in ["/v1/status", "/v1/feeds", "/v1/feeds/shop/items"] {
                _ = await rig.http.get(path)
            }
            rig.time.advance(by: .milliseconds(after))
            let status = try Body(await rig.http.get("/v1/status"))
            #expect(status["feeds.by_freshness.\(freshness)"] == "1")
            let feeds = try Body(await rig.http.get("/v1/feeds"))
            #expect(feeds["feeds.1.freshness"] == freshness)
            let page = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(page["freshness"] == freshness)
        }
    }

    @Test("the daemon's age is a second old at most")
    func age() async throws {
        try await Rig.with { rig in
            _ = await rig.http.get("/v1/status")
            rig.time.advance(by: .milliseconds(999))
            let kept = try Body(await rig.http.get("/v1/status"))
            #expect(kept["uptime_ms"] == "0")
            rig.time.advance(by: .milliseconds(1))
            let remade = try Body(await rig.http.get("/v1/status"))
            #expect(remade["uptime_ms"] == "1000")
        }
    }

    @Test("a wall clock that is set back makes what is kept void")
    func setBack() async throws {
        try await Rig.with { rig in
            rig.time.advance(by: .seconds(301))
            let stale = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(stale["freshness"] == "stale")
            rig.time.stepWall(by: .seconds(-2))
            let fresh = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(fresh["freshness"] == "fresh")
        }
    }

    @Test("a page has the records of the last commit, and its label the seconds that are left")
    func page() async throws {
        try await Rig.with { rig in
            let first = await rig.http.get("/v1/feeds/shop/items")
            #expect(first?.headers.first("Cache-Status") == "refreshd; hit; ttl=300")
            rig.time.advance(by: .milliseconds(1))
            let second = await rig.http.get("/v1/feeds/shop/items")
            #expect(second?.headers.first("Cache-Status") == "refreshd; hit; ttl=299")
            #expect(second?.body == first?.body)
            try await rig.commit("shop", [("new", "1")])
            let third = try Body(await rig.http.get("/v1/feeds/shop/items"))
            #expect(third.count("items") == 1)
            #expect(third["items.0.key"] == "new")
            let key = try rig.key("shop", try rig.newest("shop"))
            #expect(third["sync_key"] == key)
        }
    }

    @Test("a kept page is still not sent to who holds it")
    func notModified() async throws {
        try await Rig.with { rig in
            let first = await rig.http.get("/v1/feeds/shop/items")
            let tag = try #require(first?.headers.first("ETag"))
            let second = await rig.http.get("/v1/feeds/shop/items", headers: ["If-None-Match: \(tag)"])
            #expect(second?.status == 304)
            #expect(second?.body == [])
        }
    }

    @Test("one kept answer goes to many connections at once, and to HEAD without its body")
    func shared() async throws {
        try await Rig.with { rig in
            let path = rig.path
            let answers = await offPool { () -> [RawClient.Answer?] in
                let clients = (0..<8).compactMap { _ in RawClient(path) }
                for client in clients {
                    client.say("GET /v1/feeds/shop/items HTTP/1.1\r\nHost: localhost\r\n\r\n")
                }
                let answers = clients.map { $0.hear() }
                guard let client = clients.first else { return answers }
                client.say("HEAD /v1/feeds/shop/items HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return answers + [client.hear(head: true), client.get("/v1/feeds/shop/items")]
            }
            #expect(answers.count == 10)
            let bodies = Set(answers.enumerated().filter { $0.offset != 8 }.compactMap { $0.element?.body })
            #expect(bodies.count == 1)
            #expect(answers.allSatisfy { $0?.status == 200 })
        }
    }
}
