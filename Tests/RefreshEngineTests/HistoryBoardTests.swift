import RefreshCore
import RefreshEngine
import Testing

@Suite("The history of refreshes") struct HistoryBoardTests {
    private func entry(_ second: Int64, _ outcome: RefreshOutcome = .unchanged) -> HistoryEntry? {
        HistoryEntry(
            at: Timestamp(seconds: second), cause: .schedule, outcome: outcome, took: .milliseconds(5))
    }

    private func feed(_ name: String) throws -> FeedID { try #require(FeedID(name)) }

    @Test("keeps the last ones of a feed, the newest first")
    func ring() throws {
        let board = HistoryBoard()
        let shop = try feed("shop")
        for second in 0..<100 { board.note(shop, entry(Int64(second))) }
        let seconds = board.entries(of: shop).map(\.at)
        #expect(seconds == (68..<100).reversed().map { Timestamp(seconds: $0) })
        #expect(board.entries(of: try feed("other")) == [])
        board.forget(shop)
        #expect(board.entries(of: shop) == [])
    }

    @Test(
        "a wish that asked nobody leaves no trace",
        arguments: [
            RefreshOutcome.fresh, .backoff(retryIn: .seconds(1)), .tooSoon(retryIn: .seconds(1)),
            .refused(reason: "no"),
        ])
    func nothing(_ outcome: RefreshOutcome) throws {
        let board = HistoryBoard()
        board.note(try feed("shop"), entry(1, outcome))
        #expect(board.entries(of: try feed("shop")) == [])
    }

    @Test("numbers that are too large are held at the largest, and negative ones at none")
    func clamps() throws {
        var counts = RefreshCounts()
        counts.added = .max
        counts.removed = -1
        let entry = try #require(
            HistoryEntry(
                at: Timestamp(seconds: 1), cause: .outbox, outcome: .refreshed(counts),
                took: .seconds(1_000_000_000), requests: .max, status: 70_000, bytes: -5))
        #expect(entry.added == .max && entry.removed == 0 && entry.milliseconds == .max)
        #expect(entry.requests == .max && entry.status == .max && entry.bytes == 0)
    }

    @Test("all feeds together stay small, however many there are")
    func bounded() throws {
        let board = HistoryBoard()
        let feeds = try (0..<10_000).map { try feed("f\($0)") }
        for round in 0..<40 {
            // The first ones are there alone for a while, and have long rings then.
            for feed in round < 32 ? feeds.prefix(500) : feeds[...] { board.note(feed, entry(Int64(round))) }
        }
        let kept = feeds.map { board.entries(of: $0).count }
        #expect(kept.allSatisfy { (HistoryBoard.shortest...HistoryBoard.longest).contains($0) })
        let sum = kept.reduce(0, +)
        // The stride says what one costs, beside the codes of failures.
        let bytes = sum * MemoryLayout<HistoryEntry>.stride
        print("10,000 feeds keep \(sum) refreshes in \(bytes / 1_024) KiB")
        #expect(sum <= 10_000 * HistoryBoard.shortest)
        #expect(bytes < 4 * 1_024 * 1_024)
    }

    @Test(
        "a ring is the shorter the more feeds there are",
        arguments: [(1, 32), (512, 32), (1_000, 16), (5_000, 4)])
    func limits(_ feeds: Int, _ limit: Int) {
        #expect(HistoryBoard.limit(feeds: feeds) == limit)
    }
}
