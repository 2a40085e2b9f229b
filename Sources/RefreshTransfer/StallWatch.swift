/// Tells an answer that has come to a halt from one that is only slow: too few bytes for a whole window.
///
/// libcurl's own low-speed limit counts in whole seconds and from the first look-up on.
struct StallWatch: Sendable, Equatable {
    private static let quarters = 4

    /// When to look again.
    private(set) var next: SuspendingClock.Instant
    private let quarter: Duration
    /// Fewer bytes than this in a window are a stall.
    private let floor: Int
    /// Bytes of the quarters that have passed, the latest last.
    private var passed: [Int] = []
    private var current = 0

    init(window: Duration, rate: Int, at now: SuspendingClock.Instant) {
        quarter = max(window / StallWatch.quarters, .milliseconds(1))
        floor = max(1, Int(Double(rate) * (window / .seconds(1))))
        next = now.advanced(by: quarter)
    }

    mutating func received(_ bytes: Int) { current += bytes }

    /// Whether the last window brought too little; to be asked at `next` or later.
    mutating func isStalled(at now: SuspendingClock.Instant) -> Bool {
        guard now >= next else { return false }
        passed.append(current)
        current = 0
        // However late the question comes, a quarter counts once: a thread that was held up saw no bytes either.
        next = now.advanced(by: quarter)
        guard passed.count >= StallWatch.quarters else { return false }
        let total = passed.reduce(0, +)
        passed.removeFirst()
        return total < floor
    }
}
