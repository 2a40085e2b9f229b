/// Walks over the words and numbers of a date that people or old programs wrote.
struct DateReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { place == bytes.count }

    /// The next byte, or nil at the end.
    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    var isAtDigit: Bool { next.map(ASCII.isDigit) ?? false }

    /// Takes `byte` where it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Takes spaces and any of `others`; tells whether there were some.
    @discardableResult mutating func skip(spacesAnd others: [UInt8] = []) -> Bool {
        let start = place
        while let byte = next, ASCII.isSpace(byte) || others.contains(byte) { place += 1 }
        return place > start
    }

    /// A run of letters in lower case, empty where none is next.
    mutating func word() -> ArraySlice<UInt8> {
        let start = place
        while let byte = next, (0x61...0x7A).contains(byte | 0x20) { place += 1 }
        return ArraySlice(bytes[start..<place].map(ASCII.lowercased))
    }

    /// A run of digits with the count that it had; nil where the count is not among `lengths`.
    mutating func number(_ lengths: ClosedRange<Int>) -> (value: Int, length: Int)? {
        let start = place
        var value = 0
        while let byte = next, ASCII.isDigit(byte) {
            guard place - start < lengths.upperBound else { return nil }
            value = value * 10 + Int(byte - 0x30)
            place += 1
        }
        return place - start >= lengths.lowerBound ? (value, place - start) : nil
    }

    /// The number of the next digits, at most so many; nil where none is next.
    mutating func prefix(_ digits: Int) -> Int? {
        let start = place
        var value = 0
        while let byte = next, ASCII.isDigit(byte), place - start < digits {
            value = value * 10 + Int(byte - 0x30)
            place += 1
        }
        return place > start ? value : nil
    }

    /// A whole number with a sign before it where it is negative, as far as 18 digits go.
    mutating func signedNumber() -> Int64? {
        let isNegative = take(0x2D)
        guard let value = prefix(18), !isAtDigit else { return nil }
        return Int64(isNegative ? -value : value)
    }

    /// Microseconds of the digits of a fraction; nil where none is next.
    mutating func fractionDigits() -> Int? {
        guard isAtDigit else { return nil }
        var microseconds = 0
        var unit = 100_000
        while let byte = next, ASCII.isDigit(byte) {
            microseconds += Int(byte - 0x30) * unit
            unit /= 10
            place += 1
        }
        return microseconds
    }

    /// Microseconds behind a point or comma; 0 where no fraction is next, nil where it has no digit.
    mutating func fraction() -> Int? {
        guard take(0x2E) || take(0x2C) else { return 0 }
        return fractionDigits()
    }

    /// Seconds ahead of UTC: a sign with `hhmm`, `hh:mm`, `hmm`, `h:mm` or `hh`.
    mutating func numericOffset() -> Int? {
        let isAhead = next == 0x2B
        guard take(0x2B) || take(0x2D), let first = number(1...4) else { return nil }
        var (hours, minutes) = first.length > 2 ? (first.value / 100, first.value % 100) : (first.value, 0)
        if first.length <= 2, take(0x3A) {
            guard let second = number(2...2) else { return nil }
            minutes = second.value
        }
        guard hours <= 23, minutes <= 59 else { return nil }
        hours = hours * 3_600 + minutes * 60
        return isAhead ? hours : -hours
    }

    /// Seconds ahead of UTC: `Z`, or an offset in digits.
    mutating func zuluOrOffset() -> Int? {
        if take(0x5A) || take(0x7A) { return 0 }
        return numericOffset()
    }

    /// `hh:mm` with seconds and a fraction where they are written.
    mutating func clock() -> (hour: Int, minute: Int, second: Int, microsecond: Int)? {
        guard let hour = number(1...2), take(0x3A), let minute = number(2...2) else { return nil }
        guard take(0x3A) else { return (hour.value, minute.value, 0, 0) }
        guard let second = number(1...2), let microsecond = fraction() else { return nil }
        return (hour.value, minute.value, second.value, microsecond)
    }
}
