import RefreshCore
import RefreshStore

/// A list of changes while it is written, bounded in rows and bytes (semantics K7–K9).
struct ChangePage {
    private let start: ChangeStart
    private let limit: Int
    private var rows = JSONText(reserving: 16_384)
    private var count = 0
    /// The last row that was looked at, written or dropped.
    private var seen: Seq
    private(set) var hasMore = false

    init(start: ChangeStart, limit: Int) {
        self.start = start
        self.limit = limit
        seen = start.seq
    }

    /// Takes the next row; false where it was one too many.
    mutating func take(_ row: ItemRow) -> Bool {
        // Created and deleted since the client looked: it never knew of it (K8).
        let isUnknown = row.deleted != nil && row.createdSeq > start.seq
        if !isUnknown {
            let isFull = unsafe rows.bytes.count + row.body.count > Endpoints.largestPage
            if count == limit || count > 0 && isFull {
                hasMore = true
                return false
            }
            write(row)
            count += 1
        }
        seen = row.seq
        return true
    }

    private mutating func write(_ row: ItemRow) {
        rows.change(row, after: start.seq)
    }

    func json(_ feed: FeedID, _ head: FeedHead) -> JSONText {
        let reached = hasMore ? seen : head.seq
        var text = JSONText(reserving: rows.bytes.count + 256)
        text.object { text in
            text.name("changes")
            text.array { if count > 0 { $0.raw(rows.bytes) } }
            text.member("sync_key", start.next(reached, feed: feed, head: head))
            text.member("has_more", hasMore)
            // Each row left has its own seq, so there are at most so many.
            text.member("pending", head.seq - reached)
        }
        return text
    }
}

extension JSONText {
    /// A row of the change log for a client that knows what was there at `seq` (semantics K8).
    mutating func change(_ row: ItemRow, after seq: Seq) {
        object { text in
            text.member("op", row.deleted == nil ? "upsert" : "delete")
            text.name("key")
            text.string(row.key.bytes)
            text.member("rev", row.rev)
            text.member("seq", row.seq)
            if let reason = row.deleted {
                text.member("reason", reason.name)
            } else {
                text.member("created", row.createdSeq > seq)
                text.name("item")
                text.item(row)
            }
        }
    }
}
