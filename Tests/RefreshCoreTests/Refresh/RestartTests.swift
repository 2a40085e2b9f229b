import RefreshCore
import Testing

/// Policy 2.5, row by row: restarts, sleep, clocks, and the gate.
@Suite("Restarts, sleep and clocks") struct RestartTests {
    @Test(
        "each crash in flight doubles the pause, up to the interval",
        arguments: [(0, 60), (1, 120), (2, 240), (5, 1_920), (9, 3_600), (10, 3_600)])
    func crashes(before: Int, wait: Int) {
        var progress = Samples.progress(succeededAt: -9_000, every: 3_600)
        progress.lastAttempt = Samples.start.wall
        progress.crashes = before
        let machine = Samples.machine(every: .seconds(3_600), progress: progress, spread: .seconds(7))
        #expect(machine.due == Samples.moment(wait).boot)
        #expect(machine.progress.crashes == min(before + 1, 10))
    }

    @Test("a flight that ends ends the crashes, whatever it brought")
    func crashesEnd() {
        var progress = Samples.progress(succeededAt: -9_000)
        progress.lastAttempt = Samples.moment(-100).wall
        var machine = Samples.machine(progress: progress)
        #expect(machine.progress.crashes == 1)
        let later = Samples.moment(100)
        _ = machine.fly(at: later) { $0.failed(Samples.outage, at: later) }
        #expect(machine.progress.crashes == 0)
    }

    @Test("a crash in flight is told although a provisional due time lies ahead")
    func crashAhead() {
        var progress = Samples.progress(succeededAt: -300)
        progress.lastAttempt = Samples.moment(-10).wall
        progress.due = Samples.moment(290).wall
        let machine = Samples.machine(progress: progress, spread: .seconds(7))
        #expect(machine.due == Samples.moment(50).boot)
    }

    @Test(
        "what cannot be meant is pulled in, what a rule can have set is not",
        arguments: [
            (DueRule.every, 330, nil), (.every, 400, DueRule.clock), (.skipWindow, 200_000, nil),
            (.cron, 9_000_000, nil), (.backoff, 86_400, nil), (.retryAfter, 604_800, nil),
            (.retryAfter, 700_000, .clock), (.gone, 604_800, nil), (.adaptive, 400, .clock),
        ] as [(DueRule, Int, DueRule?)])
    func pullsIn(rule: DueRule, ahead: Int, becomes: DueRule?) {
        var progress = Samples.progress(succeededAt: -1, every: ahead + 1)
        progress.dueRule = rule
        if [DueRule.backoff, .retryAfter].contains(rule) { progress.failures = 1 }
        if rule == .gone { progress.gone = GoneMark(since: Samples.start.wall) }
        let machine = Samples.machine(progress: progress, spread: .seconds(7))
        #expect(machine.rule == becomes ?? rule)
        #expect(machine.due == Samples.moment(becomes == nil ? ahead : 7).boot)
    }

    @Test("stamps in the future are taken for now, so that pauses stay and nothing waits for years")
    func clampsStamps() {
        var progress = Samples.progress(succeededAt: 100_000_000)
        progress.lastChange = Samples.moment(100_000_000).wall
        progress.rhythm = Rhythm(changes: 3, gapSeconds: 60, changedAt: Samples.moment(100_000_000).wall)
        var machine = Samples.machine(progress: progress)
        #expect(machine.progress.lastAttempt == Samples.start.wall)
        #expect(machine.progress.lastChange == Samples.start.wall)
        #expect(machine.freshness(at: Samples.start) == .stale)
        #expect(machine.wish(.now, at: Samples.moment(10)) == .answer(.tooSoon(retryIn: .seconds(50))))
        #expect(machine.wish(.now, at: Samples.moment(60)) == .enqueue)
    }

    @Test("a step of the wall clock leaves what is left to wait", arguments: [-200_000, 3_600, 86_400])
    func steps(step: Int) {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        let now = Moment(wall: Samples.moment(step + 50).wall, boot: Samples.moment(50).boot)
        machine.clockStepped(at: now)
        #expect(machine.due == Samples.moment(200).boot)
        #expect(machine.nextDue == now.wall + .seconds(150))
    }

    @Test("a calendar goes by the clock that was set")
    func stepsCalendar() throws {
        var schedule = Schedule(every: nil)
        schedule.cron = CronPlan(cron: try Cron(parsing: "0 * * * *"), zone: .utc)
        var machine = Samples.machine(schedule)
        _ = machine.fly(at: Samples.start) { $0.succeeded(PassReport(), at: Samples.start) }
        #expect(machine.due == Samples.moment(3_600).boot)
        let now = Moment(wall: Samples.moment(10_000).wall, boot: Samples.moment(50).boot)
        machine.clockStepped(at: now)
        #expect(machine.due == Samples.moment(850).boot)
        #expect(machine.nextDue == Samples.moment(10_800).wall)
    }

