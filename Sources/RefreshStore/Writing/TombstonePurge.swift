import RefreshCore

/// Which traces of dead items may be forgotten (semantics T2, T8).
struct TombstonePurge {
    /// Traces beyond the bound.
    private var excess: Int
    private let now: Timestamp

    static let age: Duration = .seconds(30 * 86_400)
    static let leastAge: Duration = .seconds(7 * 86_400)
    static let count = 10_000
    /// Purged by one pass at most, so that none takes long.
    static let atOnce = 10_000

    /// - Parameter listed: records of the pass: what retention keeps out needs a trace for as long as it is listed,
    ///   else it would come back as new.
    init(traces: Int, listed: Int, now: Timestamp) {
        excess = traces - max(TombstonePurge.count, listed)
        self.now = now
    }

    enum Verdict: Equatable { case purge, keep, stop }

    /// The verdict on the next trace, the longest dead coming first.
    ///
    /// - Parameter isLogged: whether a client can have seen it go; then it stays for the least age at least.
    mutating func verdict(deadSince: Timestamp, isLogged: Bool, isListed: Bool) -> Verdict {
        let age = now - deadSince
        if age <= TombstonePurge.age, excess <= 0 { return .stop }
        if isListed { return .keep }
        let isDue = age > TombstonePurge.age || !isLogged || age > TombstonePurge.leastAge
        guard isDue else { return .keep }
        excess -= 1
        return .purge
    }
}
