import RefreshCore
import Testing

@Suite("Freshness") struct FreshnessTests {
    private static let success = Timestamp(seconds: 1_000_000)
    private static let freshUntil = Timestamp(seconds: 1_000_300)

    private func status(lastSuccess: Timestamp?, freshUntil: Timestamp?) throws -> FeedStatus {
        var progress = FeedProgress()
        progress.lastSuccess = lastSuccess
        return FeedStatus(
            feed: try #require(FeedID("prices")), title: nil, adapter: "json", url: "http://e.com/",
            state: .active,
            progress: progress, freshUntil: freshUntil, nextDue: nil, dueRule: "every", inFlight: false,
            store: StoredCounts(epoch: Epoch(1)), alarms: [])
    }

    @Test(
        "falls with time",
        arguments: [
            (Int64(1_000_000), FeedStatus.Freshness.fresh), (1_000_299, .fresh), (1_000_300, .stale),
            (1_003_899, .stale),
            (1_003_900, .overdue), (9_000_000, .overdue),
        ])
    func falls(now: Int64, expected: FeedStatus.Freshness) throws {
        let status = try status(lastSuccess: FreshnessTests.success, freshUntil: FreshnessTests.freshUntil)
        #expect(status.freshness(at: Timestamp(seconds: now)) == expected)
    }

    @Test("is new before the first success, and where nothing says until when")
    func new() throws {
        let now = Timestamp(seconds: 1_000_100)
        #expect(try status(lastSuccess: nil, freshUntil: nil).freshness(at: now) == .new)
        #expect(
            try status(lastSuccess: nil, freshUntil: FreshnessTests.freshUntil).freshness(at: now) == .new)
        #expect(try status(lastSuccess: FreshnessTests.success, freshUntil: nil).freshness(at: now) == .new)
    }

    @Test(
        "is not believed from a future that a minute does not explain",
        arguments: [(Int64(999_940), FeedStatus.Freshness.fresh), (999_939, .stale), (0, .stale)])
    func future(now: Int64, expected: FeedStatus.Freshness) throws {
        let status = try status(lastSuccess: FreshnessTests.success, freshUntil: FreshnessTests.freshUntil)
        #expect(status.freshness(at: Timestamp(seconds: now)) == expected)
    }
}
