/// 128 bits that stand for a record's text; equal hashes count as equal text.
package struct ContentHash: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// As stored: 16 bytes, most significant first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }

    /// Nil where `bytes` are not 16.
    package init?(bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.prefix(8))
        low = UInt64(bigEndian: bytes.dropFirst(8))
    }
}
