import RefreshAdapters
import RefreshConfig
import RefreshCore
import RefreshFormats
import RefreshTransfer

/// `refreshctl try`: one pass of a feed that stores nothing, in this process and with the rights of who calls it.
struct Trial {
    let request: TrialRequest
    let program: Program
    let json: Bool
    /// The daemon that may run the feed.
    let daemon: APIClient?

    private var notes: Notes { Notes(program.errors) }

    func run() async throws(ClientFailure) -> ExitCode {
        let file = request.file ?? program.defaultConfig
        guard let found = try find(in: file) else {
            let isUnreadable = ConfigReader.read(path: file).errors.contains { $0.code == .access }
            return isUnreadable ? .config : .failure
        }
        let (feed, plan) = (found.feed, found.plan)
        var report = TrialReport(feed: feed, file: file)
        report.warnings = found.warnings
        let secrets = Secrets(
            standIns: Dictionary(request.secrets.map { ($0.name, $0.file) }) { _, last in last },
            warn: { [notes] in notes.tell($0) })
        let upstream = try upstream(feed, secrets, userAgent: plan.daemon.userAgent)
        let trial = try await trial(feed, upstream, userAgent: plan.daemon.userAgent)
        let pass = await trial.run(
            time: upstream.clock,
            pause: { await pause($0, upstream.clock) },
            perform: { (asked) async throws(RefreshFailure) in try await upstream.perform(asked) },
            pipe: { (body) async throws(RefreshFailure) in try await upstream.pipe(body) })
        if let failure = upstream.failure { throw failure }
        report.take(pass, exchanges: upstream.exchanges)
        report.comparison = await TrialComparison(
            feed, report.contents, isComplete: report.isComplete, daemon: daemon)
        let view = TrialView(report: report, mask: secrets.mask)
        try program.output.write(lines: json ? [view.json] : view.lines(on: program.display))
        if let folder = request.record {
            notes.tell("\(Wording.count(upstream.exchanges.count, "answer")) recorded in \(folder)")
        }
        return report.failure == nil ? .ok : .failure
    }

    /// False where nobody would sit and wait for it.
    private func pause(_ duration: Duration, _ clock: TrialClock) async -> Bool {
        if await clock.pause(duration) { return true }
        notes.tell("the next request has to wait for \(Wording.span(duration)), so the trial ends here")
        return false
    }

    // MARK: - The feed

    /// The feed in the file; nil where it is not there or wrong, which is then told.
    private func find(in file: String) throws(ClientFailure) -> (feed: Feed, plan: Plan, warnings: [String])?
    {
        let result = ConfigReader.read(path: file, checkers: .all)
        notes.show(lines: result.errors.map(\.text))
        // Another feed's mistake is no reason not to try this one.
        guard let plan = result.plan ?? ConfigReader.read(path: file, mode: .start, checkers: .all).plan
        else {
            return nil
        }
        guard let feed = plan.feeds.first(where: { $0.id.name == request.feed }) else {
            let isBroken = plan.broken.contains { $0.id.name == request.feed }
            if !isBroken {
                let hint = FeedHint.text(for: request.feed, among: plan.feeds.map(\.id.name))
                notes.tell("there is no feed \"\(request.feed)\" in \(file); \(hint)")
            }
            return nil
        }
        // What is said of another feed is of no concern here; what is said of all feeds is.
        let others = Set(plan.feeds.map(\.id.name)).subtracting([request.feed])
        let warnings = result.warnings.filter { warning in
            !others.contains { warning.path == "feeds.\($0)" || warning.path.hasPrefix("feeds.\($0).") }
        }
        return (feed, plan, warnings.map(\.text))
    }

    // MARK: - The pass

    private func upstream(_ feed: Feed, _ secrets: Secrets, userAgent: String) throws(ClientFailure)
        -> TrialUpstream
    {
        if let folder = request.replay {
            let recording = try Recording(reading: folder)
            return TrialUpstream(
                feed, secrets, source: .recording(recording), clock: .init(fixed: recording.at))
        }
        if case .oauth2(let plan) = feed.details.auth, plan.grant == .refreshToken {
            throw .refused(
                "a trial might use up the refresh token that the daemon goes on with; use --replay with answers of"
                    + " a feed that asks the same with another auth")
        }
        let clock = TrialClock()
        let credentials = CredentialService(
            transfer: try Program.transfer(), secrets: secrets, reader: JSONTokenReader(),
            store: NoTokenStore(),
            time: clock)
        var recorder: Recorder?
        if let folder = request.record { recorder = try Recorder(folder, at: clock.started) }
        return TrialUpstream(
            feed, secrets, source: .network(credentials, userAgent: userAgent, recorder), clock: clock)
    }

    private func trial(_ feed: Feed, _ upstream: TrialUpstream, userAgent: String) async throws(ClientFailure)
        -> PassTrial
    {
        let plan = PassPlan(feed: feed, userAgent: userAgent)
        var start = PassStart(now: upstream.clock.started, random: Randomness())
        start.wantsFull = request.isFull
        var key: ScalarValue?
        if let text = request.since { key = try self.key(text, of: feed) }
        if let key {
            var state = PassState()
            state.key = key
            state.lastFull = start.now
            start.checkpoint = state.checkpoint(scope: plan.checkpointScope)
        }
        if let reading = ParentReading(feed) {
            start.parent = try await parent(feed, reading, upstream)
            start.sharedKey = key
        }
        return PassTrial(plan, start: start, pages: request.pages)
    }

    /// What `--since` says, as a checkpoint has it.
    private func key(_ text: String, of feed: Feed) throws(ClientFailure) -> ScalarValue {
        guard let plan = feed.details.incremental else {
            throw .refused("the feed \"\(request.feed)\" has no \"incremental\", so --since means nothing")
        }
        let scale: CursorScale
        switch plan.kind {
        case .token: return ScalarValue(text)
        case .field(let field): scale = CursorScale(field.kind, format: field.format, zone: field.zone)
        case .serverTime(let time): scale = CursorScale(time.kind)
        }
        guard let value = scale.read(ScalarValue(text)) else {
            throw .refused("--since is \"\(text)\", which is no value of the kind \(scale.kind.rawValue)")
        }
        return scale.kept(value)
    }

    /// The fields of one item of the parent feed: the first that a sub-pass is wanted for.
    private func parent(
        _ feed: Feed, _ reading: ParentReading, _ upstream: TrialUpstream
    ) async throws(ClientFailure) -> [String: ScalarValue] {
        if let fields = upstream.recordedParent { return fields }
        let name = feed.details.parent?.feed.name ?? ""
        guard let daemon, request.replay == nil else {
            throw .refused(
                "the feed goes by the items of \"\(name)\", and \(request.replay == nil ? "no daemon answers that has one" : "the recording has none")"
            )
        }
        let answer = try await daemon.send(.get(["feeds", name, "items"], query: [("limit", "100")]))
        if let problem = answer.problem { throw .problem(problem, hint: nil) }
        for item in answer.value["items"]?.elements ?? [] {
            guard let body = item["data"]?.text, let fields = reading.fields(of: Array(body.utf8)) else {
                continue
            }
            try upstream.record(parent: fields)
            return fields
        }
        throw .refused("the daemon has no item of \"\(name)\" that a sub-pass is wanted for")
    }
}

/// Grants whose tokens have to be kept are not tried.
private struct NoTokenStore: TokenStore {
    func load(_ credential: CredentialID) async throws(RefreshFailure) -> String? { nil }
    func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure) {}
}
