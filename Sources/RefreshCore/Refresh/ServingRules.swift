/// What an upstream says of showing a copy of its answer once that is stale (RFC 9111, 5.2.2; RFC 5861).
package struct StaleRules: Sendable, Hashable {
    /// How long it may be shown while a new one is fetched; nil where nothing is said.
    package var whileRevalidating: Duration?
    /// How long it may be shown where no new one can be had; nil where nothing is said.
    package var onError: Duration?
    /// It must not be shown stale at all.
    package var mustRevalidate = false

    package init(whileRevalidating: Duration? = nil, onError: Duration? = nil, mustRevalidate: Bool = false) {
        self.whileRevalidating = whileRevalidating
        self.onError = onError
        self.mustRevalidate = mustRevalidate
    }

    /// Reads the head of an answer; nil where it says nothing of this.
    ///
    /// - Parameter received: when it came.
    package init?(_ headers: HTTPHeaders, received: Timestamp) {
        let answer = AnswerFreshness(headers, received: received)
        self.init(
            whileRevalidating: answer.staleWhileRevalidate > .zero ? answer.staleWhileRevalidate : nil,
            onError: answer.staleIfError, mustRevalidate: answer.mustRevalidate)
        if self == StaleRules() { return nil }
    }
}

/// What of a feed's configuration, and of its upstream's words where it follows them, decides how its items are shown
/// (semantics F3–F10).
package struct ServingRules: Sendable, Hashable {
    /// Each item has an age of its own, and is fresh for so long; nil of a feed whose items are as old as their list.
    package var itemFresh: Duration?
    /// How long after they were fresh items are merely stale, and then overdue.
    package var serveStale: Duration = .seconds(3_600)
    /// How long after they were fresh items are shown while refreshes fail; nil is for ever.
    package var staleIfError: Duration?
    /// The upstream wants to be asked before a stale copy is shown.
    package var mustRevalidate = false
    /// How long a reader waits who asks to and does not say.
    package var wait: Duration = .seconds(3)

    package init() {}

    package init(_ plan: FreshnessPlan) {
        itemFresh = plan.scope == .item ? plan.freshFor : nil
        serveStale = plan.serveStale
        staleIfError = plan.staleIfError
        wait = plan.wait
    }

    /// The upstream's own words count only where the file says that it is followed.
    package init(_ plan: FreshnessPlan, _ said: StaleRules?) {
        self.init(plan)
        if plan.upstreamHeaders == .follow, let said { self = following(said) }
    }

    /// The same with what the upstream says in the place of what the file says.
    package func following(_ rules: StaleRules) -> ServingRules {
        var next = self
        if let bound = rules.whileRevalidating { next.serveStale = bound }
        if let bound = rules.onError { next.staleIfError = bound }
        next.mustRevalidate = rules.mustRevalidate
        return next
    }
}
