import RefreshCore

/// Performs requests with the credentials that their plans ask for: reads secrets, keeps tokens, and logs in again
/// where the upstream refuses a token that may have aged.
package final class CredentialService: Sendable {
    private let transfer: TransferService
    package let secrets: Secrets
    private let endpoint: TokenEndpoint
    private let keeper: TokenKeeper
    private let turns: TurnsOfExchanges

    /// - Parameter random: for the jitter of repeated token requests.
    package init(
        transfer: TransferService, secrets: Secrets, reader: any TokenReader, store: any TokenStore,
        time: any TimeSource, random: Randomness = Randomness()
    ) {
        self.transfer = transfer
        self.secrets = secrets
        turns = TurnsOfExchanges()
        endpoint = TokenEndpoint(
            transfer: transfer, secrets: secrets, reader: reader, time: time, turns: turns)
        keeper = TokenKeeper(store: store, time: time, random: random)
    }

    /// The answer to `request`, whatever its status.
    ///
    /// - Parameters:
    ///   - request: with everything but what `auth` adds. Its limits, trust, proxy and leave hold for token requests
    ///     too; its headers, cookies, certificate and socket do not.
    ///   - login: the login request of a session.
    ///   - turn: what the caller holds at the request's origin; it is given back while a token is fetched.
    ///   - isRefused: whether an answer means that the token is not good any more; then a token that was not fetched
    ///     for this very request is thrown away, and the request repeated once with a new one.
    package func perform(
        _ request: TransferRequest, auth: AuthPlan, login: TransferRequest? = nil,
        turn: (any HeldTurn)? = nil,
        isRefused: @Sendable (TransferAnswer) -> Bool = { $0.status == 401 }
    ) async throws(CredentialFailure) -> TransferAnswer {
        switch auth {
        case .none: return try await send(request, Credentials())
        case .basic(let user, let password):
            let (user, password) = (try text(user), try text(password))
            secrets.hide(Base64.encode(Array("\(user):\(password)".utf8)))
            return try await send(request, .basic(user: user, password: password))
        case .digest(let user, let password):
            return try await send(request, .digest(user: try text(user), password: try text(password)))
        case .bearer(let token):
            return try await send(request, .header("Authorization", "Bearer \(try text(token))"))
        case .apiKey(let plan):
            return try await send(request, Credentials(plan.place, plan.prefix + (try text(plan.value))))
        case .oauth2(let plan):
            let credential = try endpoint.credential(plan, for: request)
            return try await perform(request, with: credential, turn, isRefused: isRefused) { token in
                .header("Authorization", "\(token.scheme) \(token.value)")
            }
        case .session(let plan):
            guard let login else { throw .noLogin }
            let credential = endpoint.credential(plan, login: login)
            return try await perform(request, with: credential, turn, isRefused: isRefused) { token in
                Credentials(plan.send, plan.prefix + token.value)
            }
        }
    }

    /// From now on every exchange of tokens waits for a turn of `turns`, which is not kept alive by this.
    package func use(_ turns: any ExchangeTurns) { self.turns.set(turns) }

    /// Forgets every open connection and every name looked up; see `TransferService.dropConnections`.
    package func dropConnections() { transfer.dropConnections() }

    /// A new bound of the bytes that answers hold together; see `TransferService.limitBuffers`.
    package func limitBuffers(_ limit: ByteCount) { transfer.limitBuffers(limit) }

    /// Returns when every exchange of tokens under way has ended and is stored; to be called before the transfer
    /// service is stopped.
    package func close() async { await keeper.close() }

    // MARK: - Pieces

    private func perform(
        _ request: TransferRequest, with credential: TokenKeeper.Credential, _ turn: (any HeldTurn)?,
        isRefused: @Sendable (TransferAnswer) -> Bool, place: @Sendable (AccessToken) -> Credentials
    ) async throws(CredentialFailure) -> TransferAnswer {
        let (first, isFresh) = try await token(of: credential, turn)
        let answer = try await send(request, place(first))
        guard isRefused(answer) else { return answer }
        await keeper.refused(first, of: credential.id)
        guard !isFresh else { return answer }
        let (second, _) = try await token(of: credential, turn)
        let again = try await send(request, place(second))
        if isRefused(again) { await keeper.refused(second, of: credential.id) }
        return again
    }

    private func token(
        of credential: TokenKeeper.Credential, _ turn: (any HeldTurn)?
    ) async throws(CredentialFailure) -> (AccessToken, isFresh: Bool) {
        var lent = turn
        if lent != nil, await keeper.hasToken(of: credential) { lent = nil }
        await lent?.giveBack()
        switch await keeper.token(of: credential) {
        case .failure(let failure): throw .token(secrets.mask.masked(failure))
        case .token(let token, let isFresh):
            if let lent, await !lent.takeAgain() { throw .transfer(.stopped) }
            return (token, isFresh)
        }
    }

    private func send(
        _ request: TransferRequest, _ credentials: Credentials
    ) async throws(CredentialFailure) -> TransferAnswer {
        var request = request
        request.credentials.add(credentials)
        do { return try await transfer.perform(request) } catch { throw .transfer(error) }
    }

    private func text(_ source: SecretSource) throws(CredentialFailure) -> String {
        do { return try secrets.text(source) } catch { throw .secret(error) }
    }
}

/// Who gives turns to exchanges; known only once everything else is made, and gone before it.
final class TurnsOfExchanges: Sendable {
    private struct Giver {
        weak var turns: (any ExchangeTurns)?
    }

    private let giver = Locked(Giver())

    func set(_ turns: any ExchangeTurns) { giver.withLock { $0.turns = turns } }
    var current: (any ExchangeTurns)? { giver.withLock(\.turns) }
}
