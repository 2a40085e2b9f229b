import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Sends the requests of one feed with all that its plan names besides URL, head and body: secret headers, trust, proxy,
/// cookies and credentials, read anew for each.
package struct FeedTransport: Sendable {
    /// The feed's after the last answer; nil where it keeps none.
    package private(set) var cookies: CookieJar?
    private let plan: PassPlan
    private let credentials: CredentialService
    private let rules: ErrorRules
    /// What its requests hold at their origin.
    package var turn: (any HeldTurn)?

    /// - Parameters:
    ///   - cookies: what an earlier transport of the feed ended with.
    ///   - turn: what its requests hold at their origin.
    package init(
        _ plan: PassPlan, _ credentials: CredentialService, cookies: CookieJar? = nil,
        turn: (any HeldTurn)? = nil
    ) {
        self.turn = turn
        self.plan = plan
        self.credentials = credentials
        self.cookies = plan.feed.request.cookies == .memory ? cookies ?? CookieJar() : nil
        rules = ErrorRules(plan.details.errors, rates: plan.details.limits.headers)
    }

    /// Hides every secret that was read so far: what is told of a pass goes through it.
    package var mask: SecretMask { credentials.secrets.mask }

    /// The answer, whatever its status. Where the feed's rules call for a login, that was tried.
    package mutating func perform(
        _ request: TransferRequest, now: Timestamp
    ) async throws(CredentialFailure) -> TransferAnswer {
        let request = try completed(request, plan.feed.request, cookies)
        let login = try login(now)
        let (rules, auth) = (rules, plan.details.auth)
        let answer = try await credentials.perform(request, auth: auth, login: login, turn: turn) { answer in
            if case .login = rules.verdict(answer, conditional: false, isReset: false, now: now) {
                true
            } else {
                false
            }
        }
        if let kept = answer.cookies { cookies = kept }
        // An upstream that sends a key in the query back in its new address would have us keep and show it.
        guard let target = answer.permanentTarget?.description, mask.masked(target) != target else {
            return answer
        }
        return answer.withoutPermanentTarget
    }

    /// What the feed's program makes of a body, within the bounds of the feed's requests.
    package static func piped(_ body: PaddedBytes, of feed: Feed) async throws(PipeFailure) -> PaddedBytes {
        var limits = ChildPipe.Limits()
        limits.time = feed.request.limits.total
        limits.output = feed.request.limits.decoded
        return PaddedBytes(try await ChildPipe(feed.records.pipe, limits: limits).run(body))
    }

    // MARK: - Pieces

    private func login(_ now: Timestamp) throws(CredentialFailure) -> TransferRequest? {
        guard case .session(let session) = plan.details.auth else { return nil }
        let builder = RequestBuilder(
            session.login, userAgent: plan.userAgent, accept: "application/json, */*;q=0.1")
        var values = RequestValues(now: now)
        do {
            for source in session.login.secrets {
                values.secrets[source] = try credentials.secrets.text(source)
            }
        } catch {
            throw .secret(error)
        }
        let request: TransferRequest
        do { request = try builder.request(values) } catch { throw .token(error) }
        return try completed(request, session.login, session.login.cookies == .memory ? CookieJar() : nil)
    }

    private func completed(
        _ request: TransferRequest, _ plan: RequestPlan, _ cookies: CookieJar?
    ) throws(CredentialFailure) -> TransferRequest {
        var request = request
        do { try credentials.secrets.complete(&request, from: plan) } catch { throw .secret(error) }
        request.cookies = cookies
        return request
    }
}

extension TransferAnswer {
    fileprivate var withoutPermanentTarget: TransferAnswer {
        var copy = TransferAnswer(
            status: status, headers: headers, body: body, effectiveURL: effectiveURL, hops: hops,
            cookies: cookies, wireBytes: wireBytes, duration: duration)
        copy.lease = lease
        return copy
    }

    /// The same with another body.
    func replacing(body: PaddedBytes) -> TransferAnswer {
        TransferAnswer(
            status: status, headers: headers, body: body, effectiveURL: effectiveURL,
            permanentTarget: permanentTarget, hops: hops, cookies: cookies, wireBytes: wireBytes,
            duration: duration)
    }
}
