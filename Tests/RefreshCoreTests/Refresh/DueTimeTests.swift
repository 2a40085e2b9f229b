import RefreshCore
import Testing

/// Policy 2.2, row by row.
@Suite("The next due time after a success") struct DueTimeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var every = 3_600
        var adaptive = false
        var changes = 0
        var gap = 0.0
        var idle = 0
        var http = HTTPFreshness.silent
        var feed: Int?
        var honor = true
        var took = 0
        var chance = 0.0
        let due: Int
        let rule: DueRule

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "an interval from the start", took: 5, due: 3_600, rule: .every),
        Case(name: "jitter only lengthens, by a tenth at most", chance: 0.999_999, due: 3_959, rule: .every),
        Case(name: "a pass longer than its interval leaves a quarter", took: 5_000, due: 5_900, rule: .every),
        Case(
            name: "one change: idle/20", adaptive: true, changes: 1, idle: 144_000, due: 7_200,
            rule: .adaptive),
        Case(
            name: "never below the interval", adaptive: true, changes: 2, gap: 600, idle: 60, due: 3_600,
            rule: .every),
        Case(
            name: "two changes: a quarter of the gap", adaptive: true, changes: 2, gap: 28_800, idle: 60,
            due: 7_200, rule: .adaptive),
        Case(
            name: "idle beats the gap", adaptive: true, changes: 2, gap: 28_800, idle: 200_000, due: 10_000,
            rule: .adaptive),
        Case(
            name: "never above the longest", adaptive: true, changes: 9, gap: 9e9, idle: 60, due: 21_600,
            rule: .adaptive),
        Case(
            name: "without adaptivity nothing counts", changes: 9, gap: 9e9, idle: 99_999, due: 3_600,
            rule: .every),
        Case(name: "max-age", http: .lasting(.seconds(7_200)), due: 7_200, rule: .hintMaxAge),
        Case(name: "a short max-age changes nothing", http: .lasting(.seconds(60)), due: 3_600, rule: .every),
        Case(name: "no-store does not mean often", http: .lasting(.zero), due: 3_600, rule: .every),
        Case(name: "expires", http: .expiring(.seconds(9_000)), due: 9_000, rule: .hintExpires),
        Case(
            name: "sixteen years cost a day", http: .lasting(.seconds(504_576_000)), due: 86_400,
            rule: .hintMaxAge),
        Case(name: "the feed's own word", feed: 10_800, due: 10_800, rule: .hintFeed),
        Case(
            name: "the longer of both", http: .lasting(.seconds(7_200)), feed: 10_800, due: 10_800,
            rule: .hintFeed),
        Case(
            name: "hints switched off", http: .lasting(.seconds(7_200)), feed: 10_800, honor: false,
            due: 3_600, rule: .every),
        Case(
            name: "the interval where it is longer than every hint", every: 100_000,
            http: .lasting(.seconds(86_400)), due: 100_000, rule: .every),
    ]

    @Test("follows the policy", arguments: cases)
    func followsPolicy(_ item: Case) {
        var schedule = Schedule(every: .seconds(item.every))
        schedule.adaptive = item.adaptive
        schedule.honorHints = item.honor
        var progress = FeedProgress()
        let start = Samples.start.wall
        if item.changes > 0 {
            progress.rhythm = Rhythm(
                changes: item.changes, gapSeconds: item.gap, changedAt: start + .seconds(-item.idle))
        }
        progress.httpHint = item.http
        if let feed = item.feed {
            var hints = FeedHints()
            hints.interval = .seconds(feed)
            progress.feedHints = hints
        }
        let due = DueTime.afterSuccess(
            FetchPolicy(schedule: schedule), progress, start: start, done: start + .seconds(item.took),
            chance: item.chance)
        #expect(due.map { Int(($0.at - start).components.seconds) } == item.due)
        #expect(due?.rule == item.rule)
    }

    @Test("learns the gap between changes, the newest with three tenths, seeded by what is published")
    func learnsGap() {
        let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(3_600))))
        var progress = FeedProgress()
        func pass(_ seconds: Int, changed: Bool, gap: Int? = nil) {
            let order = FetchOrder(
                cause: .schedule, start: Samples.moment(seconds), forced: false, progress: progress,
                policy: policy, chance: 0)
            var hints = FeedHints()
            hints.publishedGap = gap.map { .seconds($0) }
            var stored = order.succeeded(
                PassReport(feedHints: changed ? hints : nil), at: Samples.moment(seconds))
            if changed { stored.lastChange = Samples.moment(seconds).wall }
            progress = order.learnt(stored)
        }
        pass(0, changed: true, gap: 10_000)
        #expect(progress.rhythm.gapSeconds == 10_000)
        pass(1_000, changed: false)
        pass(2_000, changed: true, gap: 77)
        #expect(progress.rhythm.gapSeconds == 10_000 * 0.7 + 2_000 * 0.3)
        #expect(progress.rhythm.changes == 2)
        pass(2_500, changed: false)
        #expect(progress.rhythm.changedAt == Samples.moment(2_000).wall)
    }

    @Test("a change that the last pass brought counts also where the daemon ended before it was learnt")
    func learnsAfterRestart() {
        var progress = Samples.progress(succeededAt: -100, every: 3_600)
        progress.rhythm = Rhythm(changes: 1, gapSeconds: 0, changedAt: Samples.moment(-5_100).wall)
        progress.lastChange = Samples.moment(-100).wall
        let machine = Samples.machine(progress: progress)
        #expect(
            machine.progress.rhythm
                == Rhythm(
                    changes: 2, gapSeconds: 5_000, changedAt: Samples.moment(-100).wall))
    }

    @Test(
        "keeps out of hours and days that are to be skipped",
        arguments: [
            // 2026-01-01 is a Thursday; the due time lies at 00:30.
            (Set([0, 1]), Set<Int>(), 7_200), (Set([5]), Set<Int>(), 1_800),
            (Set<Int>(), Set([4]), 86_400), (Set([0]), Set([4, 5]), 176_400),
            (Set(0...23), Set<Int>(), 1_800), (Set<Int>(), Set(0...6), 1_800),
            // More than three days away: as if nothing were said.
            (Set<Int>(), Set([4, 5, 6, 0]), 1_800), (Set(1...23), Set([4, 5, 6]), 259_200),
        ])
    func skips(hours: Set<Int>, days: Set<Int>, due: Int) {
        let windows = SkipWindows(hours: hours, days: days)
        #expect(windows.moved(Samples.moment(1_800).wall, chance: 0) == Samples.moment(due).wall)
        let late = windows.moved(Samples.moment(1_800).wall, chance: 0.999_999)
        #expect(late <= Samples.moment(due + 600).wall)
    }

    @Test("of a calendar is its next slot, whatever the upstream hints")
    func calendar() throws {
        var schedule = Schedule(every: nil)
        schedule.cron = CronPlan(cron: try Cron(parsing: "*/15 * * * *"), zone: .utc)
        var progress = FeedProgress()
        progress.httpHint = .lasting(.seconds(7_200))
        let due = DueTime.afterSuccess(
            FetchPolicy(schedule: schedule), progress, start: Samples.start.wall,
            done: Samples.moment(1_000).wall, chance: 0.5)
        #expect(due == DueTime(at: Samples.moment(1_800).wall, rule: .cron))
    }

    @Test(
        "reads hints from an answer's head",
        arguments: [
            ([("Cache-Control", "max-age=3600"), ("Age", "600")], HTTPFreshness.lasting(.seconds(3_000))),
            ([("Cache-Control", "max-age=60"), ("Age", "600")], .lasting(.zero)),
            ([("Cache-Control", "no-cache, max-age=600")], .lasting(.zero)),
            ([("Cache-Control", "no-store")], .lasting(.zero)),
            (
                [
                    ("Expires", "Thu, 01 Jan 2026 02:00:00 GMT"), ("Date", "Thu, 01 Jan 2026 01:00:00 GMT"),
                ], .expiring(.seconds(3_600))
            ),
            ([("Expires", "0")], .expiring(.zero)),
            ([("Expires", "Thu, 01 Jan 2026 02:00:00 GMT")], .expiring(.seconds(7_200))),
            (
                [("Expires", "Thu, 01 Jan 2026 02:00:00 GMT"), ("Cache-Control", "max-age=60")],
                .lasting(.seconds(60))
            ),
            ([("Cache-Control", "public")], .silent), ([], .silent),
        ])
    func readsHints(fields: [(String, String)], freshness: HTTPFreshness) {
        #expect(HTTPFreshness(HTTPHeaders(fields), now: Samples.start.wall) == freshness)
    }

    @Test("keeps the stored hint through a bare 304, and takes a new one from any answer that has one")
    func storedHint() {
        let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(300))))
        var progress = Samples.progress(succeededAt: -300)
        progress.httpHint = .lasting(.seconds(900))
        let order = FetchOrder(
            cause: .schedule, start: Samples.start, forced: false, progress: progress, policy: policy,
            chance: 0)
        func hint(_ freshness: HTTPFreshness, full: Bool) -> HTTPFreshness {
            order.succeeded(
                PassReport(freshness: freshness, isUnchanged: !full, isFull: full), at: Samples.start
            ).httpHint
        }
        #expect(hint(.silent, full: false) == .lasting(.seconds(900)))
        #expect(hint(.lasting(.zero), full: false) == .lasting(.zero))
        #expect(hint(.silent, full: true) == .silent)
    }
}
