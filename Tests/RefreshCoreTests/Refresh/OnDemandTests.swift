import RefreshCore
import Testing

/// Policy 2.4, row by row.
@Suite("Refresh on demand") struct OnDemandTests {
    @Test(
        "if_stale with an age takes the copy that is young enough",
        arguments: [
            (50, FeedMachine.Reply.enqueue), (100, .answer(.fresh)), (1_000, .answer(.fresh)), (0, .enqueue),
        ])
    func maxAge(age: Int, reply: FeedMachine.Reply) {
        var machine = Samples.machine(minGap: .zero, progress: Samples.progress(succeededAt: -100))
        #expect(machine.wish(RefreshWish(.ifStale, maxAge: .seconds(age)), at: Samples.start) == reply)
    }

    @Test("a copy from the future is not young, the clock went back")
    func fromTheFuture() {
        var machine = Samples.machine(minGap: .zero, progress: Samples.progress(succeededAt: 4_000))
        #expect(machine.wish(RefreshWish(.ifStale, maxAge: .seconds(9_000)), at: Samples.start) == .enqueue)
    }

    @Test("a reader's own wish never comes before the schedule")
    func backgroundWaits() {
        var progress = Samples.progress(succeededAt: -400, every: 1_000)
        progress.dueRule = .adaptive
        var schedule = Schedule(every: .seconds(300))
        schedule.adaptive = true
        let policy: Shared<FetchPolicy> = {
            var policy = FetchPolicy(schedule: schedule)
            policy.freshFor = .seconds(60)
            return Shared(policy)
        }()
        var machine = FeedMachine(
            policy: policy, enabled: true, progress: progress, store: Samples.counts, at: Samples.start,
            spread: .zero)
        #expect(machine.freshness(at: Samples.start) == .stale)
        #expect(machine.wish(.background, at: Samples.start) == .answer(.tooSoon(retryIn: .seconds(600))))
        // Who asks himself gets it.
        #expect(machine.wish(.ifStale, at: Samples.start) == .enqueue)
        // And what stands in the line anyhow is not moved up by readers.
        #expect(machine.wish(.background, at: Samples.start) == .join)
    }

    @Test("of a feed without a schedule a reader's wish is all there is")
    func backgroundOnDemand() {
        var machine = Samples.machine(every: nil, progress: Samples.progress(succeededAt: -400))
        #expect(machine.wish(.background, at: Samples.start) == .enqueue)
    }

    @Test("if_stale waits for what the upstream hints, now does not")
    func hints() {
        var progress = Samples.progress(succeededAt: -400)
        progress.httpHint = .lasting(.seconds(1_000))
        var machine = Samples.machine(progress: progress, spread: .seconds(100))
        #expect(
            machine.wish(RefreshWish(.ifStale, maxAge: .zero), at: Samples.start)
                == .answer(.tooSoon(retryIn: .seconds(600))))
        #expect(machine.wish(.now, at: Samples.start) == .enqueue)
    }

    @Test("now passes a backoff, but not the least gap since the last attempt; an override passes both")
    func overrides() {
        var progress = Samples.progress(succeededAt: -500)
        progress.lastAttempt = Samples.moment(-20).wall
        progress.lastDone = Samples.moment(-19).wall
        progress.failures = 3
        progress.due = Samples.moment(9_000).wall
        progress.dueRule = .backoff
        var machine = Samples.machine(progress: progress)
        #expect(machine.wish(.ifStale, at: Samples.start) == .answer(.backoff(retryIn: .seconds(9_000))))
        #expect(machine.wish(.now, at: Samples.start) == .answer(.tooSoon(retryIn: .seconds(40))))
        var wish = RefreshWish(.now)
        wish.overridesGate = true
        #expect(machine.wish(wish, at: Samples.start) == .enqueue)
    }

    @Test("backoff of a feed without a schedule holds its readers' wishes too")
    func onDemandBackoff() {
        var machine = Samples.machine(every: nil)
        _ = machine.fly(at: Samples.start) { $0.failed(Samples.outage, at: Samples.start) }
        #expect(machine.due == nil)
        #expect(machine.wish(.ifStale, at: Samples.moment(100)) == .answer(.backoff(retryIn: .seconds(200))))
        #expect(machine.wish(.ifStale, at: Samples.moment(300)) == .enqueue)
    }

    @Test("every request, however caused, sets the next due time")
    func reschedules() {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        let order = machine.fly(at: Samples.start) { $0.succeeded(PassReport(), at: Samples.start) }
        #expect(order?.cause == .wish)
        #expect(machine.due == Samples.moment(300).boot)
    }

    @Test("a user's programs cause so many requests, and others are not touched by it")
    func quota() {
        var quota = Quota(rate: Rate(count: 3, per: .seconds(60)))
        let now = Samples.start.boot
        for _ in 0..<3 { #expect(quota.take(1_000, at: now) == nil) }
        let wait = quota.take(1_000, at: now)
        #expect(wait.map { $0 > .seconds(19) && $0 <= .seconds(21) } == true)
        #expect(quota.take(1_001, at: now) == nil)
        #expect(quota.take(1_000, at: now + .seconds(21)) == nil)
        #expect(quota.take(1_000, at: now + .seconds(21)) != nil)
    }
}
