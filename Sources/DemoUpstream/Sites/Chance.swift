import RefreshCore

/// Numbers that look like chance and are the same at every call: what happens at a moment depends on nothing
/// but the moment, so that a restart shows the same world.
struct Chance: Sendable {
    let seed: UInt64

    /// A number in `range` for the `step`-th event of `subject`.
    func number(_ subject: Int, _ step: Int64, in range: ClosedRange<Int>) -> Int {
        var source = Randomness(seed: seed)
        let mixed = source.next() ^ UInt64(truncatingIfNeeded: subject) &* 0x9E37_79B9_7F4A_7C15
        source = Randomness(seed: mixed ^ UInt64(bitPattern: step))
        return Int.random(in: range, using: &source)
    }
}

extension Int64 {
    /// Division that rounds towards the past, so that the years before 1970 behave as those after.
    func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
