import RefreshCore
import Testing

/// Policy 2.3, row by row.
@Suite("Failures") struct FailureTests {
    private static func limited(_ pause: Int?, status: Int = 429) -> RefreshFailure {
        RefreshFailure(
            status == 503 ? .transient : .rate, code: "http-\(status)", detail: "", status: status,
            retryAfter: pause.map { .seconds($0) })
    }

    @Test(
        "an origin that asks for a pause is left alone as it says, and longer each time it says so again",
        arguments: [
            ("429 with a pause", [90, 90, 90, 90], [90, 90, 600, 1_200]),
            ("429 without", [nil, nil, nil], [600, 1_200, 2_400]),
            ("a pause of nothing is a second", [0, 0], [1, 1]),
            ("no pause is longer than a week", [1_000_000_000], [604_800]),
            ("long pauses stay", [9_000, 9_000, 9_000], [9_000, 9_000, 9_000]),
        ] as [(String, [Int?], [Int])])
    func gates(name: String, pauses: [Int?], waits: [Int]) {
        var origin = OriginProgress()
        var now = Samples.start.wall
        for (pause, wait) in zip(pauses, waits) {
            let until = origin.failed(Self.limited(pause), at: now)
            #expect(until == now + .seconds(wait))
            now = until ?? now
        }
        origin.succeeded()
        #expect(origin.gateCount == 0)
        #expect(origin.failed(Self.limited(90), at: now) == now + .seconds(90))
    }

    @Test("the week stays the longest however often an origin refuses")
    func gateStaysBounded() {
        var origin = OriginProgress()
        for _ in 0..<200 {
            let until = origin.failed(Self.limited(nil), at: Samples.start.wall)
            #expect(until.map { $0 <= Samples.start.wall + .seconds(604_800) } == true)
        }
    }

    @Test("503 gates with Retry-After only, 403 likewise")
    func gatesByRetryAfter() {
        var origin = OriginProgress()
        #expect(origin.failed(Self.limited(nil, status: 503), at: Samples.start.wall) == nil)
        #expect(origin.failed(Self.limited(30, status: 503), at: Samples.start.wall) != nil)
        #expect(origin.failed(Self.limited(30, status: 403), at: Samples.start.wall) != nil)
        let forbidden = RefreshFailure(.auth, code: "http-403", detail: "", status: 403)
        #expect(origin.failed(forbidden, at: Samples.start.wall) == nil)
    }

    @Test("the feed itself waits for the longer of its interval and the pause")
    func feedWaits() {
        func due(_ pause: Int?, origin: OriginProgress = OriginProgress()) -> Int {
            let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(3_600), jitter: 0)))
            let order = FetchOrder(
                cause: .schedule, start: Samples.start, forced: false, progress: FeedProgress(),
                policy: policy, origin: origin, chance: 0)
            let progress = order.failed(Self.limited(pause), at: Samples.start)
            #expect(progress.dueRule == .retryAfter)
            return Int((progress.due.map { $0 - Samples.start.wall } ?? .zero).components.seconds)
        }
        #expect(due(60) == 3_600)
        #expect(due(7_200) == 7_200)
        #expect(due(nil) == 3_600)
        #expect(due(nil, origin: OriginProgress(gateCount: 4)) == 9_600)
    }

    @Test(
        "two requests in a row without an answer hold their origin, longer each time, and an answer ends it")
    func networkHold() {
        var origin = OriginProgress()
        let now = Samples.start.wall
        #expect(origin.failed(Samples.network, at: now) == nil)
        for (seconds, wait) in [(10, 60), (80, 120), (210, 240), (500, 480), (1_000, 900), (2_000, 900)] {
            let at = now + .seconds(seconds)
            #expect(origin.failed(Samples.network, at: at) == at + .seconds(wait))
        }
        #expect(origin.failed(Samples.outage, at: now) == nil)
        #expect(origin.networkFailures == 0)
        #expect(origin.holds == 0)
    }

    @Test("408 and 425 wait like the network, and prove that the origin is there", arguments: [408, 425])
    func lateAnswers(status: Int) {
        let failure = RefreshFailure(.transient, code: "http-\(status)", detail: "")
        #expect(Backoff.delay(after: failure, count: 1, every: .seconds(3_600)) == .seconds(60))
        var origin = OriginProgress(networkFailures: 5)
        #expect(origin.failed(failure, at: Samples.start.wall) == nil)
        #expect(origin.networkFailures == 0)
    }

    @Test("a refused request is tried for ever, by the day at last")
    func neverStops() {
        var machine = Samples.machine(every: .seconds(3_600))
        var now = Samples.start
        for _ in 0..<50 {
            let order = machine.fly(at: now) { $0.failed(Samples.missing, at: now) }
            #expect(order != nil)
            guard let due = machine.due else { break }
            #expect(due - now.boot <= .seconds(95_040))
            now = now + (due - now.boot)
        }
        #expect(machine.progress.failures == 50)
        #expect(machine.state == .backoff)
    }

    // MARK: - The end of a feed

    private static let gone = RefreshFailure(.upstream, code: "http-410", detail: "", status: 410)

    @Test("410 is believed after a day, looked at four times, a week apart, and then no more")
    func goneForGood() throws {
        var machine = Samples.machine(every: .seconds(3_600))
        var now = Samples.start
        var waits: [Int] = []
        var states: [FeedStatus.State] = []
        while let due = machine.due {
            now = now + (due - now.boot)
            _ = machine.fly(at: now) { $0.failed(Self.gone, at: now) }
            states.append(machine.state)
            if let next = machine.due { waits.append(Int((next - now.boot).components.seconds / 3_600)) }
        }
        #expect(waits == [1, 2, 4, 8, 16, 168, 168, 168, 168])
        #expect(states.last == .disabled)
        #expect(states[5] == .gone)
        #expect(states[4] == .backoff)
        // A reader's wish does not wake it; a demand may, and a good answer revives it.
        let reply = machine.wish(.ifStale, at: now + .seconds(3_600))
        #expect(reply == .answer(.refused(reason: "the upstream says that the feed is gone for good")))
        let later = now + .seconds(7_200)
        _ = machine.fly(at: later) { $0.succeeded(PassReport(), at: later) }
        #expect(machine.state == .active)
        #expect(machine.due != nil)
    }

    @Test("a feed that calls itself expired goes the same way, and its items are taken")
    func expired() {
        var machine = Samples.machine(every: .seconds(300))
        var now = Samples.start
        var lives = 0
        while let due = machine.due, lives < 100 {
            now = now + (due - now.boot)
            _ = machine.fly(at: now) { $0.succeeded(PassReport(isExpired: true), at: now) }
            #expect(machine.progress.failures == 0)
            lives += 1
        }
        #expect(machine.state == .disabled)
        #expect(lives < 40)
    }

    @Test("one 410 among good answers is forgotten")
    func goneOnce() {
        var machine = Samples.machine()
        _ = machine.fly(at: Samples.start) { $0.failed(Self.gone, at: Samples.start) }
        let later = Samples.moment(4_000)
        _ = machine.fly(at: later) { $0.succeeded(PassReport(), at: later) }
        let last = Samples.moment(100_000)
        _ = machine.fly(at: last) { $0.failed(Self.gone, at: last) }
        #expect(machine.progress.gone == GoneMark(since: last.wall))
        #expect(machine.state == .backoff)
    }
}

