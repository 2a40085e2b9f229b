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

    /// What a feed with `plan` shows that was fetched at 0, with what its upstream has said.
    private func status(
        _ plan: FreshnessPlan, _ said: StaleRules? = nil, fails: Bool = false
    ) throws -> FeedStatus {
        var details = FeedDetails()
        details.freshness = plan
        let feed = Feed(
            id: Samples.feed("prices"), adapter: .json, schedule: Schedule(every: .seconds(300)),
            request: RequestPlan(url: try WebURL(parsing: "http://e.com/")),
            records: RecordsPlan(path: JSONPath.root, key: []), retention: Retention(count: 10),
            absent: .gone, details: Shared(details))
        var progress = Samples.progress(succeededAt: 0)
        progress.staleRules = said
        if fails {
            let failure = RefreshFailure(.offline, code: "no-network", detail: "")
            progress.failure = FailureNote(failure, at: Samples.start.wall)
        }
        let machine = FeedMachine(
            policy: Shared(FetchPolicy(feed)), enabled: true, progress: progress, store: Samples.counts,
            at: Samples.start, spread: .zero)
        let status = machine.status(of: feed)
        for second in [0, 299, 300, 330, 400, 1_000] {
            let now = Samples.moment(second)
            #expect(machine.freshness(at: now) == status.freshness(at: now.wall))
        }
        return status
    }

    private func followed(
        _ mode: FreshnessPlan.UpstreamHeaders, _ said: StaleRules?, fails: Bool = false
    ) throws -> FeedStatus {
        var plan = FreshnessPlan()
        plan.upstreamHeaders = mode
        plan.serveStale = .seconds(100)
        plan.staleIfError = .seconds(1_000)
        return try status(plan, said, fails: fails)
    }

    @Test(
        "F5, F6: how long items are merely stale is the file's to say, or the upstream's where it is followed",
        arguments: [
            (FreshnessPlan.UpstreamHeaders.shorten, nil as Int?, 100), (.shorten, 30, 100),
            (.ignore, 30, 100),
            (.follow, nil, 100), (.follow, 30, 30), (.follow, 500, 500),
        ])
    func serveStale(mode: FreshnessPlan.UpstreamHeaders, said: Int?, seconds: Int) throws {
        let rules = said.map { StaleRules(whileRevalidating: .seconds($0)) }
        let status = try followed(mode, rules)
        #expect(status.freshness(at: Samples.moment(300 + seconds - 1).wall) == .stale)
        #expect(status.freshness(at: Samples.moment(300 + seconds).wall) == .overdue)
    }

    @Test(
        "F7, F10: items are shown while refreshes fail for as long as the file, or a followed upstream, allows",
        arguments: [
            (FreshnessPlan.UpstreamHeaders.shorten, nil as StaleRules?, 1_000),
            (.shorten, StaleRules(onError: .seconds(5), mustRevalidate: true), 1_000),
            (.follow, nil, 1_000), (.follow, StaleRules(onError: .seconds(5)), 5),
            (.follow, StaleRules(onError: .seconds(5), mustRevalidate: true), 0),
        ])
    func servedUntil(mode: FreshnessPlan.UpstreamHeaders, said: StaleRules?, seconds: Int) throws {
        let status = try followed(mode, said, fails: true)
        #expect(status.servedUntil == Samples.moment(300 + seconds).wall)
        // What is stale by itself and not by a failure is bound only by who must be asked first.
        let well = try followed(mode, said)
        #expect(well.servedUntil == (seconds == 0 ? Samples.moment(300).wall : nil))
    }

    @Test(
        "the head of an answer is read, and one that says nothing of stale copies leaves nothing",
        arguments: [
            ("max-age=60", nil as StaleRules?), ("public", nil),
            ("max-age=60, stale-while-revalidate=30", StaleRules(whileRevalidating: .seconds(30))),
            ("stale-if-error=0", StaleRules(onError: .zero)),
            (
                "max-age=1, must-revalidate, stale-if-error=9",
                StaleRules(onError: .seconds(9), mustRevalidate: true)
            ),
        ])
    func heads(field: String, expected: StaleRules?) {
        var headers = HTTPHeaders()
        headers.append("Cache-Control", field)
        #expect(StaleRules(headers, received: Samples.start.wall) == expected)
    }

    @Test("F3: with ages of their own items are fresh from when they were checked, whatever the list says")
    func ownAge() throws {
        var plan = FreshnessPlan()
        (plan.scope, plan.freshFor) = (.item, .seconds(60))
        let status = try status(plan)
        let checked = Samples.moment(200).wall
        #expect(status.asOf(checked).freshness(at: Samples.moment(259).wall) == .fresh)
        #expect(status.asOf(checked).freshness(at: Samples.moment(260).wall) == .stale)
        #expect(status.asOf(nil).freshness(at: Samples.moment(1).wall) == .new)
        let list = try followed(.shorten, nil)
        #expect(list.asOf(checked) == list)
    }
}
