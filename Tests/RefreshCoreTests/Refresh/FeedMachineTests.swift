import RefreshCore
import Testing

@Suite("A feed's machine") struct FeedMachineTests {
    private func fly(_ machine: inout FeedMachine, at seconds: Int, chance: Double = 0) throws -> FetchOrder {
        let step1 = machine.tick(at: Samples.moment(seconds))
        try #require(step1)
        let step2 = machine.take(at: Samples.moment(seconds), chance: chance)
        return try #require(step2)
    }

    @Test("fetches a feed never fetched at once")
    func firstAtOnce() throws {
        var machine = Samples.machine()
        #expect(machine.due == Samples.start.boot)
        #expect(machine.rule == .first)
        let order = try fly(&machine, at: 0)
        #expect(order.conditional)
        #expect(order.progress.lastAttempt == Samples.start.wall)
        #expect(machine.isFlying)
    }

    @Test(
        "is due an interval and its jitter after the start of a success", arguments: [(0.0, 300), (0.5, 315)])
    func dueAfterSuccess(chance: Double, due: Int) throws {
        var machine = Samples.machine()
        let order = try fly(&machine, at: 0, chance: chance)
        let done = Samples.moment(2)
        let progress = order.succeeded(PassReport(validators: Validators(etag: "\"a\""), scope: 9), at: done)
        machine.landed(progress, store: nil, at: done)
        #expect(machine.due == Samples.moment(due).boot)
        #expect(machine.rule == .every)
        #expect(progress.lastSuccess == Samples.start.wall)
        #expect(progress.validators.etag == "\"a\"")
    }

    @Test("rests a quarter of the interval after a pass that took longer than it")
    func restsAfterLongPass() throws {
        var machine = Samples.machine()
        let order = try fly(&machine, at: 0)
        let done = Samples.moment(400)
        machine.landed(
            order.succeeded(PassReport(validators: Validators(), scope: 0), at: done), store: nil, at: done)
        #expect(machine.due == Samples.moment(475).boot)
    }

    @Test("keeps validators and the last success through failures, and counts them")
    func keepsThroughFailure() throws {
        var progress = Samples.progress(succeededAt: -300)
        progress.validators = Validators(etag: "\"a\"", lastModified: "yesterday")
        var machine = Samples.machine(progress: progress, spread: .zero)
        for count in 1...3 {
            let now = try #require(machine.due)
            let moment = Moment(wall: Samples.start.wall + (now - Samples.start.boot), boot: now)
            let step3 = machine.tick(at: moment)
            try #require(step3)
            let step4 = machine.take(at: moment, chance: 0)
            let order = try #require(step4)
            machine.landed(order.failed(Samples.outage, at: moment), store: nil, at: moment)
            #expect(machine.progress.failures == count)
            #expect(machine.progress.validators == progress.validators)
            #expect(machine.progress.lastSuccess == progress.lastSuccess)
            #expect(machine.rule == .backoff)
            #expect(machine.rule.text(failures: count) == "backoff n=\(count)")
        }
    }

    @Test("does not fetch what is not due after a restart")
    func restartKeepsDue() {
        let machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        #expect(machine.due == Samples.moment(200).boot)
        #expect(machine.rule == .every)
    }

    @Test("spreads what fell due while the daemon was away")
    func restartSpreads() {
        let machine = Samples.machine(progress: Samples.progress(succeededAt: -1_000), spread: .seconds(7))
        #expect(machine.due == Samples.moment(7).boot)
        #expect(machine.rule == .overdue)
    }

    @Test(
        "shows the time that it really waits for, not one that has passed or cannot be meant",
        arguments: [(-100, 200), (-1_000, 7), (90_000, 7)])
    func showsWhatItWaitsFor(succeeded: Int, next: Int) throws {
        let machine = Samples.machine(progress: Samples.progress(succeededAt: succeeded), spread: .seconds(7))
        let feed = Feed(
            id: Samples.feed("shop"), adapter: .json, schedule: machine.schedule,
            request: RequestPlan(url: try WebURL(parsing: "https://a.example/")), records: RecordsPlan(),
            retention: Retention(count: 1), absent: .gone)
        #expect(machine.status(of: feed).nextDue == Samples.moment(next).wall)
        #expect(Samples.machine().status(of: feed).nextDue == Samples.start.wall)
    }

    @Test("waits after a crash in flight, so that a crash loop hammers nobody")
    func crashInFlight() {
        var progress = Samples.progress(succeededAt: -1_000)
        progress.lastAttempt = Samples.moment(-1).wall
        let machine = Samples.machine(progress: progress, spread: .seconds(7))
        #expect(machine.due == Samples.moment(59).boot)
    }

