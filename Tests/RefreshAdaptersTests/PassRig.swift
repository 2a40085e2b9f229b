import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// A feed of the tests', and passes over it against answers that a closure gives.
struct PassRig {
    static let now = Timestamp(seconds: 1_767_225_600)
    static let place = WebURL(scheme: .https, host: "a.example", port: nil, path: "/list", query: nil)

    var feed: Feed

    /// A JSON list at `https://a.example/list` whose records have an `id`.
    init(
        _ adapter: Feed.Adapter = .json, path: String = "$", url: String = "https://a.example/list",
        _ details: (inout FeedDetails) -> Void = { _ in }
    ) throws {
        var block = FeedDetails()
        details(&block)
        feed = Feed(
            id: try #require(FeedID("shop")), adapter: adapter, schedule: Schedule(every: .seconds(300)),
            request: RequestPlan(url: try WebURL(parsing: url)),
            records: RecordsPlan(path: try JSONPath(parsing: path), key: [try JSONPath(parsing: "id")]),
            retention: Retention(count: 100), absent: .gone, details: Shared(block))
    }

    var plan: PassPlan { PassPlan(feed: feed, userAgent: "tests/1") }

    static func body(_ path: String) throws -> ReadPlace { .body(.json(try JSONPath(parsing: path))) }

    static func answer(
        _ text: String, status: Int = 200, headers: [(String, String)] = [], at url: WebURL = Self.place
    ) -> TransferAnswer {
        let type = [("Content-Type", "application/json")]
        return TransferAnswer(
            status: status, headers: HTTPHeaders(type + headers), body: PaddedBytes(text), effectiveURL: url,
            permanentTarget: nil, wireBytes: text.utf8.count, duration: .zero)
    }

    /// Runs a pass to its end, or until `deaths` says so.
    func run(
        checkpoint: Checkpoint? = nil, now: Timestamp = Self.now, took: Duration = .zero,
        _ change: (inout PassStart) -> Void = { _ in },
        upstream: (TransferRequest, Int) throws(RefreshFailure) -> TransferAnswer
    ) -> PassRun {
        var start = PassStart(now: now, random: Randomness(seed: 7))
        start.checkpoint = checkpoint
        change(&start)
        var machine = PassMachine(plan, start: start, keepsNotes: true)
        var run = PassRun()
        var effect = machine.begin()
        while true {
            switch effect {
            case .pause(let pause, _, let request):
                run.pauses.append(pause)
                effect = ask(request, &machine, &run, now, took, upstream)
            case .ask(let request): effect = ask(request, &machine, &run, now, took, upstream)
            case .store(let page):
                run.pages.append(page)
                effect = machine.storedPage()
            case .finish(let end):
                run.end = end
                run.notes = machine.notes
                if case .done(let done) = end, let page = done.page { run.pages.append(page) }
                return run
            }
        }
    }

    private func ask(
        _ request: TransferRequest, _ machine: inout PassMachine, _ run: inout PassRun, _ now: Timestamp,
        _ took: Duration, _ upstream: (TransferRequest, Int) throws(RefreshFailure) -> TransferAnswer
    ) -> PassEffect {
        run.requests.append(request)
        precondition(run.requests.count < 5_000, "the pass does not end")
        do {
            let answer = try upstream(request, run.requests.count)
            return machine.answered(answer, took: took, now: now)
        } catch {
            return machine.failed(error, took: took)
        }
    }
}

/// What a pass did.
struct PassRun {
    var requests: [TransferRequest] = []
    var pages: [PassPage] = []
    var pauses: [Duration] = []
    var notes: [PageNote] = []
    var end: PassEnd?

    var targets: [String] { requests.map(\.url.requestTarget) }
    var keys: [String] { pages.flatMap { $0.records?.rows.map(\.key.text) ?? [] } }
    var done: PassDone? { if case .done(let done) = end { done } else { nil } }
    var failure: RefreshFailure? { if case .failed(let failure, _) = end { failure } else { nil } }
    var isComplete: Bool {
        done.map { $0.isComplete && $0.doubt == nil && !$0.isResumed } ?? false
    }
    var stop: PageStop? { done?.stop }
    var warnings: [String] { done?.report.warnings ?? [] }

    /// Where the next pass goes on.
    var checkpoint: Checkpoint? {
        switch end {
        case .done(let done): done.report.checkpoint
        case .failed(_, let checkpoint): checkpoint
        case nil: nil
        }
    }

    func query(_ name: String, _ number: Int) -> String? {
        guard requests.indices.contains(number), let query = requests[number].url.query else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == name { return String(parts.last ?? "") }
        }
        return nil
    }
}
