/// What a record is sorted by, or what its version is compared by.
package enum OrderValue: Hashable, Sendable {
    /// Missing, or of another type than was asked for.
    case null
    // Indirect: a page holds one value a row, and most are times or none.
    indirect case number(DecimalNumber)
    case time(Timestamp)
    /// UTF-8, compared byte by byte.
    case text([UInt8])

    /// Texts are cut to this length, numbers to as many digits: no index grows by what an upstream makes up.
    package static let longest = 1_024

    /// The record's published or changed time, where it is sorted by time.
    package var timestamp: Timestamp? { if case .time(let time) = self { time } else { nil } }

    // MARK: - Stored

    /// Bytes that compare as the values do (`memcmp`): no value first, then numbers, times, texts.
    ///
    /// - Parameter isDescending: whether a greater value has the greater bytes; else they are turned round, save
    ///   that no value stays first. So one index, read from its end, gives either order with no value at the last.
    package func stored(isDescending: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .null: return [Mark.null]
        case .number(let number): OrderValue.append(number, to: &bytes)
        case .time(let time):
            bytes.append(Mark.time)
            bytes.append(bigEndian: UInt64(bitPattern: time.microseconds) ^ (1 << 63))
        case .text(let text):
            bytes.append(Mark.text)
            // A zero byte ends the text, so that none is the beginning of another; one within it is followed by FF.
            for byte in text.prefix(OrderValue.longest) {
                bytes.append(byte)
                if byte == 0 { bytes.append(0xFF) }
            }
            bytes.append(contentsOf: [0, 0])
        }
        return isDescending ? bytes : bytes.map { ~$0 }
    }

    /// Nil where `stored` is none of these.
    package init?(stored: some Collection<UInt8>) {
        var bytes = Array(stored)
        guard let first = bytes.first else { return nil }
        if first >= 0x80 { bytes = bytes.map { ~$0 } }
        switch bytes[0] {
        case Mark.null where bytes.count == 1: self = .null
        case Mark.time where bytes.count == 9:
            self = .time(
                Timestamp(microseconds: Int64(bitPattern: UInt64(bigEndian: bytes.dropFirst()) ^ (1 << 63))))
        case Mark.text:
            guard let text = OrderValue.text(bytes.dropFirst()) else { return nil }
            self = .text(text)
        case Mark.negative, Mark.zero, Mark.positive:
            guard let number = OrderValue.number(bytes) else { return nil }
            self = .number(number)
        default: return nil
        }
    }

    /// The first byte; all are below 80, so that those turned round are known by it.
    private enum Mark {
        static let null: UInt8 = 0
        static let negative: UInt8 = 0x10
        static let zero: UInt8 = 0x11
        static let positive: UInt8 = 0x12
        static let time: UInt8 = 0x20
        static let text: UInt8 = 0x30
    }

    private static func append(_ number: DecimalNumber, to bytes: inout [UInt8]) {
        guard !number.digits.isEmpty else { return bytes.append(Mark.zero) }
        bytes.append(number.isNegative ? Mark.negative : Mark.positive)
        var magnitude: [UInt8] = []
        magnitude.append(bigEndian: UInt64(bitPattern: Int64(number.exponent)) ^ (1 << 63))
        // Digits from 1 to 10, so that 0 behind the last sorts before any that could follow.
        magnitude.append(contentsOf: number.digits.prefix(longest).map { $0 + 1 })
        magnitude.append(0)
        bytes.append(contentsOf: number.isNegative ? magnitude.map { ~$0 } : magnitude)
    }

    private static func number(_ bytes: [UInt8]) -> DecimalNumber? {
        if bytes[0] == Mark.zero { return bytes.count == 1 ? .zero : nil }
        let isNegative = bytes[0] == Mark.negative
        let magnitude = isNegative ? bytes.dropFirst().map { ~$0 } : Array(bytes.dropFirst())
        guard magnitude.count > 9, magnitude.last == 0 else { return nil }
        let exponent = Int64(bitPattern: UInt64(bigEndian: magnitude.prefix(8)) ^ (1 << 63))
        let digits = magnitude[8...].dropLast()
        guard digits.allSatisfy({ (1...10).contains($0) }) else { return nil }
        let sign = isNegative ? "-" : ""
        let written = String(decoding: digits.map { $0 + 0x2F }, as: UTF8.self)
        return DecimalNumber("\(sign)0.\(written)e\(exponent)".utf8)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == 0 else {
                text.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0xFF: text.append(0)
            case 0: return rest.isEmpty ? text : nil
            default: return nil
            }
        }
        return nil
    }
}

extension OrderValue: Comparable {
    package static func < (left: OrderValue, right: OrderValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.time(let left), .time(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .number: 1
        case .time: 2
        case .text: 3
        }
    }
}
