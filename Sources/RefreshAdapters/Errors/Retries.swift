import RefreshCore

/// Counts how often one request is repeated, and how long to wait before the next time.
struct Retries: Sendable {
    private let plan: RetryPlan
    private var tries = 1

    init(_ plan: RetryPlan) { self.plan = plan }

    /// The pause before the request is made again; nil where it has been made often enough.
    ///
    /// - Parameter chance: in [0, 1).
    mutating func next(chance: Double, atLeast asked: Duration?) -> Duration? {
        guard tries < plan.tries else { return nil }
        var delay = plan.first
        for _ in 1..<tries where delay < plan.longest { delay = delay * plan.factor }
        delay = min(delay, plan.longest)
        if plan.jitter == .full { delay = delay * chance }
        tries += 1
        return max(delay, asked ?? .zero)
    }

    /// The next request is another one.
    mutating func reset() { tries = 1 }
}
