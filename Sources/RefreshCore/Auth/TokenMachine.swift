/// The life of one credential's token, shared by all feeds that use it: one request for a token at a time, a rotated
/// refresh token stored before anything is done with what came with it, and a pause after failures.
package struct TokenMachine: Sendable {
    /// Somebody who waits for a token; the caller's numbering.
    package typealias Waiter = UInt64

    package enum Effect: Sendable, Equatable {
        /// Look up the stored refresh token; then call `loaded`.
        case load
        /// Ask the endpoint, with this refresh token, or with the file's own where it is nil; then call `granted` or
        /// `failed`.
        case fetch(refreshToken: String?)
        /// Store this refresh token and wait until it is on the disk; then call `saved` or `unsaved`.
        case save(refreshToken: String)
        /// Call `woke` then.
        case wake(at: BootTime)
        case answer([Waiter], Outcome)
    }

    package enum Outcome: Sendable, Equatable {
        /// - Parameter isFresh: whether it was fetched for those who wait, so that a refusal cannot be a matter of age.
        case token(AccessToken, isFresh: Bool)
        case failure(RefreshFailure)
    }

    private enum Phase: Equatable {
        case idle
        case loading
        case fetching(since: BootTime, attempt: Int)
        case pausing(until: BootTime, attempt: Int)
        /// The token must not be used before its refresh token is on the disk.
        case saving(AccessToken, refreshToken: String)
        /// It could not be stored, and is tried again with the next wish.
        case unsaved(AccessToken, refreshToken: String)
    }

    private struct Hold {
        let failure: RefreshFailure
        let until: BootTime
        let count: Int
    }

    private let early: Duration
    private let retry: RetryPlan
    private let storesTokens: Bool
    private var phase = Phase.idle
    private var isLoaded: Bool
    private var token: AccessToken?
    private var refreshToken: String?
    private var waiting: [Waiter] = []
    private var hold: Hold?

    /// - Parameters:
    ///   - early: how long before its end a token is renewed, at most half its life.
    ///   - storesTokens: whether refresh tokens come from and go to a store.
    package init(early: Duration = .zero, retry: RetryPlan = RetryPlan(), storesTokens: Bool = false) {
        self.early = early
        self.retry = retry
        self.storesTokens = storesTokens
        isLoaded = !storesTokens
    }

    /// Whether nobody would notice if it were forgotten, but for a token that has to be fetched again.
    package var isIdle: Bool { phase == .idle && waiting.isEmpty }

    /// Whether a wish would be answered with a token at once.
    package func hasToken(at now: BootTime) -> Bool { phase == .idle && token?.isUsable(at: now) == true }

    // MARK: - Wishes

    /// Somebody needs a token.
    package mutating func want(_ waiter: Waiter, at now: BootTime) -> [Effect] {
        if phase == .idle, let token, token.isUsable(at: now) {
            return [.answer([waiter], .token(token, isFresh: false))]
        }
        if phase == .idle, let hold, now < hold.until {
            return [.answer([waiter], .failure(hold.failure.waiting(hold.until - now)))]
        }
        waiting.append(waiter)
        switch phase {
        case .idle where !isLoaded:
            phase = .loading
            return [.load]
        case .idle: return fetch(attempt: 1, at: now)
        case .unsaved(let token, let refreshToken):
            phase = .saving(token, refreshToken: refreshToken)
            return [.save(refreshToken: refreshToken)]
        case .loading, .fetching, .pausing, .saving: return []
        }
    }

    /// Somebody waits no longer; what is under way goes on, since its result is the credential's.
    package mutating func forget(_ waiter: Waiter) { waiting.removeAll { $0 == waiter } }

    /// The upstream refused this token: it is not given out again.
    package mutating func refused(_ value: String) {
        if token?.value == value { token = nil }
    }

    /// The operator has changed what the endpoint is asked with: failures of before say nothing.
    package mutating func renewed() { hold = nil }

    // MARK: - Results

    /// - Parameter stored: the refresh token that was stored last; nil where there is none.
    package mutating func loaded(_ stored: String?, at now: BootTime) -> [Effect] {
        guard phase == .loading else { return [] }
        isLoaded = true
        refreshToken = stored
        return fetch(attempt: 1, at: now)
    }

    /// The store cannot be read: to use the file's first token again could lose the one that it holds.
    package mutating func unloaded(_ failure: RefreshFailure) -> [Effect] {
        guard phase == .loading else { return [] }
        phase = .idle
        return answerAll(.failure(failure))
    }

    package mutating func granted(_ grant: TokenGrant, at now: BootTime) -> [Effect] {
        guard case .fetching(let since, _) = phase else { return [] }
        hold = nil
        let token = AccessToken(
            value: grant.value, scheme: grant.scheme, expires: grant.lifetime.map { since + usable($0) })
        guard let renewed = grant.refreshToken, renewed != refreshToken, storesTokens else {
            return use(token)
        }
        phase = .saving(token, refreshToken: renewed)
        return [.save(refreshToken: renewed)]
    }

    package mutating func saved() -> [Effect] {
        guard case .saving(let token, let refreshToken) = phase else { return [] }
        self.refreshToken = refreshToken
        return use(token)
    }

    package mutating func unsaved(_ failure: RefreshFailure) -> [Effect] {
        guard case .saving(let token, let refreshToken) = phase else { return [] }
        phase = .unsaved(token, refreshToken: refreshToken)
        return answerAll(.failure(failure))
    }

    /// The endpoint gave no token.
    ///
    /// - Parameter chance: in [0, 1), for the jitter of the next try.
    package mutating func failed(_ failure: RefreshFailure, chance: Double, at now: BootTime) -> [Effect] {
        guard case .fetching(_, let attempt) = phase else { return [] }
        if failure.class == .transient && failure.retryAfter == nil && attempt < retry.tries
            && !waiting.isEmpty
        {
            let until = now + pause(before: attempt + 1, chance: chance)
            phase = .pausing(until: until, attempt: attempt + 1)
            return [.wake(at: until)]
        }
        phase = .idle
        let count = (hold?.count ?? 0) + 1
        let hold = Hold(
            failure: failure, until: now + TokenMachine.delay(after: failure, count: count), count: count)
        self.hold = hold
        return answerAll(.failure(failure.waiting(hold.until - now)))
    }

    package mutating func woke(at now: BootTime) -> [Effect] {
        guard case .pausing(let until, let attempt) = phase, now >= until else { return [] }
        guard !waiting.isEmpty else {
            phase = .idle
            return []
        }
        return fetch(attempt: attempt, at: now)
    }

    // MARK: - Pieces

    private mutating func fetch(attempt: Int, at now: BootTime) -> [Effect] {
        token = nil
        phase = .fetching(since: now, attempt: attempt)
        return [.fetch(refreshToken: refreshToken)]
    }

    private mutating func use(_ token: AccessToken) -> [Effect] {
        phase = .idle
        self.token = token
        return answerAll(.token(token, isFresh: true))
    }

    private mutating func answerAll(_ outcome: Outcome) -> [Effect] {
        defer { waiting = [] }
        return waiting.isEmpty ? [] : [.answer(waiting, outcome)]
    }

    private func usable(_ lifetime: Duration) -> Duration { lifetime - min(early, lifetime / 2) }

    private func pause(before attempt: Int, chance: Double) -> Duration {
        var pause = retry.first
        for _ in 2..<max(attempt, 2) where pause < retry.longest { pause = pause * retry.factor }
        pause = min(pause, retry.longest)
        return retry.jitter == .full ? pause * chance : pause
    }

    /// How long the endpoint is left alone: many feeds may share this credential, each with a backoff of its own.
    private static func delay(after failure: RefreshFailure, count: Int) -> Duration {
        let doublings = min(max(count - 1, 0), 10)
        switch failure.class {
        case .rate:
            return min(max(failure.retryAfter ?? .seconds(60 << doublings), .seconds(1)), RetryAfter.longest)
        case .transient, .offline:
            return max(failure.retryAfter ?? .zero, min(.seconds(1 << doublings), .seconds(300)))
        case .config, .auth, .upstream, .data, .loop, .internal:
            return min(.seconds(30 << doublings), .seconds(3_600))
        }
    }
}

extension RefreshFailure {
    /// The same, where it asks for patience anyway, with what is left of it.
    fileprivate func waiting(_ left: Duration) -> RefreshFailure {
        guard `class` == .rate else { return self }
        return RefreshFailure(`class`, code: code, detail: detail, status: status, retryAfter: left)
    }
}
