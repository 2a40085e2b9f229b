import RefreshCore

/// A place in a feed's order: by order value, highest first and none last, then by first sight, newest first
/// (semantics P2).
///
/// The key, which is third in P2, never decides: no two items of a feed were first seen in the same place.
struct OrderPlace: Equatable, Comparable {
    /// Stands for no order value.
    static let unsorted = Int64.min

    let sort: Int64
    let createdSeq: Seq

    /// Ascending is from the end of the order to its beginning.
    static func < (left: OrderPlace, right: OrderPlace) -> Bool {
        (left.sort, left.createdSeq) < (right.sort, right.createdSeq)
    }

    static func sort(of order: Timestamp?) -> Int64 {
        // The least time there is would read as none.
        order.map { max($0.microseconds, unsorted + 1) } ?? unsorted
    }

    var order: Timestamp? { sort == OrderPlace.unsorted ? nil : Timestamp(microseconds: sort) }
}
