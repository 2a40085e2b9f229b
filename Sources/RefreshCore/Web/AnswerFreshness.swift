/// How long an upstream's answer counts as fresh by its own words, and what may be shown after that (RFC 9111, 4.2;
/// RFC 5861; semantics F10).
package struct AnswerFreshness: Sendable, Hashable {
    /// What a copy may be used for.
    package enum Use: Sendable, Hashable {
        case fresh
        /// It may be shown while a new one is fetched.
        case whileRevalidating
        /// It may be shown where no new one can be had.
        case onError
        case none
    }

    /// From when it was made; nil where the answer says nothing of it.
    package let lifetime: Duration?
    /// How old it was when it came.
    package let age: Duration
    package let staleWhileRevalidate: Duration
    /// Nil where the answer says nothing of it: what the file says counts.
    package let staleIfError: Duration?
    /// It must not be shown stale, whatever the file says.
    package let mustRevalidate: Bool
    /// It must not be kept for anybody but who asked.
    package let noStore: Bool

    /// Reads the head of an answer.
    ///
    /// - Parameter received: when it came.
    package init(_ headers: HTTPHeaders, received: Timestamp) {
        let directives = CacheDirectives(headers: headers)
        noStore = directives.noStore
        // One host's programs share this cache, so what binds shared caches binds it too.
        mustRevalidate =
            directives.mustRevalidate || directives.sharedMustRevalidate || directives.noCache
        staleWhileRevalidate = directives.staleWhileRevalidate ?? .zero
        staleIfError = directives.staleIfError
        let date = headers.first("date").flatMap { Timestamp(httpDate: Array($0.utf8), now: received) }
        let apparent = date.map { max(received - $0, .zero) } ?? .zero
        age = max(AgeHeader.value(headers), apparent)
        if directives.noStore || directives.noCache {
            lifetime = .zero
        } else if let maxAge = directives.maxAge {
            lifetime = maxAge
        } else if headers.first("expires") != nil {
            guard case .expiring(let time) = HTTPFreshness(headers, now: received) else {
                lifetime = .zero
                return
            }
            lifetime = time
        } else {
            lifetime = nil
        }
    }

    /// How long after it came it is fresh; nil where nothing is said.
    package var freshFor: Duration? { lifetime.map { max($0 - age, .zero) } }

    /// What a copy that came `passed` ago may be used for.
    ///
    /// - Parameter onError: how long after its end the file allows it where the upstream fails; nil is for ever.
    package func use(after passed: Duration, onError: Duration? = nil) -> Use {
        let end = freshFor ?? .zero
        if passed < end { return .fresh }
        if mustRevalidate { return .none }
        if staleWhileRevalidate > .zero, passed < end + staleWhileRevalidate { return .whileRevalidating }
        guard let limit = staleIfError ?? onError else { return .onError }
        return passed < end + limit ? .onError : .none
    }
}
