import RefreshAdapters
import RefreshCore
import RefreshTransfer

/// Answers the requests of a trial: the upstream itself, or a recording of it.
final class TrialUpstream: Sendable {
    enum Source: Sendable {
        case network(CredentialService, userAgent: String, Recorder?)
        case recording(Recording)
    }

    /// A request that was answered or failed, in order.
    struct Exchange: Sendable {
        let headers: HTTPHeaders
        let bytes: Int?
        let duration: Duration?
    }

    private struct State {
        var exchanges: [Exchange] = []
        var failure: ClientFailure?
        var used: Set<Int> = []
        var cookies: CookieJar?
    }

    let clock: TrialClock
    private let feed: Feed
    private let secrets: Secrets
    private let source: Source
    private let state: Locked<State>

    init(_ feed: Feed, _ secrets: Secrets, source: Source, clock: TrialClock) {
        self.feed = feed
        self.secrets = secrets
        self.source = source
        self.clock = clock
        var state = State()
        if feed.request.cookies == .memory { state.cookies = CookieJar() }
        self.state = Locked(state)
    }

    var exchanges: [Exchange] { state.withLock(\.exchanges) }
    /// Why the trial says nothing of the feed: a request that was not recorded, or a folder that takes no files.
    var failure: ClientFailure? { state.withLock(\.failure) }

    var recordedParent: [String: ScalarValue]? {
        if case .recording(let recording) = source { recording.parent } else { nil }
    }

    func record(parent fields: [String: ScalarValue]) throws(ClientFailure) {
        if case .network(_, _, let recorder?) = source {
            try recorder.write(parent: fields, mask: secrets.mask)
        }
    }

    func perform(_ request: TransferRequest) async throws(RefreshFailure) -> TransferAnswer {
        do throws(RefreshFailure) {
            let answer =
                switch source {
                case .network(let credentials, let userAgent, let recorder):
                    try await ask(request, credentials, userAgent, recorder)
                case .recording(let recording): try look(request, recording)
                }
            note(Exchange(headers: request.headers, bytes: answer.wireBytes, duration: answer.duration))
            return answer
        } catch {
            note(Exchange(headers: request.headers, bytes: nil, duration: nil))
            throw error
        }
    }

    /// What the feed's program makes of a body; it runs for a recording too, since a recording is of the upstream.
    func pipe(_ body: PaddedBytes) async throws(RefreshFailure) -> PaddedBytes {
        do {
            return try await FeedTransport.piped(body, of: feed)
        } catch {
            throw error.failure
        }
    }

    // MARK: - Network

    private func ask(
        _ request: TransferRequest, _ credentials: CredentialService, _ userAgent: String,
        _ recorder: Recorder?
    ) async throws(RefreshFailure) -> TransferAnswer {
        let plan = PassPlan(feed: feed, userAgent: userAgent)
        var transport = FeedTransport(plan, credentials, cookies: state.withLock(\.cookies))
        let answer: TransferAnswer
        do {
            answer = try await transport.perform(request, now: clock.started)
        } catch {
            throw error.failure
        }
        state.withLock { $0.cookies = transport.cookies }
        if let recorder {
            do {
                try recorder.write(request, answer, mask: secrets.mask)
            } catch {
                give(error)
                throw TransferFailure.internal("the recording cannot be written").failure
            }
        }
        return answer
    }

    // MARK: - Recording

    private func look(_ request: TransferRequest, _ recording: Recording) throws(RefreshFailure)
        -> TransferAnswer
    {
        let found = state.withLock { recording.answer(to: request, used: &$0.used) }
        if let found { return found }
        let body = request.body.map { " with a body of \($0.count) bytes" } ?? ""
        give(.refused("no answer is recorded for \(request.method) \(request.url)\(body)"))
        throw TransferFailure.badRequest(reason: "no answer is recorded for it").failure
    }

    private func give(_ failure: ClientFailure) {
        state.withLock { $0.failure = $0.failure ?? failure }
    }

    private func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }
}
