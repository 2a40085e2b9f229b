import CLinux
import Glibc
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer
import TestSupport
import Testing

/// Real store, real transfer, real sockets; only time stands still until told.
@Suite("The engine", .timeLimit(.minutes(1))) struct EngineTests {
    @Test("fetches a new feed at once and stores what it holds")
    func fetchesAtOnce() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1},{"id":2}]"#) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/shop")])
        #expect(await eventually { rig.status("shop")?.store.items == 2 })
        #expect(rig.status("shop")?.progress.failures == 0)
        #expect(rig.status("shop")?.freshness(at: rig.time.now().wall) == .fresh)
        await rig.stop()
    }

    @Test("asks again an interval later, conditionally, and a 304 writes nothing to the log")
    func asksAgain() async throws {
        let upstream = try ScriptedUpstream {
            .document(Array(#"[{"id":1}]"#.utf8), etag: "W/\"odd tag\"", to: $0)
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        let seq = rig.status("shop")?.store.seq
        rig.time.advance(by: .seconds(299))
        #expect(upstream.requests.count == 1)
        rig.time.advance(by: .seconds(31))
        await upstream.received(2)
        #expect(await eventually { rig.landed("shop") })
        #expect(upstream.requests.last?.header("if-none-match") == "W/\"odd tag\"")
        #expect(rig.status("shop")?.store.seq == seq)
        await rig.stop()
    }

    @Test("keeps items through a failure and comes back by its backoff")
    func failureKeepsItems() async throws {
        let broken = Locked(false)
        let upstream = try ScriptedUpstream { _ in
            broken.withLock { $0 } ? UpstreamAnswer(status: 503) : UpstreamAnswer(text: #"[{"id":1}]"#)
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        broken.withLock { $0 = true }
        rig.time.advance(by: .seconds(330))
        await upstream.received(2)
        #expect(await eventually { rig.status("shop")?.progress.failures == 1 && rig.landed("shop") })
        #expect(rig.status("shop")?.state == .backoff)
        #expect(rig.status("shop")?.store.items == 1)
        #expect(rig.status("shop")?.progress.failure?.failure.code == "http-503")
        broken.withLock { $0 = false }
        rig.time.advance(by: .seconds(330))
        await upstream.received(3)
        #expect(await eventually { rig.status("shop")?.state == .active && rig.landed("shop") })
        await rig.stop()
    }

    @Test("serves a hundred callers with one request, all with the same outcome")
    func coalesces() async throws {
        let gate = UpstreamGate()
        let upstream = try ScriptedUpstream { request in
            request.order == 1
                ? UpstreamAnswer(text: "[]")
                : UpstreamAnswer(text: #"[{"id":1}]"#).sent(.stall(after: 3, until: gate))
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        #expect(await eventually { rig.landed("shop") })
        let engine = rig.engine
        let outcomes = await withTaskGroup(of: RefreshOutcome?.self) { group in
            for _ in 0..<100 {
                group.addTask { await engine.refresh(Self.shop, mode: .now, acceptDrop: false) }
            }
            await gate.arrivals(1)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        var counts = RefreshCounts()
        counts.added = 1
        // A caller who came after the landing met the least gap, which is zero here, and caused a second request.
        #expect(outcomes.count == 100)
        #expect(outcomes.contains(.refreshed(counts)))
        #expect(outcomes.allSatisfy { $0 == .refreshed(counts) || $0 == .unchanged })
        await rig.stop()
    }

    @Test("a stalled upstream delays nobody at other origins")
    func bulkhead() async throws {
        let stalled = try ScriptedUpstream { _ in .silence() }
        let quick = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer {
            stalled.stop()
            quick.stop()
        }
        var feeds: [String: String] = [:]
        for number in 0..<30 { feeds["a-slow-\(number)"] = stalled.url("/\(number)") }
        for number in 0..<10 { feeds["z-quick-\(number)"] = quick.url("/\(number)") }
        let rig = try await EngineRig(feeds: feeds, concurrency: 4)
        #expect(await eventually { (0..<10).allSatisfy { rig.landed("z-quick-\($0)") } })
        #expect(stalled.requests.count == 1)
        await rig.stop()
    }

    @Test("stops in the middle of a flight, releases whoever waits, and is due again afterwards")
    func stopsInFlight() async throws {
        let upstream = try ScriptedUpstream { _ in .silence() }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")])
        await upstream.received(1)
        let engine = rig.engine
        async let waiting = engine.refresh(Self.shop, mode: .now, acceptDrop: false)
        await rig.stop()
        #expect(await waiting == .refused(reason: "the daemon stops"))
        #expect(rig.status("shop")?.progress.failures == 0)
        #expect(rig.status("shop")?.inFlight == false)
    }

    @Test("a disk that takes nothing stops refreshes and no reader, and all goes on when it does again")
    func fullDisk() async throws {
        let folder = TemporaryFolder()
        let state = folder.path("state")
        _ = unsafe mkdir(state, 0o700)
        guard unsafe mount("none", state, "tmpfs", 0, "size=8m") == 0 else {
            print("full disk: skipped, a file system of its own needs root")
            return
        }
        defer { _ = unsafe umount2(state, CInt(MNT_DETACH)) }
        let body = String(repeating: "x", count: 5_000)
        let many = (2...250).map { "{\"id\":\($0),\"a\":\"\(body)\"}" }.joined(separator: ",")
        let size = Locked(0)
        let upstream = try ScriptedUpstream { _ in
            let rest = size.withLock { $0 == 0 ? "" : ",\(many)" }
            return UpstreamAnswer(text: "[{\"id\":1}\(rest)]")
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: ["shop": upstream.url("/")], folder: folder)
        #expect(await eventually { rig.landed("shop") })
        let ballast = folder.write([UInt8](repeating: 1, count: 6_500_000), to: "state/ballast")
        size.withLock { $0 = 1 }
        let failed = await rig.engine.refresh(Self.shop, mode: .now, acceptDrop: false)
        guard case .failed(let failure) = failed else {
            Issue.record("\(String(describing: failed))")
            return
        }
        #expect(failure.code == "storage-full")
        #expect(try rig.items("shop") == ["1": #"{"id":1}"#])
        let asked = upstream.requests.count
        // Nobody is asked for what could not be kept.
        #expect(await rig.engine.refresh(Self.shop, mode: .now, acceptDrop: false) == failed)
        #expect(upstream.requests.count == asked)
        #expect(rig.alarms.count == 1 && rig.alarms.first?.contains("storage-full") == true)
        #expect(unsafe unlink(ballast) == 0)
        #expect(
            await eventually {
                rig.time.advance(by: .seconds(30))
                return rig.alarms.isEmpty && rig.status("shop")?.store.items == 250
            })
        #expect(rig.status("shop")?.progress.failures == 0)
        await rig.stop()
    }

    @Test("what a followed upstream says of stale copies is kept, over a restart, until it says else")
    func followedUpstream() async throws {
        let said = Locked("max-age=10, stale-while-revalidate=20, stale-if-error=30, must-revalidate")
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Cache-Control", said.withLock { $0 })], text: #"[{"id":1}]"#)
        }
        defer { upstream.stop() }
        var feed = try EngineRig.feed("shop", upstream.url("/"))
        var details = feed.details.value
        details.freshness.upstreamHeaders = .follow
        feed.details = Shared(details)
        let (folder, time) = (TemporaryFolder(), ManualTime())
        var expected = ServingRules()
        (expected.serveStale, expected.staleIfError) = (.seconds(20), .seconds(30))
        expected.mustRevalidate = true
        for _ in 1...2 {
            let rig = try await EngineRig(feeds: [feed], folder: folder, time: time)
            #expect(await eventually { rig.landed("shop") })
            #expect(rig.status("shop")?.serving == expected)
            let success = rig.status("shop")?.progress.lastSuccess
            #expect(rig.status("shop")?.freshUntil == success.map { $0 + .seconds(10) })
            await rig.stop()
        }
        said.withLock { $0 = "max-age=10" }
        let rig = try await EngineRig(feeds: [feed], folder: folder, time: time)
        time.advance(by: .seconds(400))
        #expect(await eventually { rig.status("shop")?.serving == ServingRules() })
        await rig.stop()
    }

    @Test("knows no feed that is not configured")
    func unknownFeed() async throws {
        let rig = try await EngineRig(feeds: [:])
        #expect(await rig.engine.refresh(Self.shop, mode: .now, acceptDrop: false) == nil)
        await rig.stop()
    }

    private static let shop = EngineRig.id("shop")
}