@Suite("A host without network") struct OfflineTests {
    private static let dns = RefreshFailure(.transient, code: "dns-failed", detail: "")

    private func fail(
        _ watch: inout OfflineWatch, _ number: Int, at seconds: Int, _ failure: RefreshFailure = dns
    ) -> OfflineWatch.Effect {
        watch.failed(
            Samples.feed("f\(number)"), at: Samples.origin("h\(number).example"), failure,
            now: Samples.moment(seconds).boot)
    }

    @Test("is told from upstreams that fail: three origins within half a minute, nothing answered between")
    func detects() {
        var watch = OfflineWatch()
        #expect(fail(&watch, 1, at: 0) == .none)
        #expect(fail(&watch, 2, at: 10) == .none)
        #expect(fail(&watch, 3, at: 41) == .none)
        #expect(fail(&watch, 4, at: 42) == .none)
        #expect(
            fail(&watch, 5, at: 43)
                == .wentOffline([Samples.feed("f3"), Samples.feed("f4"), Samples.feed("f5")]))
        #expect(watch.isOffline)
    }

    @Test("is not met by one origin with many feeds, by refused connections, or by answers between")
    func doesNotDetect() {
        var watch = OfflineWatch()
        for number in 0..<9 {
            let effect = watch.failed(
                Samples.feed("f\(number)"), at: Samples.origin("one.example"), Self.dns,
                now: Samples.start.boot)
            #expect(effect == .none)
        }
        #expect(fail(&watch, 10, at: 1) == .none)
        #expect(watch.answered() == .none)
        #expect(fail(&watch, 11, at: 2) == .none)
        #expect(fail(&watch, 12, at: 2) == .none)
        let refused = RefreshFailure(.transient, code: "connection-refused", detail: "")
        #expect(fail(&watch, 13, at: 3, refused) == .none)
        #expect(fail(&watch, 14, at: 3) == .none)
    }

    @Test("probes at growing pauses, and lets everybody go when something answers")
    func probes() {
        var watch = OfflineWatch()
        for number in 1...3 { _ = fail(&watch, number, at: 0) }
        var waits: [Int] = []
        var now = 0
        for _ in 0..<8 {
            let wait = Int(
                ((watch.nextProbe ?? Samples.start.boot) - Samples.moment(now).boot).components.seconds)
            waits.append(wait)
            now += wait
            #expect(!watch.counts(Self.dns, at: Samples.moment(now).boot))
            _ = fail(&watch, 1, at: now)
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 300, 300])
        #expect(watch.answered() == .cameBack)
        #expect(watch.counts(Self.dns, at: Samples.moment(now).boot))
    }

    @Test("does not count what fails within a minute after it woke up")
    func graceAfterSleep() {
        var watch = OfflineWatch()
        watch.resumed(at: Samples.start.boot)
        #expect(!watch.counts(Samples.network, at: Samples.moment(59).boot))
        #expect(watch.counts(Samples.outage, at: Samples.moment(59).boot))
        #expect(watch.counts(Samples.network, at: Samples.moment(60).boot))
    }

    @Test("forgives its feeds, which are due again")
    func forgives() {
        var machine = Samples.machine()
        _ = machine.fly(at: Samples.start) { $0.failed(Self.dns, at: Samples.start) }
        #expect(machine.progress.failures == 1)
        machine.forgive(at: Samples.start)
        #expect(machine.progress.failures == 0)
        #expect(machine.due == Samples.start.boot)
        #expect(machine.rule == .offline)
    }
}
