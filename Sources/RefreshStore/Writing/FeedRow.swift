import RefreshCore

/// A feed as it is stored.
struct FeedRow: Equatable {
    let id: Int64
    var epoch: Epoch
    /// A hash of what makes records what they are; another one begins a new epoch (semantics K3).
    var shape: UInt64 = 0
    /// The newest place in the change log.
    var seq: Seq
    /// The highest seq of a tombstone that was purged (semantics K4).
    var floor: Seq
    /// The number of the last transaction that changed an item (semantics C5).
    var txn: Int64 = 0
    var digest = ChangeDigest()
    /// Live items, items that are gone and still shown as such, and the bytes of both.
    var items: Int
    var gone = 0
    var bytes: Int
    /// Live items and evicted ones that the latest listing held.
    var listed = 0
    /// Deleted items in the log, without those that are still shown as gone.
    var tombstones = 0
    /// Evicted items, whether in the log or not.
    var ledger = 0
    /// Listings so far.
    var passes: Int64 = 0
    /// Order values are worked out anew by the next listing: what they are made of has changed.
    var reorders = false
    /// The starts of the latest listing, and of the latest pass that confirmed the items (semantics F3).
    var listedAt: Timestamp?
    var checkedAt: Timestamp?
    var progress: FeedProgress
    var notes = PassNotes()

    var counts: StoredCounts {
        StoredCounts(epoch: epoch, seq: seq, items: items, bytes: bytes, alarms: notes.alarms)
    }
}
