import RefreshCore
import Testing

/// Faults that users of other feed readers reported, of the kind that a schedule decides; each names its report.
@Suite("Reported faults of other fetchers") struct ReportTests {
    private static let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(3_600))))

    private static func order(_ progress: FeedProgress, at seconds: Int) -> FetchOrder {
        FetchOrder(
            cause: .schedule, start: Samples.moment(seconds), forced: false, progress: progress,
            policy: policy, chance: 0)
    }

    // FreshRSS/FreshRSS#6056: invented dates, full 4 MiB a day.
    @Test("a date is sent back as it came, however odd")
    func rawDate() {
        let odd = "Mon, 01 Jan 2024 00:00:00 +0000"
        let validators = Validators(replacingWith: HTTPHeaders([("Last-Modified", odd)]))
        let progress = Self.order(FeedProgress(), at: 0).succeeded(
            PassReport(validators: validators), at: Samples.start)
        #expect(Self.order(progress, at: 3_600).progress.validators.lastModified == odd)
    }

    // nextcloud/news#2118: a date of the year 1800 with the first request.
    @Test("the first request has no validators")
    func firstIsBare() {
        #expect(Self.order(FeedProgress(), at: 0).progress.validators.isEmpty)
    }

    // feedbin/feedbin#726: the body is the same, so the new tag is not kept, and every answer is a full one.
    @Test("a new tag with the old body is kept")
    func newTagSameBody() {
        var progress = FeedProgress()
        for (number, tag) in ["\"a\"", "\"b\""].enumerated() {
            progress = Self.order(progress, at: number * 3_600).succeeded(
                PassReport(validators: Validators(etag: tag), isUnchanged: number > 0, isFull: true),
                at: Samples.moment(number * 3_600))
        }
        let third = Self.order(progress, at: 7_200)
        #expect(third.conditional)
        #expect(third.progress.validators.etag == "\"b\"")
    }

    // FreshRSS/FreshRSS#1020: Last-Modified in 2041, and 304 for ever after.
    @Test("a server that says 304 for ever is asked for everything now and then")
    func alwaysNotModified() {
        var progress = Self.order(FeedProgress(), at: 0).succeeded(
            PassReport(validators: Validators(lastModified: "Tue, 01 Jan 2041 00:00:00 GMT")),
            at: Samples.start)
        var full: [Int] = []
        for hour in 1...(30 * 24) {
            let order = Self.order(progress, at: hour * 3_600)
            if !order.conditional { full.append(hour) }
            progress = order.succeeded(
                PassReport(
                    validators: progress.validators, isUnchanged: order.conditional,
                    isFull: !order.conditional),
                at: Samples.moment(hour * 3_600))
        }
        #expect(full == [193, 386, 579])
    }

    // miniflux/v2#3130: after a mass refresh all feeds stay in step and meet the same limit each hour.
    @Test("a hundred feeds that start together do not stay together")
    func outOfStep() {
        var random = Randomness(seed: 9)
        let dues = (0..<100).compactMap { _ in
            FetchOrder(
                cause: .wish, start: Samples.start, forced: false, progress: FeedProgress(),
                policy: Self.policy, chance: random.unit()
            ).succeeded(PassReport(), at: Samples.start).due
        }
        #expect(Set(dues).count == 100)
        let (first, last) = (dues.min() ?? Samples.start.wall, dues.max() ?? Samples.start.wall)
        #expect(last - first > .seconds(300))
        #expect(first >= Samples.moment(3_600).wall)
    }

    // miniflux/v2#3289: many feeds of one host at once, and the host blocks. FreshRSS/FreshRSS#8928: a limit told by
    // 403 with Retry-After.
    @Test(
        "twenty feeds of a host that admits one a minute all get through, one by one", arguments: [429, 403])
    func oneAMinute(status: Int) {
        let origin = Samples.origin("reddit.example")
        var gate = Gate(concurrency: 16, perOrigin: 1, originGap: .seconds(1))
        for number in 0..<20 {
            gate.enqueue(Gate.Ticket(feed: Samples.feed("f\(number)"), origin: origin), urgent: false)
        }
        var progress = OriginProgress()
        var (now, admitted, refused, done) = (Samples.start, Timestamp(seconds: 0), 0, 0)
        while done < 20, now.boot < Samples.moment(86_400).boot {
            while let start = gate.next(at: now.boot) {
                #expect(gate.next(at: now.boot) == nil)
                gate.ended(start.ticket, at: now.boot)
                if now.wall - admitted >= .seconds(60) {
                    admitted = now.wall
                    progress.succeeded()
                    done += 1
                } else {
                    refused += 1
                    let left = Duration.seconds(60) - (now.wall - admitted)
                    let failure = RefreshFailure(
                        .rate, code: "http-\(status)", detail: "", status: status, retryAfter: left)
                    if let until = progress.failed(failure, at: now.wall) {
                        gate.hold(origin, until: now.boot + (until - now.wall))
                    }
                    // Its own backoff would bring it back an interval later; here it stands in line again.
                    gate.enqueue(start.ticket, urgent: false)
                }
            }
            guard let wake = gate.wakeAt(after: now.boot) else { break }
            now = now + (wake - now.boot)
        }
        #expect(done == 20)
        #expect(refused <= 20)
    }

    // fossar/selfoss#1178, Athou/commafeed#978, #935: 308 not followed, or not remembered.
    // open-telemetry/opentelemetry.io#5520: a move for two days, published as permanent, pins readers to it.
    @Test("a permanent move of two days is believed, looked at again in a week, and forgotten")
    func moveOfTwoDays() throws {
        let home = try WebURL(parsing: "https://opentelemetry.example/feed")
        let away = try WebURL(parsing: "https://opentelemetry.example/2024/feed")
        var progress = FeedProgress()
        var places: [WebURL?] = []
        for hour in 0..<(12 * 24) {
            let order = FetchOrder(
                cause: .schedule, start: Samples.moment(hour * 3_600), forced: false, progress: progress,
                policy: Self.policy, url: home, chance: 0)
            places.append(order.effectiveURL)
            let isMoved = order.effectiveURL == nil && hour < 48
            progress = order.succeeded(
                PassReport(permanentTarget: isMoved ? away : nil), at: Samples.moment(hour * 3_600))
        }
        #expect(places[24] == nil)
        #expect(places[25] == away)
        #expect(places[24 + 7 * 24 - 1] == away)
        #expect(places[(24 + 7 * 24)...].allSatisfy { $0 == nil })
    }

    // NetNewsWire 18d239c9, 106dac12: 4xx remembered until the program ends; YouTube says 404 at random.
    @Test("a random 404 costs a pause, and a good answer ends it")
    func randomRefusal() {
        var progress = FeedProgress()
        var waits: [Int] = []
        for (number, isGood) in [false, true, false, true, false].enumerated() {
            let now = Samples.moment(number * 10_000)
            let order = Self.order(progress, at: number * 10_000)
            progress =
                isGood ? order.succeeded(PassReport(), at: now) : order.failed(Samples.missing, at: now)
            waits.append(Int((progress.due.map { $0 - now.wall } ?? .zero).components.seconds))
            #expect(progress.failures == (isGood ? 0 : 1))
        }
        #expect(waits == [3_600, 3_600, 3_600, 3_600, 3_600])
    }

    // owncloud-archive/news#763, kurtmckee/feedparser#76, huginn/huginn#3525: one stuck fetch blocks the rest.
    @Test("a flight that never ends keeps its own place and nobody else's")
    func stuck() {
        var gate = Gate(concurrency: 16, perOrigin: 1)
        let now = Samples.start.boot
        gate.enqueue(
            Gate.Ticket(feed: Samples.feed("stuck"), origin: Samples.origin("a.example")), urgent: false)
        _ = gate.next(at: now)
        var started = 0
        for number in 0..<1_000 {
            let ticket = Gate.Ticket(
                feed: Samples.feed("f\(number)"), origin: Samples.origin("h\(number % 50).example"))
            gate.enqueue(ticket, urgent: false)
            while let start = gate.next(at: now) {
                started += 1
                gate.ended(start.ticket, at: now)
            }
        }
        #expect(started == 1_000)
    }

    @Test(
        "what an upstream says of its answer shortens or sets how long items are fresh, as the file has it",
        arguments: [
            (FreshnessPlan.UpstreamHeaders.ignore, HTTPFreshness.lasting(.seconds(60)), 300),
            (.shorten, .lasting(.seconds(60)), 60), (.shorten, .lasting(.seconds(9_000)), 300),
            (.shorten, .lasting(.zero), 0), (.shorten, .silent, 300),
            (.follow, .lasting(.seconds(9_000)), 9_000), (.follow, .silent, 300),
            (.follow, .expiring(.seconds(10)), 10),
        ])
    func upstreamHeaders(
        mode: FreshnessPlan.UpstreamHeaders, said: HTTPFreshness, seconds: Int
    ) {
        var policy = FetchPolicy(schedule: Schedule(every: .seconds(300)))
        policy.upstreamHeaders = mode
        var progress = Samples.progress(succeededAt: 0)
        progress.httpHint = said
        let machine = FeedMachine(
            policy: Shared(policy), enabled: true, progress: progress, store: Samples.counts,
            at: Samples.start, spread: .zero)
        #expect(machine.freshUntil == Samples.moment(seconds).wall)
    }
}
