import RefreshCore

/// A feed as it is stored.
struct FeedRow: Equatable {
    let id: Int64
    let epoch: Epoch
    /// The newest place in the change log.
    var seq: Seq
    /// The highest seq of a tombstone that was purged (semantics K4).
    var floor: Seq
    /// Live items, and the bytes of their bodies.
    var items: Int
    var bytes: Int
    /// Rows of items that are not live.
    var traces: Int
    var progress: FeedProgress

    var counts: StoredCounts { StoredCounts(epoch: epoch, seq: seq, items: items, bytes: bytes) }
}
