import RefreshCore
import RefreshFormats

/// A JSON object that this program has written into a column, read where it lies: every commit and every start reads
/// one of each feed, so no document is made of it.
///
/// A text that is not whole is none, and a member of another kind than asked for counts as absent.
struct StoredObject {
    private let bytes: [UInt8]
    private let members: [MemberScan.Member]

    /// Nil where `bytes` are none.
    init?(_ bytes: [UInt8]) {
        self.init(bytes, bytes.indices)
    }

    private init?(_ bytes: [UInt8], _ range: Range<Int>) {
        var scan = MemberScan(bytes, range)
        guard let members = scan.members() else { return nil }
        self.bytes = bytes
        self.members = members
    }

    /// A whole number that 64 bits hold.
    func number(_ name: StaticString) -> Int64? {
        guard let range = value(name) else { return nil }
        var place = range.lowerBound
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        guard place < range.upperBound else { return nil }
        var number: Int64 = 0
        while place < range.upperBound {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            // Downwards, since the smallest number has no positive counterpart.
            let (sum, isOver) = tens.subtractingReportingOverflow(Int64(digit))
            if isTooLarge || isOver { return nil }
            number = sum
            place += 1
        }
        return isNegative ? number : number == .min ? nil : -number
    }

    func words(_ name: StaticString) -> String? {
        guard let inside = text(name) else { return nil }
        return JSONStringText.decoded(bytes[inside]).map { String(decoding: $0, as: UTF8.self) }
    }

    func time(_ name: StaticString) -> Timestamp? { number(name).map(Timestamp.init(microseconds:)) }

    func count(_ name: StaticString) -> Int { number(name).map(Int.init) ?? 0 }

    /// Hexadecimal digits; 0 where there are none.
    func hash(_ name: StaticString) -> UInt64 {
        guard let inside = text(name), 1...16 ~= inside.count else { return 0 }
        var hash: UInt64 = 0
        for place in inside {
            guard let digit = ASCII.hexValue(bytes[place]) else { return 0 }
            hash = hash << 4 | UInt64(digit)
        }
        return hash
    }

    func object(_ name: StaticString) -> StoredObject? { value(name).flatMap { StoredObject(bytes, $0) } }

    func objects(_ name: StaticString) -> [StoredObject] {
        guard let range = value(name) else { return [] }
        var scan = MemberScan(bytes, range)
        return (scan.elements() ?? []).compactMap { StoredObject(bytes, $0) }
    }

    // MARK: - Pieces

    /// What stands between the quotes of a string.
    private func text(_ name: StaticString) -> Range<Int>? {
        guard let range = value(name), bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    private func value(_ name: StaticString) -> Range<Int>? {
        let length = name.utf8CodeUnitCount
        for member in members where member.name.count == length {
            var place = 0
            while place < length, unsafe bytes[member.name.lowerBound + place] == name.utf8Start[place] {
                place += 1
            }
            if place == length { return member.value }
        }
        return nil
    }
}

/// Members that are left out where there is nothing to say.
extension JSONText {
    mutating func number(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    mutating func time(_ name: StaticString, _ time: Timestamp?) { number(name, time?.microseconds) }

    mutating func count(_ name: StaticString, _ count: Int) {
        if count != 0 { number(name, Int64(count)) }
    }

    mutating func words(_ name: StaticString, _ words: String?) {
        guard let words else { return }
        self.name(name)
        string(words)
    }

    /// All 64 bits, as hexadecimal digits: many readers of JSON keep only 53 of a number.
    mutating func hash(_ name: StaticString, _ hash: UInt64) {
        if hash != 0 { words(name, String(hash, radix: 16)) }
    }
}
