/// A sum over what a client holds, to compare with the feed's own (semantics K15): any language can work it out.
///
/// For each live item the 64-bit FNV-1a hash of its key's bytes, a zero byte and its `rev` in decimal digits; the sum
/// of these, modulo 2^64.
package struct ChangeDigest: Hashable, Sendable {
    package private(set) var sum: UInt64

    package init(sum: UInt64 = 0) { self.sum = sum }

    package mutating func add(_ key: RecordKey, rev: Int64) { sum &+= ChangeDigest.part(key, rev) }
    package mutating func remove(_ key: RecordKey, rev: Int64) { sum &-= ChangeDigest.part(key, rev) }

    /// 16 hexadecimal digits.
    package var text: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func part(_ key: RecordKey, _ rev: Int64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        unsafe key.bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices { take(unsafe bytes[index]) }
        }
        take(0)
        for digit in String(rev).utf8 { take(digit) }
        return hash
    }
}
