import RefreshCore

/// Asks token endpoints and logs in: one exchange each, over the network.
struct TokenEndpoint: Sendable {
    /// No token is longer.
    private static let limit = ByteCount.mebibytes(1)

    let transfer: TransferService
    let secrets: Secrets
    let reader: any TokenReader
    let time: any TimeSource
    let turns: TurnsOfExchanges

    // MARK: - Credentials

    /// Identity and secrets are read here, at each use, so that what is shared follows what the operator changes.
    func credential(
        _ plan: OAuth2Plan, for request: TransferRequest
    ) throws(CredentialFailure) -> TokenKeeper.Credential {
        let clientID = try text(plan.clientID)
        let clientSecret = try plan.clientSecret.map(text)
        let refreshToken = try plan.refreshToken.map(text)
        let extra = plan.extra.compactMap { field in
            field.value.literal.map { TokenRequest.Field(field.name, $0) }
        }
        var parts = [plan.grant.rawValue, plan.tokenURL.description, clientID, refreshToken ?? ""]
        parts += plan.scopes + ["", plan.audience ?? ""] + extra.flatMap { [$0.name, $0.value] }
        let base = endpointRequest(plan.tokenURL, like: request)
        return TokenKeeper.Credential(
            id: CredentialID(of: parts), fingerprint: FNV.hash64((clientSecret ?? "").utf8),
            early: plan.early, storesTokens: plan.grant == .refreshToken
        ) { stored in
            let form = TokenRequest(
                plan, clientID: clientID, clientSecret: clientSecret, refreshToken: stored ?? refreshToken,
                extra: extra)
            return await grant(base, form)
        }
    }

    func credential(_ plan: SessionPlan, login: TransferRequest) -> TokenKeeper.Credential {
        let fields =
            login.headers.fields.flatMap { [$0.name, $0.value] }
            + login.credentials.headers.flatMap { [$0.name, $0.value] }
        let body = String(FNV.hash64(login.body ?? []), radix: 16)
        let parts = ["session", login.method, login.url.description, "\(plan.token)", body] + fields
        return TokenKeeper.Credential(
            id: CredentialID(of: parts), fingerprint: 0, early: .zero, storesTokens: false
        ) { _ in
            await session(plan, login)
        }
    }

    private func text(_ source: SecretSource) throws(CredentialFailure) -> String {
        do { return try secrets.text(source) } catch { throw .secret(error) }
    }

    // MARK: - OAuth 2.0

    private func endpointRequest(_ url: WebURL, like feed: TransferRequest) -> TransferRequest {
        var limits = feed.limits
        limits.wire = min(limits.wire, TokenEndpoint.limit)
        limits.decoded = min(limits.decoded, TokenEndpoint.limit)
        var request = TransferRequest(
            url: url, headers: HTTPHeaders([("Accept", "application/json")]), limits: limits,
            allowPrivate: feed.allowPrivate, userAgent: feed.userAgent, method: "POST")
        request.tls = feed.tls
        if url.origin != feed.home { (request.tls.certificate, request.tls.key) = (nil, nil) }
        request.proxy = feed.proxy
        // A refresh token may be good for one use.
        request.isOnce = true
        return request
    }

    private func grant(
        _ base: TransferRequest, _ form: TokenRequest
    ) async -> Result<TokenGrant, RefreshFailure> {
        var request = base
        request.headers.append("Content-Type", "application/x-www-form-urlencoded")
        request.body = form.body
        if let authorization = form.authorization {
            request.credentials = .header("Authorization", authorization)
        }
        return await exchange(request) { answer in
            let read = TokenAnswer.read(status: answer.status, retryAfter: retryAfter(answer)) { name in
                reader.member(name, in: answer.body)
            }
            if case .success(let grant) = read {
                secrets.hide(grant.value)
                if let refreshToken = grant.refreshToken { secrets.hide(refreshToken) }
            }
            return read
        }
    }

    /// Asks when it is the origin's turn, and tells what came of it.
    private func exchange(
        _ request: TransferRequest, _ read: (TransferAnswer) -> Result<TokenGrant, RefreshFailure>
    ) async -> Result<TokenGrant, RefreshFailure> {
        guard let turns = turns.current else { return await send(request, read).result }
        switch await turns.beginExchange(at: request.url.origin) {
        case .none: return .failure(TransferFailure.stopped.failure)
        case .held(let wait):
            return .failure(
                RefreshFailure(
                    .rate, code: "origin-held",
                    detail: "\(request.url.origin) gives no token now: it asked for a pause", retryAfter: wait
                ))
        case .turn(let turn):
            let (result, status, bytes) = await send(request, read)
            var failure: RefreshFailure?
            if case .failure(let reason) = result { failure = reason }
            await turns.endExchange(
                turn, ExchangeReport(status: status, bytes: bytes, failure: failure))
            return result
        }
    }

    private func send(
        _ request: TransferRequest, _ read: (TransferAnswer) -> Result<TokenGrant, RefreshFailure>
    ) async -> (result: Result<TokenGrant, RefreshFailure>, status: Int?, bytes: Int) {
        do {
            let answer = try await transfer.perform(request)
            return (read(answer), answer.status, answer.wireBytes)
        } catch {
            return (.failure(error.failure), nil, 0)
        }
    }

    private func retryAfter(_ answer: TransferAnswer) -> Duration? {
        answer.headers.first("retry-after").flatMap { RetryAfter.parse($0, now: time.now().wall) }
    }

    // MARK: - Sessions

    private func session(
        _ plan: SessionPlan, _ login: TransferRequest
    ) async -> Result<TokenGrant, RefreshFailure> {
        var request = login
        switch plan.token {
        case .body: break
        case .header: request.endsAtRedirect = true
        case .cookie:
            request.endsAtRedirect = true
            request.cookies = request.cookies ?? CookieJar()
        }
        request.isOnce = true
        return await exchange(request) { answer in
            if let failure = refusal(answer) { return .failure(failure) }
            guard let token = token(plan.token, in: answer, from: login.url.origin), !token.isEmpty else {
                return .failure(
                    RefreshFailure(
                        .data, code: "login-token-missing", detail: "the login was answered without a token",
                        status: answer.status))
            }
            secrets.hide(token)
            return .success(TokenGrant(value: token, lifetime: plan.ttl))
        }
    }

    private func refusal(_ answer: TransferAnswer) -> RefreshFailure? {
        let status = answer.status
        let wait = retryAfter(answer)
        // A redirect may be the answer to a login, and hold its cookie.
        if (200..<400).contains(status) { return nil }
        let kind: RefreshFailure.Class =
            switch status {
            case 429: .rate
            case 403 where wait != nil, 503 where wait != nil: .rate
            case 408, 425, 500...: .transient
            case 404, 405, 410: .upstream
            default: .auth
            }
        return RefreshFailure(
            kind, code: "login-http-\(status)", detail: "the login was refused (status \(status))",
            status: status, retryAfter: kind == .rate ? wait : nil)
    }

    private func token(
        _ place: SessionPlan.TokenPlace, in answer: TransferAnswer, from origin: Origin
    ) -> String? {
        switch place {
        case .body(let path): reader.text(at: path, in: answer.body)
        case .header(let name): answer.headers.first(name)
        case .cookie(let name): answer.cookies?.value(of: name, from: origin)
        }
    }
}
