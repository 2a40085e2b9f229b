import RefreshCore
import RefreshEngine
import RefreshStore
import TestSupport
import Testing

/// What changes under a flight: the feed that it is for, or the connections that it goes over.
@Suite("What changes under a flight", .timeLimit(.minutes(1))) struct ChangeInFlightTests {
    private static let text = #"[{"id":1,"sku":"x"},{"id":2,"sku":"y"}]"#

    private func feed(_ url: String, key: String) throws -> Feed {
        var feed = try EngineRig.feed("shop", url)
        feed.records.key = [.json(try JSONPath(parsing: key))]
        return feed
    }

    @Test("rows of the old shape are not stored any more, and the feed is read anew at once")
    func reshaped() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            let answer = UpstreamAnswer(text: Self.text)
            return request.order == 1 ? answer.sent(.stall(after: 10, until: gate)) : answer
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/"), key: "id")])
        await gate.arrivals(1)
        let engine = rig.engine
        async let waiting = engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        let change = try await engine.apply(
            EngineRig.plan([try feed(upstream.url("/"), key: "sku")]))
        #expect(change.changed == [EngineRig.id("shop")])
        gate.open()
        _ = await waiting
        await upstream.received(2)
        #expect(await eventually { rig.landed("shop") && rig.status("shop")?.store.items == 2 })
        #expect(Set(try rig.items("shop").keys) == ["x", "y"])
        #expect(rig.status("shop")?.progress.failures == 0)
        await rig.stop()
    }

    @Test("a pass over several pages stops at the page that finds another shape")
    func reshapedBetweenPages() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            switch request.target {
            case "/?v=1":
                UpstreamAnswer(headers: [("Link", "</?v=1&p=2>; rel=next")], text: #"[{"id":1,"sku":"x"}]"#)
            case "/?v=1&p=2":
                UpstreamAnswer(text: #"[{"id":2,"sku":"y"}]"#).sent(.stall(after: 3, until: gate))
            default: UpstreamAnswer(text: #"[{"id":3,"sku":"z"}]"#)
            }
        }
        defer { upstream.stop() }
        var old = try feed(upstream.url("/?v=1"), key: "id")
        var details = FeedDetails()
        details.paging.kind = .linkHeader(rel: "next")
        old.details = Shared(details)
        let rig = try await EngineRig(feeds: [old])
        await gate.arrivals(1)
        #expect(Set(try rig.items("shop").keys) == ["1"])
        let epoch = rig.status("shop")?.store.epoch
        _ = try await rig.engine.apply(
            EngineRig.plan([try feed(upstream.url("/?v=2"), key: "sku")]))
        #expect(rig.status("shop")?.store.epoch != epoch)
        gate.open()
        #expect(await eventually { upstream.requests.last?.target == "/?v=2" && rig.landed("shop") })
        #expect(Set(try rig.items("shop").keys) == ["z"])
        await rig.stop()
    }

    @Test("another URL cuts the request to the old one, and is asked instead")
    func moved() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/old" ? .silence() : UpstreamAnswer(text: #"[{"id":7}]"#)
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/old")])
        await upstream.received(1)
        _ = try await rig.engine.apply(
            EngineRig.plan([try EngineRig.feed("shop", upstream.url("/new"))]))
        await upstream.departures(1)
        await upstream.received(2)
        #expect(await eventually { rig.status("shop")?.store.items == 1 && rig.landed("shop") })
        #expect(rig.status("shop")?.progress.failures == 0)
        await rig.stop()
    }

    @Test("connections of before a sleep are not used after it")
    func droppedConnections() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1}]"#) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(upstream.connections == 1 && upstream.requests.count == 2)
        // A step of the clock is no sleep.
        rig.time.stepWall(by: .seconds(3_600))
        await rig.engine.clockChanged()
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(upstream.connections == 1 && upstream.requests.count == 3)
        rig.time.suspend(for: .seconds(11))
        await rig.engine.clockChanged()
        await upstream.departures(1)
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(upstream.connections == 2 && upstream.requests.count == 4)
        await rig.stop()
    }

    @Test("a flight that is cut by a sleep keeps the count of failures as it was")
    func cutKeepsFailures() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order <= 2 ? UpstreamAnswer(status: 500) : .silence()
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        let engine = rig.engine
        _ = await engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(rig.status("shop")?.progress.failures == 2)
        async let third = engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        await upstream.received(3)
        rig.time.suspend(for: .seconds(3_600))
        await engine.clockChanged()
        #expect(await third == .refused(reason: "the host slept; the refresh starts anew"))
        #expect(rig.status("shop")?.progress.failures == 2)
        await rig.stop()
    }

    @Test("what a feed's passes came to is told, and known after a restart")
    func tally() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 2 ? UpstreamAnswer(status: 503) : UpstreamAnswer(text: Self.text)
        }
        defer { upstream.stop() }
        let folder = TemporaryFolder()
        let first = try await EngineRig(feeds: ["shop": upstream.url("/")], folder: folder)
        #expect(await eventually { first.landed("shop") })
        _ = await first.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        let tally = try #require(first.status("shop")?.progress.tally)
        #expect(tally.passes == 2 && tally.failed == 1 && tally.status == 503 && tally.bytes == 0)
        await first.stop()
        let second = try await EngineRig(feeds: ["shop": upstream.url("/")], folder: folder)
        #expect(second.status("shop")?.progress.tally == tally)
        _ = await second.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(second.status("shop")?.progress.tally.passes == 3)
        #expect(second.status("shop")?.progress.tally.bytes == UInt32(Self.text.utf8.count))
        await second.stop()
    }

    @Test("a feed that is expected to bring something and does not shows an alarm until it does")
    func expects() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1 ? UpstreamAnswer(status: 404) : UpstreamAnswer(text: Self.text)
        }
        defer { upstream.stop() }
        var feed = try EngineRig.feed("shop", upstream.url("/"))
        feed.expect = .seconds(600)
        let rig = try await EngineRig(feeds: [feed])
        #expect(await eventually { rig.landed("shop") })
        let alarms = { rig.status("shop")?.alarms(at: rig.time.now().wall) }
        #expect(alarms() == [])
        rig.time.advance(by: .seconds(600))
        #expect(alarms() == ["expect: no good pass"])
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(alarms() == [])
        await rig.stop()
    }
}
