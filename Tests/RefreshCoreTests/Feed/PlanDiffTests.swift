import RefreshCore
import Testing

@Suite("What changes from plan to plan") struct PlanDiffTests {
    private static func feed(_ name: String, every: Int = 60) throws -> Feed {
        Feed(
            id: try #require(FeedID(name)), adapter: .json, schedule: Schedule(every: .seconds(every)),
            request: RequestPlan(url: try WebURL(parsing: "https://h.example/")), records: RecordsPlan(),
            retention: Retention(count: 1), absent: .gone)
    }

    private static func plan(_ feeds: [Feed], broken: [String] = [], drain: Int = 1) throws -> Plan {
        var daemon = DaemonSettings()
        daemon.drain = .seconds(drain)
        return Plan(
            daemon: daemon, feeds: feeds,
            broken: try broken.map { BrokenFeed(id: try #require(FeedID($0)), reason: "wrong") })
    }

    @Test("feeds are told apart by name, and by all that they say") func feeds() throws {
        let old = try PlanDiffTests.plan([
            PlanDiffTests.feed("kept"), PlanDiffTests.feed("changed"), PlanDiffTests.feed("removed"),
        ])
        let new = try PlanDiffTests.plan([
            PlanDiffTests.feed("added"), PlanDiffTests.feed("changed", every: 90), PlanDiffTests.feed("kept"),
        ])
        let diff = PlanDiff(from: old, to: new)
        #expect(diff.added.map(\.name) == ["added"])
        #expect(diff.changed.map(\.name) == ["changed"])
        #expect(diff.removed.map(\.name) == ["removed"])
        #expect(diff.unchanged.map(\.name) == ["kept"])
        #expect(!diff.daemonChanged)
        #expect(!diff.isEmpty)
        #expect(PlanDiff(from: new, to: new).isEmpty)
    }

    @Test("a rare block counts too") func details() throws {
        var other = try PlanDiffTests.feed("a")
        var details = other.details.value
        details.limits.rows = 5
        other.details = Shared(details)
        let diff = PlanDiff(
            from: try PlanDiffTests.plan([PlanDiffTests.feed("a")]), to: try PlanDiffTests.plan([other]))
        #expect(diff.changed.map(\.name) == ["a"])
    }

    @Test("what breaks or heals has changed, and is neither added nor removed") func broken() throws {
        let whole = try PlanDiffTests.plan([PlanDiffTests.feed("a")])
        let hurt = try PlanDiffTests.plan([], broken: ["a"])
        #expect(PlanDiff(from: whole, to: hurt).changed.map(\.name) == ["a"])
        #expect(PlanDiff(from: whole, to: hurt).removed == [])
        #expect(PlanDiff(from: hurt, to: whole).changed.map(\.name) == ["a"])
        #expect(PlanDiff(from: hurt, to: hurt).unchanged.map(\.name) == ["a"])
        #expect(PlanDiff(from: hurt, to: try PlanDiffTests.plan([])).removed.map(\.name) == ["a"])
    }

    @Test("the daemon's own values are told apart from the feeds'") func daemon() throws {
        let diff = PlanDiff(from: try PlanDiffTests.plan([]), to: try PlanDiffTests.plan([], drain: 2))
        #expect(diff.daemonChanged)
        #expect(!diff.isEmpty)
    }
}