    @Test("is due again after a stop in mid-flight, and takes that for no crash")
    func abandoned() throws {
        var machine = Samples.machine()
        let progress = try fly(&machine, at: 0).abandoned(at: Samples.moment(5))
        #expect(progress.failures == 0)
        let restarted = Samples.machine(progress: progress, at: 10, spread: .seconds(7))
        #expect(restarted.due == Samples.moment(17).boot)
        #expect(restarted.rule == .overdue)
    }

    @Test("pulls a due time in that a clock step has put out of reach")
    func pullsInFarDue() {
        let machine = Samples.machine(progress: Samples.progress(succeededAt: 90_000))
        #expect(machine.due == Samples.moment(7).boot)
        #expect(machine.rule == .clock)
    }

    @Test("answers a wish for a fresh feed without a request")
    func freshNeedsNothing() {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        let answer5 = machine.wish(.ifStale, at: Samples.start)
        #expect(answer5 == .answer(.fresh))
        #expect(machine.due == Samples.moment(200).boot)
    }

    @Test("takes wishes while they can be met, and lets the others join")
    func wishesJoin() throws {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        let answer6 = machine.wish(.now, at: Samples.start)
        #expect(answer6 == .enqueue)
        let answer7 = machine.wish(.now, at: Samples.start)
        #expect(answer7 == .join)
        let answer8 = machine.wish(.ifStale, at: Samples.start)
        #expect(answer8 == .join)
        let step9 = machine.take(at: Samples.start, chance: 0)
        _ = try #require(step9)
        let answer10 = machine.wish(.force, at: Samples.start)
        #expect(answer10 == .join)
        let answer11 = machine.take(at: Samples.start, chance: 0)
        #expect(answer11 == nil)
    }

    @Test("moves a scheduled feed up when somebody wishes for it, once")
    func wishPromotes() throws {
        var machine = Samples.machine()
        let step12 = machine.tick(at: Samples.start)
        try #require(step12)
        let answer13 = machine.wish(.now, at: Samples.start)
        #expect(answer13 == .promote)
        let answer14 = machine.wish(.now, at: Samples.start)
        #expect(answer14 == .join)
    }

    @Test("keeps the least gap between two attempts, and says how long it still is")
    func minGap() {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -20))
        let answer15 = machine.wish(.now, at: Samples.start)
        #expect(answer15 == .answer(.tooSoon(retryIn: .seconds(40))))
        let answer16 = machine.wish(.now, at: Samples.moment(40))
        #expect(answer16 == .enqueue)
    }

    @Test("a wish for stale data waits for the backoff, a demand for now does not")
    func backoffRefusesIfStale() throws {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -400), spread: .zero)
        let order = try fly(&machine, at: 0)
        machine.landed(order.failed(Samples.outage, at: Samples.start), store: nil, at: Samples.start)
        let answer17 = machine.wish(.ifStale, at: Samples.moment(100))
        #expect(answer17 == .answer(.backoff(retryIn: .seconds(200))))
        let answer18 = machine.wish(.now, at: Samples.moment(100))
        #expect(answer18 == .enqueue)
    }

    @Test("leaves validators away when forced, once in ten minutes")
    func forceOnceInTenMinutes() throws {
        var machine = Samples.machine(minGap: .zero, progress: Samples.progress(succeededAt: -100))
        for (seconds, conditional) in [(0, false), (100, true), (601, false)] {
            let now = Samples.moment(seconds)
            let answer19 = machine.wish(.force, at: now)
            #expect(answer19 == .enqueue)
            let step20 = machine.take(at: now, chance: 0)
            let order = try #require(step20)
            #expect(order.conditional == conditional)
            machine.landed(
                order.succeeded(PassReport(validators: Validators(), scope: 0), at: now), store: nil, at: now)
        }
    }

    @Test("never starts a disabled feed, nor one of a daemon that stops")
    func refuses() {
        var disabled = Samples.machine(enabled: false)
        #expect(disabled.due == nil)
        let answer21 = disabled.wish(.now, at: Samples.start)
        #expect(answer21 == .answer(.refused(reason: "the feed is disabled")))
        var stopped = Samples.machine()
        stopped.stop()
        let answer22 = stopped.tick(at: Samples.moment(1_000))
        #expect(!answer22)
        let answer23 = stopped.wish(.force, at: Samples.start)
        #expect(answer23 == .answer(.refused(reason: "the daemon stops")))
    }

    @Test("fetches an on-demand feed only when asked")
    func onDemand() throws {
        var machine = Samples.machine(every: nil)
        #expect(machine.due == nil)
        let answer24 = machine.wish(.ifStale, at: Samples.start)
        #expect(answer24 == .enqueue)
        let step25 = machine.take(at: Samples.start, chance: 0.9)
        let order = try #require(step25)
        machine.landed(
            order.succeeded(PassReport(validators: Validators(), scope: 0), at: Samples.start), store: nil,
            at: Samples.start)
        #expect(machine.due == nil)
        #expect(machine.freshness(at: Samples.moment(299)) == .fresh)
        #expect(machine.freshness(at: Samples.moment(300)) == .stale)
    }
}
