import RefreshCore
import RefreshStore

/// A list of changes while it is written, bounded in bytes; the reader bounds its rows (semantics K7–K9).
struct ChangePage {
    private let start: ChangeStart
    private let text: ItemText
    private var rows = JSONText(reserving: 16_384)
    private var count = 0
    var end: ChangesEnd

    init(start: ChangeStart, _ text: ItemText) {
        self.start = start
        self.text = text
        end = ChangesEnd(reached: start.seq, hasMore: false)
    }

    /// Takes the next row; false where it was one too many.
    mutating func take(_ change: ItemChange) -> Bool {
        let isFull = unsafe rows.bytes.count + change.row.body.count > Endpoints.largestPage
        if count > 0 && isFull { return false }
        text.write(change, to: &rows)
        count += 1
        return true
    }

    /// The members `changes` and `sync_key`.
    func write(_ feed: FeedID, to json: inout JSONText) {
        json.name("changes")
        json.array { if count > 0 { $0.raw(rows.bytes) } }
        json.member("sync_key", start.next(end.reached, feed: feed, head: text.head, view: text.view))
    }

    func json(_ feed: FeedID) -> JSONText {
        var json = JSONText(reserving: rows.bytes.count + 256)
        json.object { json in
            write(feed, to: &json)
            json.member("has_more", end.hasMore)
            json.member("pending", end.pending)
            if let digest = end.digest { json.member("digest", digest.text) }
        }
        return json
    }
}
