import RefreshCore

/// A body on its way in: grows by halves up to its limit, with room for the padding that parsers ask for.
struct GrowingBytes: Sendable {
    private static let first = 16_384

    private(set) var bytes: [UInt8] = []
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { bytes.count }

    /// Makes room for a body of this size, as far as such a claim is believed.
    mutating func expect(_ count: Int, believing most: Int = 1 << 20) {
        let believed = min(count, limit, most)
        if believed + PaddedBytes.padding > bytes.capacity {
            bytes.reserveCapacity(believed + PaddedBytes.padding)
        }
    }

    /// False, and nothing taken, where it would exceed the limit.
    @unsafe mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        let needed = bytes.count + piece.count
        guard needed <= limit else { return false }
        if needed + PaddedBytes.padding > bytes.capacity {
            let grown = min(max(needed, bytes.capacity * 3 / 2, GrowingBytes.first), limit)
            bytes.reserveCapacity(grown + PaddedBytes.padding)
        }
        unsafe bytes.append(contentsOf: piece)
        return true
    }

    /// Hands the bytes over and keeps none.
    mutating func take() -> [UInt8] {
        let taken = bytes
        bytes = []
        return taken
    }
}
