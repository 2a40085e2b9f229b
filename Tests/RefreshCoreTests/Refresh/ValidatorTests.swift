import RefreshCore
import Testing

/// Policy 2.6: what is sent to ask conditionally, and where to.
@Suite("Validators and redirects") struct ValidatorTests {
    private static let policy = Shared(FetchPolicy(schedule: Schedule(every: .seconds(300))))
    private static let both = Validators(etag: "\"a\"", lastModified: "Mon, 01 Jan 2024 00:00:00 +0000")

    private static func order(
        _ progress: FeedProgress, at seconds: Int = 0, forced: Bool = false, url: WebURL? = nil
    ) -> FetchOrder {
        FetchOrder(
            cause: .schedule, start: Samples.moment(seconds), forced: forced, progress: progress,
            policy: policy, url: url, chance: 0)
    }

    private static func progress(_ validators: Validators = both, fullAt seconds: Int = -300) -> FeedProgress
    {
        var progress = Samples.progress(succeededAt: -300)
        progress.validators = validators
        progress.validatorScope = 1
        progress.lastFull = Samples.moment(seconds).wall
        return progress
    }

    // MARK: - V

    @Test("V2: a full answer replaces them all, V6: a bare confirmation keeps what it does not name")
    func replaces() {
        let order = Self.order(Self.progress())
        let full = order.succeeded(
            PassReport(validators: Validators(etag: "\"b\""), scope: 1), at: Samples.start)
        #expect(full.validators == Validators(etag: "\"b\""))
        let merged = Self.both.merged(with: HTTPHeaders([("ETag", "W/\"c\"")]))
        #expect(merged == Validators(etag: "W/\"c\"", lastModified: Self.both.lastModified))
    }

    @Test("V3: they are taken also where the body is the same, and never after a failure")
    func takesOnEqualBody() {
        let order = Self.order(Self.progress())
        let report = PassReport(validators: Validators(etag: "\"new\""), isUnchanged: true, isFull: true)
        #expect(order.succeeded(report, at: Samples.start).validators.etag == "\"new\"")
        #expect(order.failed(Samples.outage, at: Samples.start).validators == Self.both)
    }

    @Test(
        "V4: a full answer is asked for when the last is old, at most once a day for that cause",
        arguments: [(7 * 86_400, true), (8 * 86_400 + 1, false), (30 * 86_400, false)])
    func fullNowAndThen(age: Int, conditional: Bool) {
        let order = Self.order(Self.progress(fullAt: -age))
        #expect(order.conditional == conditional)
        guard !conditional else { return }
        // It failed: the next ones are conditional again, for a day.
        let failed = order.failed(Samples.outage, at: Samples.start)
        #expect(Self.order(failed, at: 3_600).conditional)
        #expect(Self.order(failed, at: 86_399).conditional)
        #expect(!Self.order(failed, at: 86_400).conditional)
        // So also where others went well between, without a full answer.
        let confirmed = Self.order(failed, at: 3_600).succeeded(
            PassReport(validators: Self.both, isUnchanged: true, isFull: false), at: Samples.moment(3_600))
        #expect(Self.order(confirmed, at: 7_200).conditional)
    }

    @Test("V4: force leaves them away")
    func forced() {
        #expect(!Self.order(Self.progress(), forced: true).conditional)
        #expect(Self.order(Self.progress(), forced: true).progress.validators == Self.both)
    }

    @Test(
        "V8: a server that does not know its own tag is asked by date alone",
        arguments: [
            ("\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true), ("\"a\"", "\"a-gzip\"", true),
            ("W/\"a-gzip\"", "\"a\"", true), ("\"a\"", "\"b\"", false), ("\"a-gzip\"", "\"b-gzip\"", false),
        ])
    func unknownTag(sent: String, given: String, distrusted: Bool) {
        let date = Self.both.lastModified
        let order = Self.order(Self.progress(Validators(etag: sent, lastModified: date)))
        let report = PassReport(
            validators: Validators(etag: given, lastModified: date), scope: 1, isUnchanged: true, isFull: true
        )
        let next = Self.order(order.succeeded(report, at: Samples.start), at: 300)
        #expect(next.progress.validators == Validators(etag: distrusted ? nil : given, lastModified: date))
        #expect(next.conditional)
        guard distrusted else { return }
        // A confirmation that names the tag again does not bring it back.
        let confirmed = next.succeeded(
            PassReport(
                validators: Validators(etag: given, lastModified: date), isUnchanged: true, isFull: false),
            at: Samples.moment(300))
        #expect(confirmed.validators.etag == nil)
        // Each `revalidate_full_after` both are tried again.
        let later = Self.order(confirmed, at: 9 * 86_400)
        #expect(!later.conditional)
        let full = later.succeeded(
            PassReport(validators: Validators(etag: given, lastModified: date), isFull: true),
            at: Samples.moment(9 * 86_400))
        #expect(Self.order(full, at: 9 * 86_400 + 300).progress.validators.etag == given)
    }