    @Test("tells a step of the wall clock from sleep, and slow corrections from both")
    func looksAtClocks() {
        var check = ClockCheck(Samples.start, slept: .seconds(5))
        var boot = 0
        func look(_ seconds: Int, wall: Int, slept: Int) -> ClockCheck.Event {
            boot += seconds
            return check.look(
                Moment(wall: Samples.moment(wall).wall, boot: Samples.moment(boot).boot),
                slept: .seconds(slept))
        }
        #expect(look(100, wall: 100, slept: 5) == .none)
        #expect(look(100, wall: 201, slept: 5) == .none)
        #expect(look(10, wall: 3_811, slept: 5) == .stepped(by: .seconds(3_600)))
        #expect(look(10, wall: 221, slept: 5) == .stepped(by: .seconds(-3_600)))
        #expect(look(3_600, wall: 3_821, slept: 3_000) == .resumed(after: .seconds(2_995)))
        #expect(look(9, wall: 3_830, slept: 3_009) == .none)
    }

    @Test("after sleep what fell due starts spread, once, and all else when it is due")
    func resumes() {
        var due = Samples.machine(progress: Samples.progress(succeededAt: -200))
        var later = Samples.machine(
            every: .seconds(300_000), progress: Samples.progress(succeededAt: -200, every: 300_000))
        let now = Samples.moment(40_000)
        due.resumed(at: now, spread: .seconds(33))
        later.resumed(at: now, spread: .seconds(33))
        #expect(due.due == Samples.moment(40_033).boot)
        #expect(due.rule == .overdue)
        #expect(later.rule != .overdue)
    }

    // MARK: - Operators and files

    @Test("a pause stops the schedule and readers, not a demand; its end brings what fell due")
    func pauses() {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        machine.pause(true, at: Samples.start)
        #expect(machine.due == nil)
        #expect(machine.state == .paused)
        #expect(
            machine.wish(.ifStale, at: Samples.moment(4_000))
                == .answer(.refused(reason: "the feed is paused")))
        machine.pause(false, at: Samples.moment(5_000))
        #expect(machine.due == Samples.moment(5_000).boot)
        #expect(machine.state == .active)
        machine.pause(true, at: Samples.moment(5_000))
        #expect(machine.wish(.now, at: Samples.moment(5_000)) == .enqueue)
    }

    @Test("a changed interval counts from the last start", arguments: [(60, 0), (600, 500), (300, 200)])
    func changedInterval(every: Int, due: Int) {
        var machine = Samples.machine(progress: Samples.progress(succeededAt: -100))
        let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(every))))
        machine.replace(policy: policy, enabled: true, requestChanged: false, at: Samples.start)
        #expect(machine.due == Samples.moment(due).boot)
    }

    @Test("a backoff goes on through a reload, unless the request is another one")
    func reloadKeepsBackoff() {
        var progress = Samples.progress(succeededAt: -500)
        progress.lastAttempt = Samples.moment(-100).wall
        progress.lastDone = Samples.moment(-99).wall
        progress.failures = 4
        progress.due = Samples.moment(2_000).wall
        progress.dueRule = .backoff
        var machine = Samples.machine(progress: progress)
        let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(60))))
        machine.replace(policy: policy, enabled: true, requestChanged: false, at: Samples.start)
        #expect(machine.due == Samples.moment(2_000).boot)
        #expect(machine.progress.failures == 4)
        machine.replace(policy: policy, enabled: true, requestChanged: true, at: Samples.start)
        #expect(machine.due == Samples.start.boot)
        #expect(machine.progress.failures == 0)
        machine.replace(policy: policy, enabled: false, requestChanged: false, at: Samples.start)
        #expect(machine.due == nil)
        #expect(machine.state == .disabled)
    }

    @Test("what an idle feed holds of its schedule stays small, since there are ten thousand of them")
    func small() {
        print(
            "a feed's machine \(MemoryLayout<FeedMachine>.size) bytes, its progress "
                + "\(MemoryLayout<FeedProgress>.size), its status \(MemoryLayout<FeedStatus>.size)")
        #expect(MemoryLayout<FeedMachine>.size <= 420)
        var progress = Samples.progress(succeededAt: 0)
        let empty = progress
        progress.failure = FailureNote(Samples.outage, at: Samples.start.wall)
        progress.failure = nil
        #expect(progress == empty)
    }

    @Test("explains what set the due time")
    func explains() {
        var schedule = Schedule(every: .seconds(3_600))
        schedule.adaptive = true
        var progress = Samples.progress(succeededAt: -100, every: 7_200)
        progress.dueRule = .adaptive
        progress.rhythm = Rhythm(changes: 5, gapSeconds: 28_800, changedAt: Samples.moment(-400).wall)
        progress.httpHint = .lasting(.seconds(60))
        let explanation = Samples.machine(schedule, progress: progress).explanation(at: Samples.start)
        #expect(explanation.rule == "adaptive")
        #expect(explanation.interval == .seconds(7_200))
        #expect(explanation.usualGap == .seconds(28_800))
        #expect(explanation.idle == .seconds(400))
        #expect(explanation.hint == .seconds(60))
        #expect(explanation.at == Samples.moment(7_100).wall)
    }
}
