import RefreshCore
import TestSupport

@testable import RefreshTransfer

/// Reads members of flat JSON objects, which is all that these tests send.
struct FlatReader: TokenReader {
    func text(at path: JSONPath, in body: PaddedBytes) -> String? {
        guard let steps = path.steps, steps.count == 1, case .name(let name) = steps[0] else { return nil }
        let members = String(decoding: body.content, as: UTF8.self).drop { $0 != "{" }.dropFirst()
            .prefix { $0 != "}" }.split(separator: ",")
        for member in members {
            let sides = member.split(separator: ":", maxSplits: 1).map { side in
                side.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" }
            }
            if sides.count == 2, sides[0].utf8.elementsEqual(name) { return String(sides[1]) }
        }
        return nil
    }
}

/// A store in memory that can be slow, fail, and lose power.
final class MemoryTokenStore: TokenStore {
    private struct State {
        var tokens: [CredentialID: String] = [:]
        var saves: [String] = []
        var isBroken = false
    }

    private let state = Locked(State())
    /// Called before a token is on the disk.
    private let beforeSave: @Sendable () async -> Void

    init(beforeSave: @escaping @Sendable () async -> Void = {}) { self.beforeSave = beforeSave }

    var saves: [String] { state.withLock(\.saves) }
    func breaks(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    private static let failure = RefreshFailure(.internal, code: "storage-full", detail: "the disk is full")

    func load(_ credential: CredentialID) async throws(RefreshFailure) -> String? {
        let (token, isBroken) = state.withLock { ($0.tokens[credential], $0.isBroken) }
        if isBroken { throw Self.failure }
        return token
    }

    func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure) {
        await beforeSave()
        let isBroken = state.withLock { state in
            if !state.isBroken {
                state.tokens[credential] = refreshToken
                state.saves.append(refreshToken)
            }
            return state.isBroken
        }
        if isBroken { throw Self.failure }
    }
}

/// An authorization server and an API that takes its tokens, both in one upstream.
final class TokenWorld: Sendable {
    // Apart from the upstream, which holds on to it: held by each other they would never end.
    private let office = TokenOffice()
    let time = ManualTime()
    let upstream: ScriptedUpstream

    init() throws {
        upstream = try ScriptedUpstream { [office] request in office.answer(request) }
    }

    // MARK: - Switches

    func rotates(from token: String) {
        office.state.withLock { ($0.rotates, $0.refreshToken) = (true, token) }
    }
    func revokeAll() { office.state.withLock { $0.good = [] } }
    /// The endpoint's next answers, before it grants again.
    func next(_ answers: [UpstreamAnswer]) { office.state.withLock { $0.answers = answers } }
    /// Grants wait there.
    func holdGrants(at gate: UpstreamGate) { office.gate.withLock { $0 = gate } }

    var exchanges: [UpstreamRequest] { upstream.requests.filter { $0.path == "/token" } }
    var asked: [UpstreamRequest] { upstream.requests.filter { $0.path != "/token" } }

    // MARK: - What is under test

    func service(
        _ transfer: TransferService, store: any TokenStore = MemoryTokenStore(), secrets: Secrets = Secrets()
    ) -> CredentialService {
        CredentialService(
            transfer: transfer, secrets: secrets, reader: FlatReader(), store: store, time: time,
            random: Randomness(seed: 1))
    }

    func plan(_ grant: OAuth2Plan.Grant, _ change: (inout OAuth2Plan) -> Void = { _ in }) throws -> AuthPlan {
        var plan = OAuth2Plan(
            grant: grant, tokenURL: try WebURL(parsing: upstream.url("/token")),
            clientID: .literal("client"))
        plan.clientSecret = .literal("client-secret")
        if grant == .refreshToken { plan.refreshToken = .literal("refresh-0") }
        change(&plan)
        return .oauth2(plan)
    }
}

extension CredentialService {
    /// How a request that is expected to fail does so; nil where it does not.
    func failure(of request: TransferRequest, auth: AuthPlan) async -> CredentialFailure? {
        do throws(CredentialFailure) {
            _ = try await perform(request, auth: auth)
            return nil
        } catch {
            return error
        }
    }
}

/// What a `TokenWorld` answers.
private final class TokenOffice: Sendable {
    struct State {
        var issued = 0
        /// Tokens that the API takes.
        var good: Set<String> = []
        /// The refresh token that the endpoint takes; nil is any.
        var refreshToken: String?
        var rotates = false
        var answers: [UpstreamAnswer] = []
    }

    let state = Locked(State())
    let gate = Locked<UpstreamGate?>(nil)

    func answer(_ request: UpstreamRequest) -> UpstreamAnswer {
        guard request.path == "/token" else {
            let token =
                (request.header("authorization") ?? "").split(separator: " ").last.map { String($0) } ?? ""
            return state.withLock { $0.good.contains(token) }
                ? UpstreamAnswer(text: token) : UpstreamAnswer(status: 401, text: "no: \(token)")
        }
        let answer = grant(String(decoding: request.body, as: UTF8.self))
        return gate.withLock { $0 }.map { answer.sent(.stall(after: 0, until: $0)) } ?? answer
    }

    private func grant(_ form: String) -> UpstreamAnswer {
        state.withLock { state in
            if !state.answers.isEmpty { return state.answers.removeFirst() }
            if let wanted = state.refreshToken, !form.contains("refresh_token=\(wanted)&") {
                return UpstreamAnswer(status: 400, text: #"{"error":"invalid_grant"}"#)
            }
            state.issued += 1
            let token = "access-\(state.issued)"
            state.good.insert(token)
            var text = #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600"#
            if state.rotates {
                state.refreshToken = "refresh-\(state.issued)"
                text += #","refresh_token":"refresh-\#(state.issued)""#
            }
            return UpstreamAnswer(headers: [("Content-Type", "application/json")], text: text + "}")
        }
    }
}
