import RefreshCore

/// Where a feed's change log stands, and how much is cached of it.
package struct FeedHead: Sendable, Hashable {
    package let epoch: Epoch
    /// The newest place in the log.
    package let seq: Seq
    /// The highest seq of a tombstone that was purged: keys before it cannot be answered (semantics K4).
    package let floor: Seq
    /// Live items.
    package let items: Int
    /// Items that are gone and still shown as such.
    package let gone: Int
    /// Bytes of both.
    package let bytes: Int
    /// The starts of the latest listing, and of the latest pass that confirmed what is listed.
    package let listedAt: Timestamp?
    package let checkedAt: Timestamp?
    /// Stands for the live items and their revisions (semantics K15).
    package let digest: ChangeDigest
    /// The number of the latest transaction that changed an item.
    package let txn: Int64

    init(
        epoch: Epoch, seq: Seq, floor: Seq, items: Int, gone: Int = 0, bytes: Int, listedAt: Timestamp? = nil,
        checkedAt: Timestamp? = nil, digest: ChangeDigest = ChangeDigest(), txn: Int64 = 0
    ) {
        self.epoch = epoch
        self.seq = seq
        self.floor = floor
        self.items = items
        self.gone = gone
        self.bytes = bytes
        self.listedAt = listedAt
        self.checkedAt = checkedAt
        self.digest = digest
        self.txn = txn
    }

    /// Why a client with `key` has to read everything anew; nil where its changes can be told (semantics K4).
    package func resync(_ key: SyncKey) -> Resync? {
        if key.epoch != epoch { return .epoch }
        if key.seq > seq { return .future }
        return key.seq < floor ? .horizon : nil
    }

    /// Holds everything up to the end of the log.
    package var key: SyncKey { SyncKey(epoch: epoch, seq: seq) }
}
