import RefreshCore

/// How the values of a cursor are read, compared, kept and sent.
package struct CursorScale: Sendable {
    package enum Value: Sendable, Hashable {
        /// - isNaive: without a zone; it is sent as it came.
        case time(Timestamp, isNaive: Bool)
        case number(DecimalNumber)
        case text([UInt8])
    }

    package let kind: IncrementalPlan.ValueKind
    private let zone: Zone
    private let format: TimeFormat?

    package init(_ kind: IncrementalPlan.ValueKind, format: String? = nil, zone: Zone? = nil) {
        self.kind = kind
        self.zone = zone ?? .utc
        self.format = format.flatMap { try? TimeFormat(parsing: $0) }
    }

    /// Nil where the value is none of this kind.
    package func read(_ value: ScalarValue) -> Value? {
        switch kind {
        case .rfc3339: return rfc3339(value)
        case .date:
            guard value.kind == .string else { return nil }
            return CursorScale.day(value.bytes).map { .time(zone.instant(of: $0), isNaive: true) }
                ?? rfc3339(value)
        case .epoch: return time(value, unit: 1_000_000)
        case .epochMilliseconds: return time(value, unit: 1_000)
        case .int:
            guard value.kind == .number || value.kind == .string else { return nil }
            return DecimalNumber(ASCII.trimmed(value.bytes)).map { .number($0) }
        case .text:
            guard value.kind == .number || value.kind == .string, !value.bytes.isEmpty else { return nil }
            return .text(value.bytes)
        case .format:
            guard value.kind == .string else { return nil }
            return format?.read(value.bytes).map { reading in
                let clock = reading.timestamp
                return .time(reading.offset == nil ? zone.instant(of: clock) : clock, isNaive: false)
            }
        }
    }

    /// As the upstream writes its own.
    package func sent(_ value: Value) -> ScalarValue {
        switch value {
        case .number(let number): ScalarValue(kind: .number, bytes: Array(number.text.utf8))
        case .text(let bytes): ScalarValue(kind: .string, bytes: bytes)
        case .time(let time, let isNaive): sent(time, isNaive)
        }
    }

    private func sent(_ time: Timestamp, _ isNaive: Bool) -> ScalarValue {
        switch kind {
        case .epoch: return ScalarValue(Int(time.floored(to: 1_000_000) / 1_000_000))
        case .epochMilliseconds: return ScalarValue(Int(time.milliseconds))
        case .format:
            return ScalarValue(format?.text(of: time, offset: zone.rules.offset(at: time)) ?? time.rfc3339)
        case .date: return ScalarValue(String(local(time).rfc3339.prefix(10)))
        case .rfc3339 where isNaive: return ScalarValue(String(local(time).rfc3339.dropLast()))
        case .rfc3339, .int, .text: return ScalarValue(time.rfc3339)
        }
    }

    /// What is asked for so that nothing is missed behind `value`: so much earlier, and below the value itself where
    /// the upstream leaves that out (semantics U7).
    package func early(_ value: Value, overlap: Duration, isExclusive: Bool) -> Value {
        switch value {
        case .text: return value
        case .number(let number):
            guard isExclusive, let whole = Int64(number.text), whole > .min else { return value }
            return .number(DecimalNumber(Int(whole - 1)))
        case .time(let time, let isNaive):
            var back = overlap
            // An overlap is worth nothing below twice the resolution.
            if kind == .date, overlap > .zero { back = max(back, unit * 2) }
            if isExclusive { back += unit }
            return .time(time - back, isNaive: isNaive)
        }
    }

    /// A moment as a value of this kind; nil of numbers and texts.
    package func value(of time: Timestamp, isNaive: Bool = false) -> Value? {
        kind == .int || kind == .text ? nil : .time(time, isNaive: isNaive)
    }

    /// Values of one scale.
    package func isLess(_ left: Value, than right: Value) -> Bool {
        switch (left, right) {
        case (.time(let left, _), .time(let right, _)): left < right
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }

    /// How fine the kind is.
    private var unit: Duration {
        switch kind {
        case .epochMilliseconds: .milliseconds(1)
        case .date: .seconds(86_400)
        default: .seconds(1)
        }
    }

    // MARK: - Kept

    /// For a checkpoint; `read(kept:)` gives the same value again.
    package func kept(_ value: Value) -> ScalarValue {
        switch value {
        case .time(let time, let isNaive):
            isNaive ? ScalarValue("~\(time.microseconds)") : ScalarValue(Int(time.microseconds))
        case .number, .text: sent(value)
        }
    }

    package func read(kept: ScalarValue) -> Value? {
        switch kind {
        case .int: return DecimalNumber(kept.bytes).map { .number($0) }
        case .text: return .text(kept.bytes)
        default:
            let isNaive = kept.bytes.first == UInt8(ascii: "~")
            let digits = isNaive ? kept.text.dropFirst() : Substring(kept.text)
            return Int64(digits).map { .time(Timestamp(microseconds: $0), isNaive: isNaive) }
        }
    }

    // MARK: - Pieces

    private func local(_ time: Timestamp) -> Timestamp { time + .seconds(zone.rules.offset(at: time)) }

    private func time(_ value: ScalarValue, unit: Double) -> Value? {
        guard value.kind == .number || value.kind == .string,
            DecimalNumber(ASCII.trimmed(value.bytes)) != nil, let number = Double(value.text),
            abs(number) * unit < 0x1p62
        else { return nil }
        return .time(Timestamp(microseconds: Int64((number * unit).rounded())), isNaive: false)
    }

    private func rfc3339(_ value: ScalarValue) -> Value? {
        guard value.kind == .string else { return nil }
        if let time = Timestamp(rfc3339: value.bytes) { return .time(time, isNaive: false) }
        // Without a zone, or with a blank in the place of the T, as databases print it.
        var bytes = value.bytes
        if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = 0x54 }
        if let time = Timestamp(rfc3339: bytes) { return .time(time, isNaive: false) }
        return Timestamp(rfc3339: bytes + [0x5A]).map { .time(zone.instant(of: $0), isNaive: true) }
    }

    private static func day(_ bytes: [UInt8]) -> Timestamp? {
        bytes.count == 10 ? Timestamp(rfc3339: bytes + Array("T00:00:00Z".utf8)) : nil
    }
}

extension Timestamp {
    fileprivate static func - (time: Timestamp, duration: Duration) -> Timestamp { time + (.zero - duration) }

    /// Microseconds, down to the next multiple of `unit`.
    fileprivate func floored(to unit: Int64) -> Int64 {
        let rest = microseconds % unit
        return microseconds - (rest < 0 ? rest + unit : rest)
    }
}

extension Zone {
    /// The instant at which the zone's clock shows what a clock in UTC shows at `clock`: the first of two, and of a
    /// time that is skipped the end of the gap. Both are early, so that nothing is left out.
    fileprivate func instant(of clock: Timestamp) -> Timestamp {
        switch rules.instants(of: clock) {
        case .one(let instant): instant
        case .skipped(let transition): transition
        case .twice(let first, _): first
        }
    }
}
