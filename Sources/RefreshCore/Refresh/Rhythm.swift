/// How strongly a feed's own rhythm lengthens its interval.
package struct Adaptivity: Sendable, Hashable {
    /// The interval is at least the usual gap between changes divided by this …
    package let gapShare: Double
    /// … and the time without a change divided by this.
    package let idleShare: Double

    package init(gapShare: Double, idleShare: Double) {
        self.gapShare = gapShare
        self.idleShare = idleShare
    }

    package static let standard = Adaptivity(gapShare: 4, idleShare: 20)
    /// Half as many requests, for who can wait.
    package static let thrifty = Adaptivity(gapShare: 2, idleShare: 10)
}

/// How often an upstream has something new, learnt from the fetches that brought it (refresh policy 2.2, 1).
package struct Rhythm: Sendable, Equatable {
    /// Fetches that brought something.
    package private(set) var changes: Int
    /// The weighted mean of the time between them, in seconds; 0 while nothing is known.
    package private(set) var gapSeconds: Double
    /// The start of the last one, or of the first look where none brought anything yet.
    package private(set) var changedAt: Timestamp?

    package init(changes: Int = 0, gapSeconds: Double = 0, changedAt: Timestamp? = nil) {
        self.changes = changes
        self.gapSeconds = gapSeconds
        self.changedAt = changedAt
    }

    /// The share that the newest gap has in the mean.
    private static let weight = 0.3

    /// Takes note of a fetch, started at `time`, that brought something; of one that it knows already it takes none.
    mutating func learn(changeAt time: Timestamp) {
        guard changes > 0, let last = changedAt else {
            changes = 1
            changedAt = time
            return
        }
        guard time > last else { return }
        let gap = Double((time - last).inMicroseconds) / 1_000_000
        gapSeconds = gapSeconds == 0 ? gap : gapSeconds * (1 - Rhythm.weight) + gap * Rhythm.weight
        changes += 1
        changedAt = time
    }

    /// The first look: from here on it is known how long nothing came.
    mutating func begin(at time: Timestamp) {
        if changedAt == nil { changedAt = time }
    }

    /// What the published times say, before anything was observed.
    mutating func seed(_ gap: Duration) {
        if gapSeconds == 0, gap > .zero { gapSeconds = Double(gap.inMicroseconds) / 1_000_000 }
    }

    /// A stamp in the future means that the clock went back.
    mutating func clamp(to now: Timestamp) {
        if let time = changedAt, time > now { changedAt = now }
    }

    /// The interval at `now`: never below `every`, never above `longest` (which counts as `every` where it is less).
    package func interval(
        every: Duration, longest: Duration, at now: Timestamp, adaptivity: Adaptivity = .standard
    ) -> Duration {
        guard let changedAt else { return every }
        let idle = max(Double((now - changedAt).inMicroseconds), 0)
        var wanted = idle / adaptivity.idleShare
        if changes >= 2 { wanted = max(wanted, gapSeconds * 1_000_000 / adaptivity.gapShare) }
        // The range of a duration in microseconds is left long before a double's.
        let grown = Duration.microseconds(Int64(min(wanted, 1e17)))
        return min(max(grown, every), max(longest, every))
    }
}
