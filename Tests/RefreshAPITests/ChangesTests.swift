import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI
@testable import RefreshStore

@Suite("Changes over the socket", .timeLimit(.minutes(1))) struct ChangesTests {
    @Test("since a key come the rows after it, ascending, and the newest key")
    func since() async throws {
        try await Rig.with { rig in
            let start = try await rig.commit("list", [("a", "1"), ("b", "1"), ("c", "1")]).seq
            try await rig.commit("list", [("a", "1"), ("c", "2"), ("d", "1.10")])
            let answer = await rig.http.get("/v1/feeds/list/changes?since=\(try rig.key("list", start))")
            let body = try Body(answer)
            #expect(answer?.headers.first("Cache-Control") == "no-store")
            let count = body.count("changes") ?? 0
            #expect(count == 3)
            var seqs: [Seq] = []
            for index in 0..<count {
                seqs.append(body["changes.\(index).seq"].flatMap { Seq($0) } ?? 0)
                switch body["changes.\(index).key"] {
                case "b":
                    #expect(body["changes.\(index).op"] == "delete")
                    #expect(body["changes.\(index).reason"] == "missing")
                    #expect(body["changes.\(index).item"] == nil)
                case "c":
                    #expect(body["changes.\(index).op"] == "upsert")
                    #expect(body["changes.\(index).created"] == "false")
                    #expect(body["changes.\(index).rev"] == "2")
                    #expect(body["changes.\(index).item.data"] == "2")
                case "d":
                    #expect(body["changes.\(index).created"] == "true")
                    #expect(body["changes.\(index).item.data"] == "1.10")
                default: Issue.record("an item that did not change")
                }
            }
            #expect(seqs == seqs.sorted() && seqs.first ?? 0 > start)
            let newest = try rig.key("list", try rig.newest("list"))
            #expect(body["sync_key"] == newest)
            #expect(body["has_more"] == "false")
            #expect(body["pending"] == "0")
        }
    }

    @Test("a page that is not the last carries the key of its last row")
    func paged() async throws {
        try await Rig.with { rig in
            let start = try await rig.commit("list", [("a", "1")]).seq
            try await rig.commit("list", [("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")])
            var since = try rig.key("list", start)
            var seen: [String] = []
            for turn in 1...3 {
                let body = try Body(await rig.http.get("/v1/feeds/list/changes?limit=1&since=\(since)"))
                seen.append(body["changes.0.key"] ?? "")
                #expect(body["has_more"] == (turn < 3 ? "true" : "false"))
                #expect(body["pending"] == "\(3 - turn)")
                since = try #require(body["sync_key"])
            }
            #expect(Set(seen) == ["b", "c", "d"])
            let newest = try rig.key("list", try rig.newest("list"))
            #expect(since == newest)
        }
    }

    @Test("what was created and deleted since is told to whom a list may have shown it, and to nobody else")
    func unknown() async throws {
        try await Rig.with { rig in
            let start = try await rig.commit("list", [("a", "1")]).seq
            let between = try await rig.commit("list", [("a", "1"), ("flash", "1")]).seq
            try await rig.commit("list", [("a", "1")])
            let early = try Body(
                await rig.http.get("/v1/feeds/list/changes?since=\(try rig.key("list", start))"))
            let newest = try rig.key("list", try rig.newest("list"))
            #expect(early.count("changes") == 1)
            #expect(early["changes.0.op"] == "delete")
            #expect(early["sync_key"] == newest)
            let whole = try Body(await rig.http.get("/v1/feeds/list/changes"))
            #expect(whole.count("changes") == 1)
            #expect(whole["changes.0.key"] == "a")
            let late = try Body(
                await rig.http.get("/v1/feeds/list/changes?since=\(try rig.key("list", between))"))
            #expect(late["changes.0.op"] == "delete")
            #expect(late["changes.0.key"] == "flash")
        }
    }

    @Test("since now comes nothing but the newest key")
    func now() async throws {
        try await Rig.with { rig in
            let body = try Body(await rig.http.get("/v1/feeds/shop/changes?since=now"))
            let newest = try rig.key("shop", try rig.newest("shop"))
            #expect(body.count("changes") == 0)
            #expect(body["sync_key"] == newest)
        }
    }

    @Test("without a key every live item comes, page by page")
    func beginning() async throws {
        try await Rig.with { rig in
            var live: Set<String> = []
            var query = ""
            var hasMore = true
            while hasMore {
                let body = try Body(await rig.http.get("/v1/feeds/shop/changes?limit=1\(query)"))
                let key = try #require(body["changes.0.key"])
                // A deletion of what was never seen does no harm.
                if body["changes.0.op"] == "upsert" { live.insert(key) } else { live.remove(key) }
                query = "&since=\(try #require(body["sync_key"]))"
                hasMore = body["has_more"] == "true"
            }
            #expect(live == ["a/b", "c", #"["x","y"]"#])
            let newest = try rig.key("shop", try rig.newest("shop"))
            #expect(query == "&since=\(newest)")
        }
    }

    @Test("a key that can no longer be answered is told so, never answered with nothing")
    func resync() async throws {
        try await Rig.with { rig in
            let newest = try rig.newest("shop")
            let keys = [
                (try rig.key("shop", newest, epoch: Epoch(1)), "epoch"),
                (try rig.key("shop", newest + 1), "future"),
            ]
            for (key, reason) in keys {
                let answer = await rig.http.get("/v1/feeds/shop/changes?since=\(key)")
                let body = try Body(answer)
                #expect(answer?.status == 410)
                #expect(body["code"] == "resync")
                #expect(body["reason"] == reason)
                #expect(answer?.headers.first("Cache-Control") == "no-store")
            }
        }
    }

    @Test("a key from before the last purge is told so")
    func horizon() throws {
        let feed = try #require(FeedID("shop"))
        let head = Heads.head(seq: 9, floor: 8)
        let key = SyncKey(epoch: head.epoch, seq: 7).text(feed: feed)
        let problem = #expect(throws: Problem.self) {
            try ChangeStart.reading(Array(key.utf8), feed: feed, head: head)
        }
        #expect(problem?.code == .resync)
        let body = String(decoding: problem?.answer(instance: "req-1").body ?? [], as: UTF8.self)
        #expect(body.contains(#""reason":"horizon""#))
        let edge = SyncKey(epoch: head.epoch, seq: 8).text(feed: feed)
        #expect(try ChangeStart.reading(Array(edge.utf8), feed: feed, head: head).seq == 8)
    }

    @Test("a key handed out below the floor ends when more is purged")
    func raisedFloor() throws {
        let feed = try #require(FeedID("shop"))
        let before = Heads.head(seq: 9, floor: 8)
        let text = ChangeStart.beginning(before).next(2, feed: feed, head: before)
        #expect(try ChangeStart.reading(Array(text.utf8), feed: feed, head: before).seq == 2)
        let after = Heads.head(seq: 12, floor: 10)
        let problem = #expect(throws: Problem.self) {
            try ChangeStart.reading(Array(text.utf8), feed: feed, head: after)
        }
        #expect(problem?.code == .resync)
        // A floor of the client's own making does not fit the key.
        let forged = "10." + text.drop { $0 != "." }.dropFirst()
        let refused = #expect(throws: Problem.self) {
            try ChangeStart.reading(Array(forged.utf8), feed: feed, head: after)
        }
        #expect(refused?.code == .badKey)
    }
}

private enum Heads {
    static func head(seq: Seq, floor: Seq) -> FeedHead {
        FeedHead(epoch: Epoch(77), seq: seq, floor: floor, items: 0, bytes: 0)
    }
}
