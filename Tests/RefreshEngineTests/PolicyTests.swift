import RefreshCore
import RefreshEngine
import RefreshStore
import TestSupport
import Testing

/// What the policy decides, seen from the upstream's side of real sockets.
@Suite("The engine's politeness", .timeLimit(.minutes(1))) struct PolicyTests {
    private static let items = UpstreamAnswer(text: #"[{"id":1}]"#)

    @Test("leaves an origin alone that asks for it, with all its feeds, and tells why")
    func originGate() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? UpstreamAnswer(status: 429, headers: [("Retry-After", "100")]) : Self.items
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a"), "b": upstream.url("/b")])
        #expect(await eventually { ["a", "b"].allSatisfy { rig.status($0)?.state == .limited } })
        for name in ["a", "b"] {
            let outcome = await rig.engine.refresh(EngineRig.id(name), mode: .now, acceptDrop: false)
            #expect(outcome == .limited(retryIn: .seconds(100)))
        }
        #expect(upstream.requests.count == 1)
        rig.time.advance(by: .seconds(100))
        await upstream.received(2)
        #expect(await eventually { ["a", "b"].contains { rig.status($0)?.store.items == 1 } })
        await rig.stop()
    }

    @Test("keeps an origin's pause over a restart")
    func originGateSurvives() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? UpstreamAnswer(status: 429, headers: [("Retry-After", "1000")]) : Self.items
        }
        defer { upstream.stop() }
        let memory = Memory()
        let folder = TemporaryFolder()
        let first = try await EngineRig(feeds: ["a": upstream.url("/a")], folder: folder, origins: memory)
        #expect(await eventually { first.status("a")?.progress.failures == 1 && !memory.isEmpty })
        await first.stop()
        let time = ManualTime()
        time.advance(by: .seconds(500))
        let second = try await EngineRig(
            feeds: ["a": upstream.url("/a"), "new": upstream.url("/new")], folder: folder, origins: memory,
            time: time)
        #expect(await eventually { second.status("new")?.state == .limited })
        #expect(second.status("new")?.dueRule == "origin gate")
        #expect(upstream.requests.count == 1)
        time.advance(by: .seconds(501))
        await upstream.received(2)
        #expect(await eventually { second.landed("new") })
        await second.stop()
    }

    @Test("passes a gate for who controls it")
    func overridesGate() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? UpstreamAnswer(status: 429, headers: [("Retry-After", "100")]) : Self.items
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.status("a")?.progress.failures == 1 && rig.landed("a") })
        var wish = RefreshWish(.now)
        wish.overridesGate = true
        var counts = RefreshCounts()
        counts.added = 1
        #expect(await rig.engine.refresh(EngineRig.id("a"), wish) == .refreshed(counts))
        #expect(rig.status("a")?.state == .active)
        await rig.stop()
    }

    @Test("keeps a second between the starts of feeds of one origin")
    func originGap() async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        var feeds: [String: String] = [:]
        for number in 0..<4 { feeds["f\(number)"] = upstream.url("/\(number)") }
        let rig = try await EngineRig(feeds: feeds, originGap: .seconds(1))
        for count in 1...4 {
            await upstream.received(count)
            #expect(await eventually { (0..<4).count { rig.landed("f\($0)") } == count })
            #expect(upstream.requests.count == count)
            rig.time.advance(by: .seconds(1))
        }
        await rig.stop()
    }

    @Test("stops a paused feed's schedule, lets a demand through, and goes on")
    func pauses() async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        #expect(await rig.engine.pause(EngineRig.id("a"), true))
        #expect(rig.status("a")?.state == .paused)
        rig.time.advance(by: .seconds(1_000))
        #expect(await rig.engine.refresh(EngineRig.id("a"), mode: .now, acceptDrop: false) == .unchanged)
        #expect(upstream.requests.count == 2)
        rig.time.advance(by: .seconds(1_000))
        #expect(await rig.engine.pause(EngineRig.id("a"), false))
        await upstream.received(3)
        #expect(!(await rig.engine.pause(EngineRig.id("nobody"), true)))
        await rig.stop()
    }

    // vectordotdev/vector#5795, influxdata/telegraf#8728, dgtlmoon/changedetection.io#4318: a reload loses data,
    // restarts timers, or is not applied.
    @Test(
        "goes over to another plan: what did not change keeps its timers, what did counts from the last start"
    )
    func reloads() async throws {
        let upstream = try ScriptedUpstream { .document(Array(#"[{"id":1}]"#.utf8), etag: "\"a\"", to: $0) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [
            "same": upstream.url("/same"), "other": upstream.url("/other"), "gone": upstream.url("/gone"),
        ])
        #expect(await eventually { ["same", "other", "gone"].allSatisfy { rig.landed($0) } })
        let due = rig.status("same")?.nextDue
        let start = try #require(rig.status("other")?.progress.lastAttempt)
        rig.time.advance(by: .seconds(10))
        let plan = Plan(
            daemon: DaemonSettings(),
            feeds: [
                try EngineRig.feed("same", upstream.url("/same")),
                try EngineRig.feed("other", upstream.url("/other"), every: 900),
                try EngineRig.feed("new", upstream.url("/new")),
            ])
        let change = try await rig.engine.apply(plan)
        #expect(change.added == [EngineRig.id("new")])
        #expect(change.changed == [EngineRig.id("other")])
        #expect(change.removed == [EngineRig.id("gone")])
        #expect(change.unchanged == 1)
        #expect(rig.status("gone") == nil)
        #expect(rig.status("same")?.nextDue == due)
        #expect(rig.status("other")?.nextDue == start + .seconds(900))
        #expect(await eventually { rig.landed("new") })
        #expect(await rig.engine.refresh(EngineRig.id("gone"), mode: .now, acceptDrop: false) == nil)
        rig.time.advance(by: .seconds(330))
        await upstream.received(5)
        let again = upstream.requests.filter { $0.target == "/same" }
        #expect(again.last?.header("if-none-match") == "\"a\"")
        await rig.stop()
    }

    @Test("a feed that is removed in mid-flight answers its waiters and is gone")
    func removedInFlight() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { _ in Self.items.sent(.stall(after: 3, until: gate)) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        await gate.arrivals(1)
        let engine = rig.engine
        async let waiting = engine.refresh(EngineRig.id("a"), mode: .now, acceptDrop: false)
        let change = try await engine.apply(Plan(daemon: DaemonSettings(), feeds: []))
        #expect(change.removed == [EngineRig.id("a")])
        #expect(rig.status("a") == nil)
        gate.open()
        _ = await waiting
        #expect(await rig.engine.refresh(EngineRig.id("a"), mode: .now, acceptDrop: false) == nil)
        #expect(rig.status("a") == nil)
        await rig.stop()
    }

    @Test("a feed that is taken out and put back in mid-flight goes on")
    func removedAndBack() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { _ in Self.items.sent(.stall(after: 3, until: gate)) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        await gate.arrivals(1)
        _ = try await rig.engine.apply(Plan(daemon: DaemonSettings(), feeds: []))
        let back = try await rig.engine.apply(
            Plan(daemon: DaemonSettings(), feeds: [try EngineRig.feed("a", upstream.url("/a"))]))
        #expect(back.added == [EngineRig.id("a")])
        gate.open()
        #expect(await eventually { rig.landed("a") })
        #expect(rig.status("a")?.store.items == 1)
        #expect(upstream.requests.count == 1)
        await rig.stop()
    }

    @Test("a flight under way when the host fell asleep is cut, not counted, and starts anew after the rest")
    func cutBySleep() async throws {
        let upstream = try ScriptedUpstream { request in request.order == 1 ? .silence() : Self.items }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        await upstream.received(1)
        rig.time.suspend(for: .seconds(3_600))
        await rig.engine.clockChanged()
        #expect(await eventually { rig.status("a")?.inFlight == false })
        #expect(rig.status("a")?.progress.failures == 0)
        #expect(upstream.requests.count == 1)
        rig.time.advance(by: .seconds(100))
        await upstream.received(2)
        #expect(await eventually { rig.status("a")?.store.items == 1 })
        await rig.stop()
    }

    // systemd/systemd#43464: all missed timers fire at resume. oxidecomputer/omicron#9428, elkowar/eww#367: a burst of
    // missed ticks, or a timer that counts as if no time had passed.
    @Test("after sleep rests ten seconds, then makes up for what it missed once, spread")
    func resumes() async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a"), "b": upstream.url("/b")])
        #expect(await eventually { rig.landed("a") && rig.landed("b") })
        rig.time.suspend(for: .seconds(36_000))
        await rig.engine.clockChanged()
        #expect(rig.status("a")?.dueRule == "overdue at start")
        rig.time.advance(by: .seconds(9))
        await rig.engine.clockChanged()
        #expect(upstream.requests.count == 2)
        rig.time.advance(by: .seconds(90))
        await upstream.received(4)
        #expect(await eventually { rig.landed("a") && rig.landed("b") })
        rig.time.advance(by: .seconds(100))
        await rig.engine.clockChanged()
        #expect(upstream.requests.count == 4)
        await rig.stop()
    }

    @Test("a step of the wall clock moves what is shown and starts nothing", arguments: [-86_400, 86_400])
    func steps(step: Int) async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        let due = try #require(rig.status("a")?.nextDue)
        rig.time.stepWall(by: .seconds(step))
        await rig.engine.clockChanged()
        #expect(rig.status("a")?.nextDue == due + .seconds(step))
        #expect(upstream.requests.count == 1)
        rig.time.advance(by: .seconds(331))
        await upstream.received(2)
        await rig.stop()
    }

    // miniflux/v2#2128, #3900: adding a feed sends two requests, and the second is refused.
    @Test("a new feed is asked for once")
    func onlyOnce() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order == 1 ? Self.items : UpstreamAnswer(status: 429, headers: [("Retry-After", "60")])
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        #expect(await rig.engine.refresh(EngineRig.id("a"), mode: .ifStale, acceptDrop: false) == .fresh)
        rig.time.advance(by: .seconds(60))
        #expect(upstream.requests.count == 1)
        #expect(rig.status("a")?.state == .active)
        await rig.stop()
    }

    // newsboat/newsboat#2732: a 304 read as a failure and tried again.
    @Test("a 304 with nothing in it is a success, and is not repeated")
    func notModified() async throws {
        let upstream = try ScriptedUpstream { .document(Array(#"[{"id":1}]"#.utf8), etag: "\"a\"", to: $0) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        #expect(await rig.engine.refresh(EngineRig.id("a"), mode: .now, acceptDrop: false) == .unchanged)
        #expect(rig.status("a")?.progress.failures == 0)
        #expect(upstream.requests.count == 2)
        await rig.stop()
    }

    // miniflux/miniflux-legacy#218, GoogleChrome/web.dev#4382: the tag is stuck, or the date is of 1980, and the feed
    // is frozen for its readers.
    @Test("another body is new, whatever its head says")
    func stuckValidators() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(
                headers: [("ETag", "\"a\""), ("Last-Modified", "Tue, 01 Jan 1980 00:00:00 GMT")],
                text: #"[{"id":\#(request.order)}]"#)
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        let outcome = await rig.engine.refresh(EngineRig.id("a"), mode: .now, acceptDrop: false)
        guard case .refreshed(let counts) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(counts.added == 1)
        await rig.stop()
    }

    @Test("explains when a feed is due, and why")
    func explains() async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["a": upstream.url("/a")])
        #expect(await eventually { rig.landed("a") })
        let explanation = await rig.engine.explain(EngineRig.id("a"))
        #expect(explanation?.rule == "every")
        #expect(explanation?.interval == .seconds(300))
        #expect(await rig.engine.explain(EngineRig.id("nobody")) == nil)
        await rig.stop()
    }

    @Test("gives no turn to a flight that is none")
    func noTurn() async throws {
        let rig = try await EngineRig(feeds: [:])
        let origin = Origin(scheme: .https, host: "a.example", port: 443)
        await #expect(throws: TurnsEnded.self) {
            try await rig.engine.nextTurn(of: EngineRig.id("a"), at: origin, lane: 0, after: .zero)
        }
        await rig.stop()
    }

    @Test("the watch on the system's clock starts and ends")
    func clockWatch() async throws {
        let watch = try #require(ClockWatch {})
        await offPool { watch.stop() }
        await offPool { watch.stop() }
    }
}

/// Keeps origins in memory.
private final class Memory: OriginMemory {
    private let kept = Locked<[Origin: OriginProgress]>([:])

    var isEmpty: Bool { kept.withLock(\.isEmpty) }

    func origins() async -> [Origin: OriginProgress] { kept.withLock { $0 } }

    func save(_ changes: [Origin: OriginProgress]) async {
        kept.withLock { $0.merge(changes) { $1 } }
    }
}
