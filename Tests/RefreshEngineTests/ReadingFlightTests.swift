import RefreshCore
import RefreshEngine
import RefreshStore
import TestSupport
import Testing

/// What flights make of bodies, from the upstream to the store.
@Suite("Flights that read", .timeLimit(.minutes(1))) struct ReadingFlightTests {
    private func piped(_ url: String, _ command: [String]) throws -> Feed {
        var feed = try EngineRig.feed("shop", url)
        feed.records.pipe = command
        return feed
    }

    @Test("let a program make records of a body, and do not ask it again about an equal one")
    func pipe() async throws {
        let body = Locked(#"{"id":1};{"id":2}"#)
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: body.withLock { $0 }) }
        defer { upstream.stop() }
        let folder = TemporaryFolder()
        let log = folder.path("runs")
        let script = "echo run >> \(log); tr ';' '\\n'"
        let rig = try await EngineRig(feeds: [try piped(upstream.url("/"), ["sh", "-c", script])])
        #expect(await eventually { rig.landed("shop") })
        #expect(try rig.items("shop") == ["1": #"{"id":1}"#, "2": #"{"id":2}"#])
        let outcome = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(outcome == .unchanged)
        body.withLock { $0 = #"{"id":2}"# }
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: true)
        #expect(try rig.items("shop") == ["2": #"{"id":2}"#])
        #expect(readFile(log)?.count == 8)
        await rig.stop()
    }

    @Test("keep what they have where a program fails")
    func pipeFails() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(text: request.order == 1 ? #"{"id":1}"# : "bad")
        }
        defer { upstream.stop() }
        let script = "read line; [ \"$line\" = bad ] && { echo 'no such luck' >&2; exit 4; }; echo \"$line\""
        let rig = try await EngineRig(feeds: [try piped(upstream.url("/"), ["sh", "-c", script])])
        #expect(await eventually { rig.landed("shop") })
        guard
            case .failed(let failure) = await rig.engine.refresh(
                EngineRig.id("shop"), mode: .now, acceptDrop: false)
        else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == "pipe-failed" && failure.class == .data)
        #expect(failure.detail.contains("status 4: no such luck"))
        #expect(try rig.items("shop") == ["1": #"{"id":1}"#])
        await rig.stop()
    }

    @Test("end a program with the daemon")
    func pipeStops() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "[]") }
        defer { upstream.stop() }
        let folder = TemporaryFolder()
        let mark = folder.path("started")
        let script = "echo x > \(mark); exec sleep 1000"
        let rig = try await EngineRig(feeds: [try piped(upstream.url("/"), ["sh", "-c", script])])
        #expect(await eventually { readFile(mark) != nil })
        await rig.stop()
        #expect(rig.status("shop")?.progress.failures == 0)
    }

    @Test("honour what a syndication feed says of its rhythm")
    func timeToLive() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                text: """
                    <rss version="2.0"><channel><title>t</title><ttl>60</ttl>
                    <item><guid>a</guid><title>x</title></item></channel></rss>
                    """)
        }
        defer { upstream.stop() }
        var feed = try EngineRig.feed("shop", upstream.url("/"))
        feed = Feed(
            id: feed.id, adapter: .feed, schedule: feed.schedule, request: feed.request,
            records: RecordsPlan(), retention: feed.retention, absent: .keep)
        let rig = try await EngineRig(feeds: [feed])
        #expect(await eventually { rig.landed("shop") })
        let status = try #require(rig.status("shop"))
        let wait = try #require(status.nextDue) - rig.time.now().wall
        #expect(wait >= .seconds(3_590) && wait <= .seconds(2 * 3_600), "\(wait)")
        await rig.stop()
    }

    @Test("leave an upstream alone that says that nothing is left of its limit", arguments: [false, true])
    func rates(hasOwnBudget: Bool) async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "100")], text: "[]")
        }
        defer { upstream.stop() }
        var feed = try EngineRig.feed("shop", upstream.url("/"))
        if hasOwnBudget {
            var details = FeedDetails()
            details.limits.rate = Rate(count: 60, per: .seconds(60))
            feed.details = Shared(details)
        }
        let rig = try await EngineRig(feeds: [feed])
        #expect(await eventually { rig.landed("shop") })
        async let outcome = rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        if !hasOwnBudget { #expect(await outcome == .limited(retryIn: .seconds(100))) }
        #expect(upstream.requests.count == 1)
        rig.time.advance(by: .seconds(101))
        if hasOwnBudget {
            await upstream.received(2)
            #expect(await outcome == .unchanged)
        }
        await rig.stop()
    }

    @Test("delete the entries that an Atom feed says are gone")
    func deletedEntries() async throws {
        let gone = Locked(false)
        let upstream = try ScriptedUpstream { _ in
            let deleted = #"<at:deleted-entry ref="urn:a" when="2026-01-01T00:00:00Z"/>"#
            let entry = { (id: String) in
                "<entry><id>urn:\(id)</id><title>\(id)</title><updated>2026-01-01T00:00:00Z</updated></entry>"
            }
            return UpstreamAnswer(
                text: #"<feed xmlns="http://www.w3.org/2005/Atom" "#
                    + #"xmlns:at="http://purl.org/atompub/tombstones/1.0"><id>urn:f</id><title>t</title>"#
                    + (gone.withLock { $0 } ? deleted : entry("a")) + entry("b") + "</feed>")
        }
        defer { upstream.stop() }
        let plain = try EngineRig.feed("shop", upstream.url("/"))
        let feed = Feed(
            id: plain.id, adapter: .feed, schedule: plain.schedule, request: plain.request,
            records: RecordsPlan(), retention: plain.retention, absent: .keep)
        let rig = try await EngineRig(feeds: [feed])
        #expect(await eventually { rig.landed("shop") })
        #expect(Set(try rig.items("shop").keys) == ["urn:a", "urn:b"])
        gone.withLock { $0 = true }
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(Set(try rig.items("shop").keys) == ["urn:b"])
        await rig.stop()
    }

    @Test("go on with a new epoch where records have become others, and with the old one where not")
    func shapes() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: #"[{"id":1,"sku":"x"}]"#) }
        defer { upstream.stop() }
        let folder = TemporaryFolder()
        var feed = try EngineRig.feed("shop", upstream.url("/"))
        var epochs: [Epoch] = []
        for key in ["id", "id", "sku"] {
            feed.records.key = [.json(try JSONPath(parsing: key))]
            let rig = try await EngineRig(feeds: [feed], folder: folder)
            #expect(await eventually { rig.landed("shop") })
            epochs.append(try #require(rig.status("shop")?.store.epoch))
            await rig.stop()
        }
        #expect(epochs[0] == epochs[1])
        #expect(epochs[1] != epochs[2])
    }
}
