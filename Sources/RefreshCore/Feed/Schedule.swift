/// When a feed is fetched (refresh policy 2.2).
package struct Schedule: Sendable, Equatable {
    /// The promise not to ask more often; nil is on demand only.
    package var every: Duration?
    /// The share of the interval that chance may add, 0.1 by default.
    package var jitter: Double
    /// The least time between two attempts, however caused; never above `every`.
    package var minGap: Duration

    package init(every: Duration?, jitter: Double = 0.1, minGap: Duration = .seconds(60)) {
        self.every = every
        self.jitter = jitter
        self.minGap = every.map { min(minGap, $0) } ?? minGap
    }
}
