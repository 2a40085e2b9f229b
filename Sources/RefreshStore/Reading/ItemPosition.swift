import RefreshCore

/// A place in a feed's order, valid although the item there moved or vanished (semantics P1).
///
/// It needs no key: no two items of a feed were first seen in the same place of its log.
package struct ItemPosition: Hashable, Sendable {
    /// The order value of the item there; nil where it had none.
    package let order: Timestamp?
    /// The place of its first sight.
    package let createdSeq: Seq

    package init(order: Timestamp?, createdSeq: Seq) {
        self.order = order
        self.createdSeq = createdSeq
    }

    /// How many bytes `encode` gives.
    package static let length = 17

    /// A presence byte, the order value and the place, most significant byte first.
    package func encode() -> [UInt8] {
        var bytes: [UInt8] = [order == nil ? 0 : 1]
        bytes.append(bigEndian: UInt64(bitPattern: order?.microseconds ?? 0))
        bytes.append(bigEndian: UInt64(bitPattern: createdSeq))
        return bytes
    }

    /// Nil where `bytes` were not made by `encode`.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == ItemPosition.length, let presence = bytes.first, presence <= 1 else {
            return nil
        }
        let microseconds = Int64(bitPattern: UInt64(bigEndian: bytes.dropFirst().prefix(8)))
        guard presence == 1 || microseconds == 0 else { return nil }
        order = presence == 1 ? Timestamp(microseconds: microseconds) : nil
        createdSeq = Seq(bitPattern: UInt64(bigEndian: bytes.suffix(8)))
    }

    /// As the index has it.
    var place: OrderPlace { OrderPlace(sort: OrderPlace.sort(of: order), createdSeq: createdSeq) }
}
