import RefreshCore

/// One item, or what is left of it, as a reader sees it during its visit.
@safe package struct ItemRow {
    package let key: RecordKey
    package let rev: Int64
    /// Why it is no longer there; nil of a live item.
    package let deleted: DeleteReason?
    /// Its place in the change log.
    package let seq: Seq
    /// Its place in the log when it was first seen.
    package let createdSeq: Seq
    package let firstSeen: Timestamp
    package let changedAt: Timestamp
    package let order: Timestamp?
    /// The record's JSON text as received, empty of a deleted item. Dead after the visit: SQLite's own memory.
    package let body: UnsafeRawBufferPointer

    /// Where reading goes on behind this item.
    package var position: ItemPosition { ItemPosition(order: order, createdSeq: createdSeq) }
}
