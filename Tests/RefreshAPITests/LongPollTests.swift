import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Changes that a client waits for", .timeLimit(.minutes(1))) struct LongPollTests {
    private func target(_ rig: Rig, _ wait: String) throws -> String {
        "/v1/feeds/shop/changes?since=\(try rig.key("shop", try rig.newest("shop")))&wait=\(wait)"
    }

    @Test("a commit answers everybody who waits for the feed, and nobody else")
    func wakes() async throws {
        try await Rig.with { rig in
            let target = try target(rig, "60s")
            async let first = rig.http.get(target)
            async let second = rig.http.get(target)
            // Another feed's commit is no news.
            try await rig.commit("other", [("x", "1")])
            try await rig.commit("shop", [("new", "1"), ("c", #"{"n":1e400}"#)])
            for answer in [await first, await second] {
                let body = try Body(answer)
                #expect(body["changes.0.key"] != nil)
                #expect(body["sync_key"] == (try rig.key("shop", try rig.newest("shop"))))
            }
        }
    }

    @Test(
        "what one who waited was told is told to the next, until there is more, and never in the place of a stream"
    )
    func sharedAnswer() async throws {
        try await Rig.with { rig in
            let target = try target(rig, "60s")
            try await rig.commit("shop", [("new", "1")])
            let first = await rig.http.get(target)
            let again = await rig.http.get(target)
            #expect(first?.body == again?.body)
            let path = rig.path
            let event = await offPool { StreamClient(path, target)?.events(2).last }
            #expect(event?.name == "change")
            try await rig.commit("shop", [("newer", "1")])
            let more = try Body(await rig.http.get(target))
            #expect(more["sync_key"] == (try rig.key("shop", try rig.newest("shop"))))
        }
    }

    @Test("what came before the question is answered at once")
    func atOnce() async throws {
        try await Rig.with { rig in
            let target = try target(rig, "60s")
            try await rig.commit("shop", [("new", "1")])
            let body = try Body(await rig.http.get(target))
            #expect((body.count("changes") ?? 0) > 0)
        }
    }

    @Test("when the time is over the answer is empty, with the same key")
    func timesOut() async throws {
        try await Rig.with { rig in
            let target = try target(rig, "5s")
            let path = rig.path
            let answer = await offPool { () -> RawClient.Answer? in
                guard let client = RawClient(path) else { return nil }
                client.say("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                // One turn later it is parked.
                _ = RawClient(path)?.get("/healthz")
                rig.time.advance(by: .seconds(5))
                return client.hear()
            }
            let body = try Body(answer)
            #expect(body.count("changes") == 0)
            #expect(body["has_more"] == "false")
            #expect(body["sync_key"] == (try rig.key("shop", try rig.newest("shop"))))
        }
    }

    @Test("nobody waits longer than a minute", arguments: ["61s", "2m", "-1s", "5", "soon"])
    func tooLong(_ wait: String) async throws {
        try await Rig.with { rig in
            let answer = await rig.http.get(try target(rig, wait))
            #expect(answer?.status == 400)
            #expect(try Body(answer)["code"] == "invalid-parameter")
        }
    }

    @Test("a daemon that stops sends home who waits")
    func stops() async throws {
        try await Rig.with { rig in
            let (path, target) = (rig.path, try target(rig, "60s"))
            let answer = await offPool { () -> RawClient.Answer? in
                guard let client = RawClient(path) else { return nil }
                client.say("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = RawClient(path)?.get("/healthz")
                rig.server.stop()
                return client.hear()
            }
            #expect(answer?.status == 503)
            #expect(try Body(answer)["code"] == "stopping")
        }
    }
}
