import RefreshCore
import Testing

@testable import RefreshAPI

@Suite("Pages that are kept") struct KeptPagesTests {
    private let start = Moment(wall: Timestamp(seconds: 100), boot: BootTime(.seconds(1)))

    private func key(_ name: String, _ query: String = "") throws -> PageKey {
        PageKey(feed: try #require(FeedID(name)), query: Array(query.utf8)[...])
    }

    private func stamp(
        epoch: UInt64 = 1, seq: Seq = 7, success: Int64 = 90, freshUntil: Int64 = 200, failure: String? = nil
    ) throws -> PageStamp {
        var progress = FeedProgress()
        progress.lastSuccess = Timestamp(seconds: success)
        progress.failure = failure.map {
            FailureNote(RefreshFailure(.transient, code: $0, detail: ""), at: Timestamp(seconds: 95))
        }
        let feed = FeedStatus(
            feed: try #require(FeedID("shop")), title: nil, adapter: "json", url: "https://example.test/",
            state: .active, progress: progress, freshUntil: Timestamp(seconds: freshUntil), nextDue: nil,
            dueRule: "every", inFlight: false, store: StoredCounts(epoch: Epoch(epoch)), alarms: [])
        return PageStamp(feed, epoch: Epoch(epoch), seq: seq)
    }

    private var hold: Hold { Hold(from: start, until: Timestamp(seconds: 110)) }

    @Test("a page comes back for the same feed and the same query only")
    func found() throws {
        var pages = KeptPages<String>(capacity: 10_000)
        pages.keep("page", bytes: 4, try key("shop", "limit=2"), of: try stamp(), for: hold)
        #expect(pages.page(try key("shop", "limit=2"), of: try stamp(), at: start) == "page")
        #expect(pages.page(try key("shop", "limit=3"), of: try stamp(), at: start) == nil)
        #expect(pages.page(try key("other", "limit=2"), of: try stamp(), at: start) == nil)
    }

    @Test("a page goes with anything that it tells, and its bytes with it")
    func invalidated() throws {
        let others = [
            try stamp(seq: 8), try stamp(seq: 6), try stamp(epoch: 2), try stamp(success: 91),
            try stamp(freshUntil: 201), try stamp(failure: "http-503"),
        ]
        for other in others {
            var pages = KeptPages<String>(capacity: 10_000)
            pages.keep("page", bytes: 4, try key("shop"), of: try stamp(), for: hold)
            #expect(pages.page(try key("shop"), of: other, at: start) == nil)
            #expect(pages.count == 0)
            #expect(pages.size == 0)
        }
    }

    @Test(
        "a page goes when its time is over", arguments: [(9_999, true), (10_000, false)] as [(Int64, Bool)])
    func time(_ later: Int64, _ isThere: Bool) throws {
        var pages = KeptPages<String>(capacity: 10_000)
        pages.keep("page", bytes: 4, try key("shop"), of: try stamp(), for: hold)
        let page = pages.page(try key("shop"), of: try stamp(), at: start + .milliseconds(later))
        #expect((page != nil) == isThere)
    }

    @Test("room is made by those that were not asked for longest")
    func eviction() throws {
        // Room for three.
        let cost = 1_000 + KeptPages<String>.overhead
        var pages = KeptPages<String>(capacity: 3 * cost)
        for name in ["a", "b", "c"] {
            pages.keep(name, bytes: 1_000, try key(name), of: try stamp(), for: hold)
        }
        #expect(pages.size == 3 * cost)
        #expect(pages.page(try key("a"), of: try stamp(), at: start) == "a")
        pages.keep("d", bytes: 1_000, try key("d"), of: try stamp(), for: hold)
        #expect(pages.page(try key("b"), of: try stamp(), at: start) == nil)
        for name in ["a", "c", "d"] {
            #expect(pages.page(try key(name), of: try stamp(), at: start) == name)
        }
        #expect(pages.size == 3 * cost)
    }

    @Test("however many pages are kept, their bytes and what holds them stay within the bound")
    func bound() throws {
        var pages = KeptPages<Int>(capacity: 20_000)
        for number in 0..<500 {
            let query = String(repeating: "q", count: number % 300)
            pages.keep(
                number, bytes: number * 37 % 3_000, try key("f\(number % 40)", query), of: try stamp(),
                for: hold)
            #expect(pages.size <= 20_000)
        }
        #expect(pages.count > 1)
    }

    @Test("a new page takes the place of the old one")
    func replaced() throws {
        var pages = KeptPages<String>(capacity: 10_000)
        pages.keep("old", bytes: 3_000, try key("shop"), of: try stamp(), for: hold)
        pages.keep("new", bytes: 10, try key("shop"), of: try stamp(seq: 8), for: hold)
        #expect(pages.page(try key("shop"), of: try stamp(seq: 8), at: start) == "new")
        #expect(pages.count == 1)
        #expect(pages.size == 10 + KeptPages<String>.overhead)
    }

    @Test("a page that would drive out most others is not kept")
    func tooLarge() throws {
        var pages = KeptPages<String>(capacity: 10_000)
        pages.keep("small", bytes: 5, try key("a"), of: try stamp(), for: hold)
        pages.keep("large", bytes: 6_000, try key("b"), of: try stamp(), for: hold)
        #expect(pages.page(try key("b"), of: try stamp(), at: start) == nil)
        #expect(pages.page(try key("a"), of: try stamp(), at: start) == "small")
    }
}
