/// A number as JSON writes it, exact whatever its size: 0.digits × 10^exponent.
///
/// Numbers of one value are equal whatever their spelling: `1`, `1.0`, `10e-1`; minus zero is zero.
package struct DecimalNumber: Hashable, Comparable, Sendable {
    package let isNegative: Bool
    /// Values 0 to 9, without zeros at either end; none is zero.
    package let digits: [UInt8]
    /// Of zero 0.
    package let exponent: Int

    /// Exponents are cut to ±10^15: beyond it numbers keep their sign and sort as neighbours.
    private static let farthest = 1_000_000_000_000_000

    /// Zero.
    package static let zero = DecimalNumber(isNegative: false, digits: [], exponent: 0)

    private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = exponent
    }

    package init(_ number: Int) {
        guard let read = DecimalNumber(String(number).utf8) else {
            self = .zero
            return
        }
        self = read
    }

    /// Reads a number of RFC 8259, section 6; leading zeros pass. Nil for anything else.
    package init?(_ text: some Collection<UInt8>) {
        guard let read = text.withSpan(DecimalNumber.read) else { return nil }
        self = read
    }

    private static func read(_ text: Span<UInt8>) -> DecimalNumber? {
        var place = 0
        let isNegative = text.count > 0 && text[0] == 0x2D
        if isNegative { place = 1 }
        var digits: [UInt8] = []
        // Digits before the point, leading zeros not counted.
        var exponent = 0
        let whole = place
        take(text, &place, &digits) {
            exponent += 1
        } zero: {
        }
        guard place > whole else { return nil }
        if place < text.count, text[place] == 0x2E {
            place += 1
            let fraction = place
            take(text, &place, &digits) {
            } zero: {
                exponent -= 1
            }
            guard place > fraction else { return nil }
        }
        if place < text.count, text[place] | 0x20 == 0x65 {
            place += 1
            guard let power = power(text, &place) else { return nil }
            exponent += power
        }
        guard place == text.count else { return nil }
        while digits.last == 0 { digits.removeLast() }
        guard !digits.isEmpty else { return .zero }
        return DecimalNumber(
            isNegative: isNegative, digits: digits, exponent: min(max(exponent, -farthest), farthest))
    }

    /// Takes digits; calls `digit` for each behind the first that is not zero, and `zero` for each zero before it.
    private static func take(
        _ text: Span<UInt8>, _ place: inout Int, _ digits: inout [UInt8], digit: () -> Void,
        zero: () -> Void
    ) {
        while place < text.count, ASCII.isDigit(text[place]) {
            let value = text[place] - 0x30
            place += 1
            if digits.isEmpty && value == 0 {
                zero()
            } else {
                digits.append(value)
                digit()
            }
        }
    }

    private static func power(_ text: Span<UInt8>, _ place: inout Int) -> Int? {
        var isNegative = false
        if place < text.count, text[place] == 0x2B || text[place] == 0x2D {
            isNegative = text[place] == 0x2D
            place += 1
        }
        let start = place
        var power = 0
        while place < text.count, ASCII.isDigit(text[place]) {
            power = min(power * 10 + Int(text[place] - 0x30), farthest)
            place += 1
        }
        guard place > start else { return nil }
        return isNegative ? -power : power
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        let signs = (left.sign, right.sign)
        guard signs.0 == signs.1 else { return signs.0 < signs.1 }
        let (smaller, larger) = left.isNegative ? (right, left) : (left, right)
        guard smaller.exponent == larger.exponent else { return smaller.exponent < larger.exponent }
        return smaller.digits.lexicographicallyPrecedes(larger.digits)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Its one spelling here: plain digits as long as few zeros have to be filled in, else with an exponent.
    package var text: String {
        guard !digits.isEmpty else { return "0" }
        let sign = isNegative ? "-" : ""
        let written = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
        switch exponent {
        case digits.count...digits.count + 20: return sign + written + zeros(exponent - digits.count)
        case 1..<max(digits.count, 1):
            return "\(sign)\(written.prefix(exponent)).\(written.dropFirst(exponent))"
        case -6...0: return "\(sign)0.\(zeros(-exponent))\(written)"
        default: return "\(sign)0.\(written)e\(exponent)"
        }
    }
}
