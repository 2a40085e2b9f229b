import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Synchronization

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
    private let state: Mutex<State>

    init(_ feed: Feed, _ secrets: Secrets, source: Source, clock: TrialClock) {
        self.feed = feed
        self.secrets = secrets
        self.source = source
        self.clock = clock
        var state = State()
        if feed.request.cookies == .memory { state.cookies = CookieJar() }
        self.state = Mutex(state)
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

    func perform(_ request: TransferRequest) async throws(TransferFailure) -> TransferAnswer {
        do throws(TransferFailure) {
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

    // MARK: - Network

    private func ask(
        _ request: TransferRequest, _ credentials: CredentialService, _ userAgent: String,
        _ recorder: Recorder?
    ) async throws(TransferFailure) -> TransferAnswer {
        var sent = request
        sent.cookies = state.withLock(\.cookies)
        let answer: TransferAnswer
        do {
            let login = try complete(&sent, userAgent)
            answer = try await credentials.perform(sent, auth: feed.details.auth, login: login)
        } catch .transfer(let failure) {
            throw failure
        } catch {
            // The pass knows of no failures but those of transfers; the words are the same.
            throw .badRequest(reason: error.failure.detail)
        }
        if let cookies = answer.cookies { state.withLock { $0.cookies = cookies } }
        if let recorder {
            do {
                try recorder.write(request, answer, mask: secrets.mask)
            } catch {
                give(error)
                throw .internal("the recording cannot be written")
            }
        }
        return answer
    }

    /// Trust, proxy and secret headers; the login request where there is one.
    private func complete(
        _ request: inout TransferRequest, _ userAgent: String
    ) throws(CredentialFailure) -> TransferRequest? {
        try complete(&request, from: feed.request)
        guard case .session(let plan) = feed.details.auth else { return nil }
        let builder = RequestBuilder(plan.login, userAgent: userAgent, accept: "*/*", secrets: read)
        var login: TransferRequest
        do {
            login = try builder.request(RequestValues(now: clock.started))
        } catch {
            throw .token(error)
        }
        try complete(&login, from: plan.login)
        return login
    }

    private func complete(
        _ request: inout TransferRequest, from plan: RequestPlan
    ) throws(CredentialFailure) {
        do { try secrets.complete(&request, from: plan) } catch { throw .secret(error) }
    }

    private var read: RequestBuilder.Secrets {
        { [secrets] (source) throws(RefreshFailure) in
            do throws(SecretFailure) { return try secrets.text(source) } catch { throw error.failure }
        }
    }

    // MARK: - Recording

    private func look(_ request: TransferRequest, _ recording: Recording) throws(TransferFailure)
        -> TransferAnswer
    {
        let found = state.withLock { recording.answer(to: request, used: &$0.used) }
        if let found { return found }
        let body = request.body.map { " with a body of \($0.count) bytes" } ?? ""
        give(.refused("no answer is recorded for \(request.method) \(request.url)\(body)"))
        throw .badRequest(reason: "no answer is recorded for it")
    }

    private func give(_ failure: ClientFailure) {
        state.withLock { $0.failure = $0.failure ?? failure }
    }

    private func note(_ exchange: Exchange) { state.withLock { $0.exchanges.append(exchange) } }
}
