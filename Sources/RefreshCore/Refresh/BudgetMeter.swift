/// How much of a rate limit is used up: a bucket that fills evenly, set right by what the upstream says of it.
package struct BudgetMeter: Sendable {
    private let rate: Rate?
    private let capacity: Double
    private let concurrent: Int?
    private let reserve: Double
    private var tokens: Double
    private var filledAt: BootTime
    private var running = 0
    /// What the upstream said is left, less what was started since; nil where it says nothing.
    private var remaining: Int?
    /// What it keeps for wishes of a window of its own.
    private var told = 0
    private var resetAt: BootTime?

    /// - Parameters:
    ///   - burst: how many may start at once after a rest; nil is the whole rate.
    ///   - reserve: the share that is kept for wishes.
    package init(rate: Rate?, burst: Int? = nil, concurrent: Int? = nil, reserve: Double, at now: BootTime) {
        self.rate = rate
        self.concurrent = concurrent
        self.reserve = reserve
        capacity = Double(max(burst ?? rate?.count ?? 1, 1))
        tokens = capacity
        filledAt = now
    }

    /// Whether a request may start: nil now, zero when another one ends, otherwise after so long.
    package func wait(urgent: Bool, at now: BootTime) -> Duration? {
        if let concurrent, running >= concurrent { return .zero }
        var wait: Duration?
        if let rate {
            let missing = 1 + (urgent ? 0 : kept(of: capacity)) - filled(at: now)
            if missing > 0 { wait = rate.per * (missing / Double(rate.count)) + .microseconds(1) }
        }
        if let remaining, let resetAt, now < resetAt {
            let least = urgent ? 0 : Int(kept(of: Double(told)))
            if remaining <= least { wait = max(wait ?? .zero, resetAt - now) }
        }
        return wait
    }

    package mutating func started(at now: BootTime) {
        tokens = filled(at: now) - 1
        filledAt = now
        running += 1
        remaining = remaining.map { max($0 - 1, 0) }
    }

    package mutating func ended() { running = max(running - 1, 0) }

    /// An answer told what is left.
    package mutating func read(_ reading: RateReading, at now: BootTime) {
        guard let left = reading.remaining else { return }
        // Requests under way are not in the upstream's count yet.
        remaining = max(left - running, 0)
        told = max(reading.limit ?? 0, left)
        resetAt = reading.reset.map { now + $0 } ?? resetAt
    }

    private func filled(at now: BootTime) -> Double {
        guard let rate, rate.per > .zero else { return tokens }
        return min(capacity, tokens + (now - filledAt) / rate.per * Double(rate.count))
    }

    /// A whole number below the capacity: of very few nothing can be kept.
    private func kept(of whole: Double) -> Double { min((whole * reserve).rounded(.down), whole - 1) }
}

/// How many upstream requests one user's programs may still cause (refresh policy 2.4).
package struct Quota: Sendable {
    private let rate: Rate
    private var meters: [UInt32: BudgetMeter] = [:]

    package init(rate: Rate) { self.rate = rate }

    /// Users who are remembered at a time; those beyond start anew, which only an administrator can bring about.
    private static let most = 1_024

    /// Counts a request of `user`; the wait where there is none left for now.
    package mutating func take(_ user: UInt32, at now: BootTime) -> Duration? {
        if meters.count >= Quota.most, meters[user] == nil { meters.removeAll() }
        var meter = meters[user] ?? BudgetMeter(rate: rate, reserve: 0, at: now)
        if let wait = meter.wait(urgent: true, at: now) { return wait }
        meter.started(at: now)
        meters[user] = meter
        return nil
    }
}
