import RefreshCore
import RefreshEngine
import RefreshStore
import TestSupport
import Testing

@Suite("Purge and reset", .timeLimit(.minutes(1))) struct ClearingTests {
    private static let shop = EngineRig.id("shop")

    /// A rig whose feed has landed once, with validators.
    private func rig(_ upstream: ScriptedUpstream) async throws -> EngineRig {
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        return rig
    }

    private func document(_ request: UpstreamRequest) -> UpstreamAnswer {
        .document(Array(#"[{"id":1},{"id":2}]"#.utf8), etag: "\"1\"", to: request)
    }

    @Test("a purge empties the cache, begins a new epoch, and has the feed read in full at once")
    func purge() async throws {
        let upstream = try ScriptedUpstream { document($0) }
        defer { upstream.stop() }
        let rig = try await rig(upstream)
        let before = try #require(rig.status("shop"))
        #expect(before.store.items == 2)
        #expect(await rig.engine.clear(Self.shop, .purge) == .cleared(items: 2))
        await upstream.received(2)
        #expect(upstream.requests.last?.header("if-none-match") == nil)
        #expect(await eventually { rig.landed("shop") && rig.status("shop")?.store.items == 2 })
        #expect(rig.status("shop")?.store.epoch != before.store.epoch)
        #expect(try rig.items("shop").count == 2)
        await rig.stop()
    }

    @Test("a paused feed is purged and stays empty, and new, until it goes on") func paused() async throws {
        let upstream = try ScriptedUpstream { document($0) }
        defer { upstream.stop() }
        let rig = try await rig(upstream)
        _ = await rig.engine.pause(Self.shop, true)
        #expect(await rig.engine.clear(Self.shop, .purge) == .cleared(items: 2))
        rig.time.advance(by: .seconds(1_000))
        let status = try #require(rig.status("shop"))
        #expect(status.store.items == 0 && status.freshness(at: rig.time.now().wall) == .new)
        #expect(try rig.items("shop").isEmpty)
        #expect(upstream.requests.count == 1)
        _ = await rig.engine.pause(Self.shop, false)
        #expect(await eventually { rig.status("shop")?.store.items == 2 })
        await rig.stop()
    }

    @Test("a reset keeps items, keys and the due time, and the next pass asks without validators")
    func reset() async throws {
        let upstream = try ScriptedUpstream { document($0) }
        defer { upstream.stop() }
        let rig = try await rig(upstream)
        let before = try #require(rig.status("shop"))
        #expect(await rig.engine.clear(Self.shop, .reset) == .cleared(items: 2))
        let after = try #require(rig.status("shop"))
        #expect(after.store == before.store && after.nextDue == before.nextDue)
        #expect(after.progress.lastSuccess == before.progress.lastSuccess)
        rig.time.advance(by: .seconds(331))
        await upstream.received(2)
        #expect(upstream.requests.last?.header("if-none-match") == nil)
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.store == before.store)
        await rig.stop()
    }

    @Test(
        "what a refresh under way brings does not count, whatever it is answered, and the feed is read anew",
        arguments: Clearing.allCases, [200, 304])
    func besideAFlight(_ clearing: Clearing, _ status: Int) async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            switch request.order {
            case 1: document(request)
            case 2:
                status == 304
                    ? .raw([
                        .wait(gate), .send(Array("HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\n\r\n".utf8)),
                    ])
                    : UpstreamAnswer(headers: [("ETag", "\"2\"")], text: #"[{"id":7}]"#)
                        .sent(.stall(after: 5, until: gate))
            default: UpstreamAnswer(headers: [("ETag", "\"3\"")], text: #"[{"id":1},{"id":3}]"#)
            }
        }
        defer { upstream.stop() }
        let rig = try await rig(upstream)
        let engine = rig.engine
        async let outcome = engine.refresh(Self.shop, mode: .now, acceptDrop: false)
        await gate.arrivals(1)
        #expect(await rig.engine.clear(Self.shop, clearing) == .cleared(items: 2))
        gate.open()
        guard case .refused = await outcome else {
            Issue.record("the refresh that was cut short says otherwise")
            return await rig.stop()
        }
        await upstream.received(3)
        #expect(upstream.requests.last?.header("if-none-match") == nil)
        #expect(await eventually { (try? rig.items("shop").keys.sorted()) == ["1", "3"] })
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.progress.validators.etag == "\"3\"")
        await rig.stop()
    }

    @Test(
        "between the pages of a pass too, and no page of the old pass is stored after it",
        arguments: Clearing.allCases)
    func betweenPages(_ clearing: Clearing) async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            let page = request.target.contains("page=2") ? 2 : 1
            let next = "<\(request.target.split(separator: "?")[0])?page=2>; rel=\"next\""
            if page == 1 { return UpstreamAnswer(headers: [("Link", next)], text: #"[{"id":1}]"#) }
            let answer = UpstreamAnswer(text: #"[{"id":2}]"#)
            return request.order == 2 ? answer.sent(.stall(after: 0, until: gate)) : answer
        }
        defer { upstream.stop() }
        var details = FeedDetails()
        details.paging.kind = .linkHeader(rel: "next")
        let feed = try EngineRig.feed("shop", upstream.url("/list"), details: Shared(details))
        let rig = try await EngineRig(feeds: [feed])
        await gate.arrivals(1)
        #expect(await eventually { (try? rig.items("shop").keys.sorted()) == ["1"] })
        #expect(await rig.engine.clear(Self.shop, clearing) == .cleared(items: 1))
        gate.open()
        await upstream.received(4)
        #expect(await eventually { rig.landed("shop") && rig.status("shop")?.store.items == 2 })
        #expect(try rig.items("shop").keys.sorted() == ["1", "2"])
        await rig.stop()
    }

    @Test("what the upstream has asked for stays: a feed that waits after failures goes on waiting")
    func backoff() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1 ? document(request) : UpstreamAnswer(status: 503)
        }
        defer { upstream.stop() }
        let rig = try await rig(upstream)
        rig.time.advance(by: .seconds(331))
        #expect(await eventually { rig.status("shop")?.state == .backoff && rig.landed("shop") })
        let due = rig.status("shop")?.nextDue
        #expect(await rig.engine.clear(Self.shop, .purge) == .cleared(items: 2))
        #expect(rig.status("shop")?.state == .backoff)
        #expect(rig.status("shop")?.nextDue == due)
        #expect(upstream.requests.count == 2)
        await rig.stop()
    }

    @Test("a feed that is not there is not cleared") func unknown() async throws {
        let rig = try await EngineRig(feeds: [String: String]())
        #expect(await rig.engine.clear(Self.shop, .purge) == .noFeed)
        await rig.stop()
    }
}
