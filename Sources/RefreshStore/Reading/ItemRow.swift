import RefreshCore

/// One item, or what is left of it, as a reader sees it during its visit.
@safe package struct ItemRow {
    package let key: RecordKey
    package let rev: Int64
    /// Why it is no longer there; nil of a live item.
    package let deleted: DeleteReason?
    /// It is deleted, and `body` is its last copy (semantics T5); `changedAt` is when it went.
    package let isGone: Bool
    /// Its place in the change log.
    package let seq: Seq
    /// Its place in the log when it was first seen.
    package let createdSeq: Seq
    /// Its place in the log when it last came back from the dead.
    package let revivedSeq: Seq?
    /// The transaction of its last change; rows with the same number changed together (semantics C5).
    package let txn: Int64
    package let firstSeen: Timestamp
    package let changedAt: Timestamp
    /// The order value, as stored.
    package let sort: [UInt8]
    /// What is known of this very item's stamps.
    let stamps: Stamps
    /// The record's JSON text as received, empty of a tombstone. Dead after the visit: SQLite's own memory.
    package let body: UnsafeRawBufferPointer
    /// The key that a live item had before; of one that was replaced, the key that it goes on under.
    package let alias: RecordKey?

    struct Stamps {
        let isListed: Bool
        let listedAt: Timestamp?
        let checkedAt: Timestamp?
    }

    package var order: OrderValue { OrderValue(stored: sort) ?? .null }

    /// Where reading goes on behind this item.
    package var position: ItemPosition { ItemPosition(sort: sort, createdSeq: createdSeq) }

    /// The start of the latest listing that held it, read through the feed's stamp; nil where none did (F3).
    package func listedAt(in head: FeedHead) -> Timestamp? {
        stamps.isListed ? head.listedAt : stamps.listedAt
    }

    /// The start of the latest request that confirmed it (semantics F1, F3).
    package func checkedAt(in head: FeedHead) -> Timestamp? {
        let feeds = stamps.isListed && deleted == nil ? head.checkedAt : stamps.listedAt
        guard let own = stamps.checkedAt else { return feeds }
        return feeds.map { max($0, own) } ?? own
    }
}
