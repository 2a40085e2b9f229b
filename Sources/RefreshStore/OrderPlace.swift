import RefreshCore

/// A place in a feed's order: by order value, highest first and none last, then by first sight, newest first
/// (semantics P2).
///
/// The key, which is third in P2, never decides: no two items of a feed were first seen in the same place.
struct OrderPlace: Equatable, Comparable {
    /// `OrderValue.stored`: bytes that compare as the values do, turned round where the order ascends.
    let sort: [UInt8]
    let createdSeq: Seq

    /// Ascending is from the end of the order to its beginning.
    static func < (left: OrderPlace, right: OrderPlace) -> Bool {
        if left.sort == right.sort { return left.createdSeq < right.createdSeq }
        return left.sort.lexicographicallyPrecedes(right.sort)
    }
}
