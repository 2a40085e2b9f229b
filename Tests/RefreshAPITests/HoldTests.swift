import RefreshCore
import Testing

@testable import RefreshAPI

@Suite("How long an answer is true") struct HoldTests {
    /// Times are seconds; a feed succeeded at `success` and is fresh until 1,000.
    private func feed(success: Int64? = 700, freshUntil: Int64? = 1_000) throws -> FeedStatus {
        var progress = FeedProgress()
        progress.lastSuccess = success.map { Timestamp(seconds: $0) }
        return FeedStatus(
            feed: try #require(FeedID("shop")), title: nil, adapter: "json", url: "https://example.test/",
            state: .active, progress: progress, freshUntil: freshUntil.map { Timestamp(seconds: $0) },
            nextDue: nil, dueRule: "every", inFlight: false, store: StoredCounts(epoch: Epoch(1)), alarms: [])
    }

    private func moment(wall: Int64, boot: Int64) -> Moment {
        Moment(wall: Timestamp(milliseconds: wall), boot: BootTime(.milliseconds(boot)))
    }

    @Test(
        "freshness is at its word until the next border",
        arguments: [(700, 1_000), (999, 1_000), (1_000, 4_600), (4_599, 4_600), (4_600, nil), (600, 640)]
            as [(Int64, Int64?)])
    func freshness(_ now: Int64, _ border: Int64?) throws {
        let feed = try feed()
        #expect(feed.freshnessHolds(at: Timestamp(seconds: now)) == border.map { Timestamp(seconds: $0) })
    }

    @Test("what was never fetched changes with no time")
    func new() throws {
        #expect(try feed(success: nil).freshnessHolds(at: Timestamp(seconds: 5)) == nil)
        #expect(try feed(freshUntil: nil).freshnessHolds(at: Timestamp(seconds: 5)) == nil)
        #expect(try feed(freshUntil: nil).secondsLeftHold(at: Timestamp(seconds: 5)) == nil)
    }

    @Test("no freshness and no count of seconds changes before its border")
    func borders() throws {
        let feed = try feed()
        for microseconds in stride(from: Int64(600_000_000), through: 4_700_000_000, by: 249_999) {
            let now = Timestamp(microseconds: microseconds)
            if let border = feed.freshnessHolds(at: now) {
                #expect(border > now)
                #expect(feed.freshness(at: border + .microseconds(-1)) == feed.freshness(at: now))
            }
            let border = try #require(feed.secondsLeftHold(at: now))
            #expect(border > now)
            #expect(feed.secondsLeft(at: border + .microseconds(-1)) == feed.secondsLeft(at: now))
        }
    }

    @Test("the earliest border of many feeds counts")
    func earliest() throws {
        let feeds = [try feed(), try feed(success: nil), try feed(freshUntil: 900)]
        #expect(Hold.freshness(of: feeds, at: Timestamp(seconds: 800)) == Timestamp(seconds: 900))
        #expect(Hold.freshness(of: [], at: Timestamp(seconds: 800)) == nil)
    }

    @Test(
        "an answer made at 10 s, true until 12 s and for 1 s",
        arguments: [
            (wall: 10_000, boot: 0, holds: true), (wall: 11_999, boot: 999, holds: true),
            (wall: 12_000, boot: 500, holds: false), (wall: 10_500, boot: 1_000, holds: false),
            (wall: 9_999, boot: 1, holds: false),
        ] as [(wall: Int64, boot: Int64, holds: Bool)])
    func covers(_ item: (wall: Int64, boot: Int64, holds: Bool)) {
        let hold = Hold(
            from: moment(wall: 10_000, boot: 0), until: Timestamp(seconds: 12), longest: .seconds(1))
        #expect(hold.covers(moment(wall: item.wall, boot: item.boot)) == item.holds)
    }
}
