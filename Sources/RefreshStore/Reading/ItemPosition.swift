import RefreshCore

/// A place in a feed's order, valid although the item there moved or vanished (semantics P1).
///
/// It needs no key: no two items of a feed were first seen in the same place of its log.
package struct ItemPosition: Hashable, Sendable {
    /// The order value of the item there, as it is stored.
    package let sort: [UInt8]
    /// The place of its first sight.
    package let createdSeq: Seq

    package init(sort: [UInt8], createdSeq: Seq) {
        self.sort = sort
        self.createdSeq = createdSeq
    }

    /// In an order that begins with the highest value.
    package init(order: OrderValue, createdSeq: Seq) {
        self.init(sort: order.stored(), createdSeq: createdSeq)
    }

    /// The longest that `encode` gives.
    package static let longest = 8 + 2 * OrderValue.longest + 16

    /// The place, most significant byte first, and the order value.
    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: createdSeq))
        bytes.append(contentsOf: sort)
        return bytes
    }

    /// Nil where `bytes` were not made by `encode`.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let sort = Array(bytes.dropFirst(8))
        guard bytes.count <= ItemPosition.longest, OrderValue(stored: sort) != nil else { return nil }
        self.init(sort: sort, createdSeq: Seq(bitPattern: UInt64(bigEndian: bytes.prefix(8))))
    }
}
