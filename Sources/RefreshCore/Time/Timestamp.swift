/// A point of wall-clock time: microseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }
    package init(milliseconds: Int64) { microseconds = milliseconds.multipliedClamping(by: 1_000) }
    package init(seconds: Int64) { microseconds = seconds.multipliedClamping(by: 1_000_000) }

    /// Whole milliseconds, rounded towards the past.
    package var milliseconds: Int64 {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? whole - 1 : whole
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// A sum beyond the type's range is its end.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = time.microseconds.addingReportingOverflow(duration.inMicroseconds)
        return Timestamp(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        let (difference, overflow) = later.microseconds.subtractingReportingOverflow(earlier.microseconds)
        return .microseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }
}

extension Int64 {
    package func multipliedClamping(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}

extension Duration {
    /// Whole microseconds, clamped to the range of the type.
    package var inMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedClamping(by: 1_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded towards zero.
    package var inMilliseconds: Int64 { inMicroseconds / 1_000 }
}
