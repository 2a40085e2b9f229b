import RefreshAdapters
import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@Suite("Passes of several requests", .timeLimit(.minutes(1))) struct PassTests {
    private func rows(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    }

    private func paged(_ url: String) throws -> Feed {
        var feed = try EngineRig.feed("shop", url)
        var details = FeedDetails()
        details.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
        details.retry.tries = 1
        feed.details = Shared(details)
        return feed
    }

    @Test("store page after page, and what no page held is gone after the last one")
    func pages() async throws {
        let list = Locked(Array(1...5))
        let upstream = try ScriptedUpstream { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
            return UpstreamAnswer(text: self.rows(list.withLock { $0.dropFirst((page - 1) * 2).prefix(2) }))
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [try paged(upstream.url("/shop"))])
        #expect(await eventually { rig.landed("shop") })
        #expect(Set(try rig.items("shop").keys) == ["1", "2", "3", "4", "5"])
        #expect(upstream.requests.map(\.target) == (1...4).map { "/shop?p=\($0)" })
        await rig.stop()
    }

    @Test("go on at the page where they were interrupted")
    func goesOn() async throws {
        let broken = Locked(true)
        let upstream = try ScriptedUpstream { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
            if page == 3, broken.withLock({ $0 }) { return UpstreamAnswer(status: 500) }
            return UpstreamAnswer(text: page > 3 ? "[]" : self.rows([page]))
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [try paged(upstream.url("/shop"))])
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.progress.failures == 1)
        #expect(Set(try rig.items("shop").keys) == ["1", "2"])
        broken.withLock { $0 = false }
        let outcome = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        var counts = RefreshCounts()
        counts.added = 1
        #expect(outcome == .refreshed(counts))
        #expect(upstream.requests.map(\.target).suffix(2) == ["/shop?p=3", "/shop?p=4"])
        await rig.stop()
    }

    // U12: the marks are in memory.
    @Test(
        "that go on prove the whole list where the store still knows what they met, and not after a restart",
        arguments: [false, true])
    func goesOnAndSweeps(isRestarted: Bool) async throws {
        let list = Locked([[1], [2], [3], [4], []])
        let broken = Locked(0)
        let upstream = try ScriptedUpstream { request in
            let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
            if page == broken.withLock({ $0 }) { return UpstreamAnswer(status: 500) }
            return UpstreamAnswer(text: self.rows(list.withLock { $0[page - 1] }))
        }
        defer { upstream.stop() }
        let (folder, time) = (TemporaryFolder(), ManualTime())
        let feeds = [try paged(upstream.url("/shop"))]
        var rig = try await EngineRig(feeds: feeds, folder: folder, time: time)
        #expect(await eventually { rig.landed("shop") })
        // The first page loses its item, then the third cannot be read.
        list.withLock { $0 = [[2], [3], [4], []] }
        broken.withLock { $0 = 3 }
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(Set(try rig.items("shop").keys) == ["1", "2", "3", "4"])
        if isRestarted {
            await rig.stop()
            rig = try await EngineRig(feeds: feeds, folder: folder, time: time)
        }
        broken.withLock { $0 = 0 }
        _ = await rig.engine.refresh(EngineRig.id("shop"), mode: .now, acceptDrop: false)
        #expect(upstream.requests.map(\.target).suffix(2) == ["/shop?p=3", "/shop?p=4"])
        #expect(Set(try rig.items("shop").keys) == (isRestarted ? ["1", "2", "3", "4"] : ["2", "3", "4"]))
        await rig.stop()
    }

    // MARK: - Parents

    @Test("go through parents beside each other, so many and no more")
    func parentsBesideEachOther() async throws {
        let gate = UpstreamGate()
        let isSlow = Locked(false)
        let upstream = try ScriptedUpstream { request in
            if request.path == "/stores" {
                return UpstreamAnswer(text: #"[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"}]"#)
            }
            let answer = UpstreamAnswer(text: self.rows([1, 2]))
            return isSlow.withLock { $0 } ? answer.sent(.stall(after: 3, until: gate)) : answer
        }
        defer { upstream.stop() }
        var child = try child(upstream.url("/stores"), changedOnly: false)
        var details = child.details.value
        details.parent?.concurrent = 2
        child.details = Shared(details)
        let rig = try await EngineRig(
            feeds: [try EngineRig.feed("stores", upstream.url("/stores")), child], perOrigin: 8)
        #expect(await eventually { rig.landed("stores") && rig.landed("orders") })
        isSlow.withLock { $0 = true }
        let before = upstream.requests.count
        async let outcome = rig.engine.refresh(EngineRig.id("orders"), mode: .now, acceptDrop: false)
        await upstream.received(before + 2)
        #expect(upstream.requests.count == before + 2)
        gate.open()
        #expect(await outcome != nil)
        #expect(upstream.requests.count == before + 5)
        #expect(try rig.items("orders").count == 10)
        #expect(rig.status("orders")?.progress.failures == 0)
        // Every turn was given back: the next refresh of a neighbour starts.
        let neighbour = await rig.engine.refresh(EngineRig.id("stores"), mode: .now, acceptDrop: false)
        #expect(neighbour == .unchanged)
        await rig.stop()
    }

    private func child(_ url: String, changedOnly: Bool) throws -> Feed {
        var feed = try EngineRig.feed("orders", url)
        feed.request.urlTemplate = Template([
            .literal("\(url)/"), .placeholder(.parent("id")), .literal("/orders"),
        ])
        feed.records.key = [.json(try JSONPath(parsing: "parent.id")), .json(try JSONPath(parsing: "id"))]
        var parent = ParentPlan(feed: EngineRig.id("stores"))
        parent.with = ["region"]
        parent.changedOnly = changedOnly
        var details = FeedDetails()
        details.parent = parent
        feed.details = Shared(details)
        return feed
    }

    @Test(
        "go through the items of a parent feed, with its fields in keys and rows",
        arguments: [false, true])
    func parents(changedOnly: Bool) async throws {
        let stores = Locked([("a", "eu", 2), ("b", "us", 1)])
        let upstream = try ScriptedUpstream { request in
            let stores = stores.withLock { $0 }
            if request.path == "/stores" {
                let text = stores.map { #"{"id":"\#($0.0)","region":"\#($0.1)","n":\#($0.2)}"# }
                return UpstreamAnswer(text: "[\(text.joined(separator: ","))]")
            }
            guard let store = stores.first(where: { request.path == "/stores/\($0.0)/orders" }) else {
                return UpstreamAnswer(status: 404)
            }
            return UpstreamAnswer(text: self.rows(1...store.2))
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [
            try EngineRig.feed("stores", upstream.url("/stores")),
            try child(upstream.url("/stores"), changedOnly: changedOnly),
        ])
        func refresh(_ feed: String) async {
            _ = await rig.engine.refresh(EngineRig.id(feed), mode: .now, acceptDrop: true)
        }
        #expect(await eventually { rig.landed("stores") && rig.landed("orders") })
        await refresh("orders")
        #expect(
            try rig.items("orders") == [
                #"["a","1"]"#: #"{"id":1,"region":"eu"}"#, #"["a","2"]"#: #"{"id":2,"region":"eu"}"#,
                #"["b","1"]"#: #"{"id":1,"region":"us"}"#,
            ])
        // A parent changes, and its children with it.
        stores.withLock { $0[1] = ("b", "uk", 2) }
        await refresh("stores")
        let before = upstream.requests.count
        await refresh("orders")
        #expect(upstream.requests.count - before == (changedOnly ? 1 : 2))
        #expect(try rig.items("orders")[#"["b","2"]"#] == #"{"id":2,"region":"uk"}"#)
        // A parent is gone, and its children with it.
        stores.withLock { $0 = [("b", "uk", 2)] }
        await refresh("stores")
        await refresh("orders")
        #expect(Set(try rig.items("orders").keys) == [#"["b","1"]"#, #"["b","2"]"#])
        await rig.stop()
    }
}