    @Test("V8: without a date there is only the tag to ask with")
    func unknownTagAlone() {
        let order = Self.order(Self.progress(Validators(etag: "\"a\"")))
        let report = PassReport(validators: Validators(etag: "\"a\""), isUnchanged: true, isFull: true)
        let next = Self.order(order.succeeded(report, at: Samples.start), at: 300)
        #expect(next.progress.validators.etag == "\"a\"")
    }

    // MARK: - RD

    private static func url(_ text: String) throws -> WebURL { try WebURL(parsing: text) }

    /// Passes at `seconds` that meet `target`, or fail where it is nil.
    private static func pass(
        _ progress: FeedProgress, at seconds: Int, target: WebURL?, configured: WebURL, fails: Bool = false
    ) -> (FeedProgress, asked: WebURL?) {
        let order = order(progress, at: seconds, url: configured)
        let now = Samples.moment(seconds)
        return (
            fails
                ? order.failed(Samples.outage, at: now)
                : order.succeeded(PassReport(permanentTarget: target), at: now), order.effectiveURL
        )
    }

    @Test(
        "RD3: a permanent target is adopted after three good passes over a day, and the old place asked weekly"
    )
    func adopts() throws {
        let configured = try Self.url("https://old.example/feed")
        let target = try Self.url("https://new.example/feed")
        var progress = FeedProgress()
        for seconds in [0, 3_600, 7_200, 80_000] {
            let (next, asked) = Self.pass(progress, at: seconds, target: target, configured: configured)
            #expect(asked == nil)
            progress = next
        }
        (progress, _) = Self.pass(progress, at: 86_400, target: target, configured: configured)
        let (direct, asked) = Self.pass(progress, at: 90_000, target: nil, configured: configured)
        #expect(asked == target)
        // It stays, without the redirect being seen again.
        #expect(Self.pass(direct, at: 95_000, target: nil, configured: configured).asked == target)
        let (weekly, original) = Self.pass(
            direct, at: 86_400 + 7 * 86_400, target: target, configured: configured)
        #expect(original == nil)
        #expect(Self.pass(weekly, at: 9 * 86_400, target: nil, configured: configured).asked == target)
        // It does not redirect any more: the configured URL is right again.
        let (back, _) = Self.pass(direct, at: 9 * 86_400, target: nil, configured: configured)
        #expect(back.redirects == nil)
    }

    @Test("RD3: another target, a good answer without one, or a downgrade to http starts anew")
    func adoptsOnlyProven() throws {
        let configured = try Self.url("https://old.example/feed")
        let (one, two) = (try Self.url("https://a.example/"), try Self.url("https://b.example/"))
        var progress = FeedProgress()
        for (number, target) in [one, two, one, two, one, nil, one].enumerated() {
            (progress, _) = Self.pass(progress, at: number * 90_000, target: target, configured: configured)
            #expect(progress.redirects?.isAdopted != true)
        }
        let plain = try Self.url("http://old.example/feed")
        for number in 10..<20 {
            (progress, _) = Self.pass(progress, at: number * 90_000, target: plain, configured: configured)
        }
        #expect(progress.redirects == nil)
        // From http to https it may.
        progress = FeedProgress()
        for number in 0..<4 {
            (progress, _) = Self.pass(progress, at: number * 90_000, target: configured, configured: plain)
        }
        #expect(progress.redirects?.isAdopted == true)
    }

    @Test("RD3: where the adopted place fails the configured one is asked next")
    func failsOver() throws {
        let configured = try Self.url("https://old.example/feed")
        let target = try Self.url("https://new.example/feed")
        var progress = FeedProgress()
        for number in 0..<4 {
            (progress, _) = Self.pass(progress, at: number * 40_000, target: target, configured: configured)
        }
        let (failed, asked) = Self.pass(
            progress, at: 130_000, target: nil, configured: configured, fails: true)
        #expect(asked == target)
        #expect(Self.pass(failed, at: 140_000, target: target, configured: configured).asked == nil)
    }
}
