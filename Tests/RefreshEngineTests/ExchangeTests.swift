import RefreshAdapters
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer
import Synchronization
import TestSupport
import Testing

/// Token endpoints and logins are origins like all others.
@Suite("Exchanges of tokens", .timeLimit(.minutes(1))) struct ExchangeTests {
    private static let items = UpstreamAnswer(text: #"[{"id":1}]"#)
    private static let grant = UpstreamAnswer(
        text: #"{"access_token":"t0ken-of-the-test","token_type":"bearer","expires_in":3600}"#)

    private func feed(_ name: String, _ url: String, token: String, client: String? = nil) throws -> Feed {
        var feed = try EngineRig.feed(name, url)
        var plan = OAuth2Plan(
            grant: .clientCredentials, tokenURL: try WebURL(parsing: token),
            clientID: .literal(client ?? name))
        plan.clientSecret = .literal("s3cret-of-the-test")
        var details = FeedDetails()
        details.auth = .oauth2(plan)
        feed.details = Shared(details)
        return feed
    }

    private func refresh(_ rig: EngineRig, _ feed: String) async -> RefreshOutcome? {
        await rig.engine.refresh(EngineRig.id(feed), mode: .now, acceptDrop: false)
    }

    @Test("stand in line at their own origin, one at a time, whoever needs them")
    func oneAtATime() async throws {
        let gate = UpstreamGate()
        let tokens = try ScriptedUpstream { request in
            request.order == 1 ? Self.grant.sent(.stall(after: 3, until: gate)) : Self.grant
        }
        let upstreams = try (0..<3).map { _ in try ScriptedUpstream { _ in Self.items } }
        defer { for upstream in upstreams + [tokens] { upstream.stop() } }
        let rig = try await EngineRig(
            feeds: try upstreams.enumerated().map {
                try feed("f\($0)", $1.url("/"), token: tokens.url("/token"))
            })
        await gate.arrivals(1)
        #expect(await eventually { (0..<3).allSatisfy { rig.status("f\($0)")?.inFlight == true } })
        #expect(tokens.requests.count == 1)
        gate.open()
        #expect(await eventually { (0..<3).allSatisfy { rig.landed("f\($0)") } })
        #expect(tokens.requests.count == 3)
        #expect(tokens.connections <= 3)
        #expect((0..<3).allSatisfy { rig.status("f\($0)")?.store.items == 1 })
        // Each exchange and each list is a request to an upstream.
        #expect(rig.counters.picture.upstreamRequests[.success] == 6)
        await rig.stop()
    }

    @Test("need the turn that their own feed gives back to them, and others may have it meanwhile")
    func sameOrigin() async throws {
        let gate = UpstreamGate()
        let tokens = try ScriptedUpstream { _ in Self.grant.sent(.stall(after: 3, until: gate)) }
        let upstream = try ScriptedUpstream { request in
            request.path == "/token" ? Self.grant : Self.items
        }
        defer {
            upstream.stop()
            tokens.stop()
        }
        let near = try feed("near", upstream.url("/near"), token: upstream.url("/token"))
        let far = try feed("far", upstream.url("/far"), token: tokens.url("/token"))
        let rig = try await EngineRig(feeds: [near, far, EngineRig.feed("plain", upstream.url("/plain"))])
        await gate.arrivals(1)
        // One request at a time at their origin; the one that waits elsewhere does not stand in the way.
        #expect(await eventually { rig.landed("near") && rig.landed("plain") })
        #expect(rig.status("far")?.inFlight == true)
        gate.open()
        #expect(await eventually { rig.landed("far") })
        for name in ["near", "far", "plain"] { #expect(rig.status(name)?.store.items == 1, "\(name)") }
        await rig.stop()
    }

    @Test("leave an endpoint alone that asks for it, for all feeds, and blame no other origin for it")
    func retryAfter() async throws {
        let tokens = try ScriptedUpstream { request in
            request.order == 1
                ? UpstreamAnswer(status: 429, headers: [("Retry-After", "100")]) : Self.grant
        }
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer {
            upstream.stop()
            tokens.stop()
        }
        let first = try feed("first", upstream.url("/first"), token: tokens.url("/token"))
        let rig = try await EngineRig(feeds: [first])
        #expect(await eventually { rig.landed("first") })
        #expect(rig.status("first")?.progress.failure?.failure.code == "http-429")
        let second = try feed("second", upstream.url("/second"), token: tokens.url("/token"))
        let plain = try EngineRig.feed("plain", upstream.url("/plain"))
        _ = try await rig.engine.apply(EngineRig.plan([first, second, plain]))
        #expect(await eventually { rig.landed("second") && rig.landed("plain") })
        #expect(rig.status("second")?.progress.failure?.failure.code == "origin-held")
        let due = try #require(rig.status("second")?.progress.due)
        #expect(due >= rig.time.now().wall + .seconds(300))
        #expect(tokens.requests.count == 1)
        // Their own origin was never asked for a pause.
        #expect(rig.status("plain")?.state == .active && rig.status("plain")?.store.items == 1)
        #expect(upstream.requests.map(\.path) == ["/plain"])
        rig.time.advance(by: .seconds(100))
        #expect(await refresh(rig, "second") != nil)
        #expect(rig.status("second")?.store.items == 1)
        #expect(tokens.requests.count == 2)
        await rig.stop()
    }

    @Test("that wait for a turn end with the daemon")
    func stops() async throws {
        let tokens = try ScriptedUpstream { _ in .silence() }
        let upstreams = try (0..<2).map { _ in try ScriptedUpstream { _ in Self.items } }
        defer { for upstream in upstreams + [tokens] { upstream.stop() } }
        let rig = try await EngineRig(
            feeds: try upstreams.enumerated().map {
                try feed("f\($0)", $1.url("/"), token: tokens.url("/token"))
            })
        await tokens.received(1)
        #expect(await eventually { (0..<2).allSatisfy { rig.status("f\($0)")?.inFlight == true } })
        let transfer = Task { await rig.stop() }
        // The exchange under way is waited for, since its token might be lost; here it never comes.
        tokens.stop()
        await transfer.value
        #expect(upstreams.allSatisfy { $0.requests.isEmpty })
    }

    @Test("draw nothing more on the budget of the feed that they are for")
    func budget() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/token" ? Self.grant : Self.items
        }
        defer { upstream.stop() }
        var feed = try feed("shop", upstream.url("/list"), token: upstream.url("/token"))
        var details = feed.details.value
        details.limits.rate = Rate(count: 1, per: .seconds(3_600))
        feed.details = Shared(details)
        let rig = try await EngineRig(feeds: [feed])
        // With two draws it would have to wait for an hour between token and list.
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.store.items == 1)
        await rig.stop()
    }
}
