import RefreshCore
import RefreshStore

/// A list of items while it is written, bounded in bytes; the reader bounds its rows.
struct ItemPage {
    private let text: ItemText
    private var rows = JSONText(reserving: 16_384)
    private var count = 0
    /// When the item was confirmed of which that is longest ago; nil of one that never was.
    private var oldest: Timestamp?
    var end = ListEnd()

    init(_ text: ItemText) { self.text = text }

    /// Takes the next row; false where it was one too many.
    mutating func take(_ item: ItemRow) -> Bool {
        // One row always fits, however large: a client must be able to come past it.
        let isFull = unsafe rows.bytes.count + item.body.count > Endpoints.largestPage
        if count > 0 && isFull { return false }
        text.write(item, to: &rows)
        let checked = item.checkedAt(in: text.head)
        oldest = count == 0 ? checked : oldest.flatMap { old in checked.map { min(old, $0) } }
        count += 1
        return true
    }

    /// The members `items`, `cursor`, `has_more` and `end`.
    func write(_ feed: FeedID, order: ItemCursor.Order, to json: inout JSONText) {
        json.name("items")
        json.array { if count > 0 { $0.raw(rows.bytes) } }
        let place = end.hasMore ? end.place : nil
        json.member(
            "cursor",
            place.map {
                ItemCursor(order: order, place: $0, issued: text.head.seq).text(feed: feed, view: text.view)
            })
        json.member("has_more", end.hasMore)
        // No feed of this version loads pages on demand: what is cached is all there is.
        json.member("end", !end.hasMore)
    }

    /// The feed as old as the oldest item of the page, where each has an age of its own.
    func aged(_ feed: FeedStatus) -> FeedStatus { count == 0 ? feed : feed.asOf(oldest) }

    /// The whole answer to a question for a list.
    func json(_ feed: FeedStatus, order: ItemCursor.Order, at now: Timestamp) -> JSONText {
        let freshness = feed.freshness(at: now)
        var json = JSONText(reserving: rows.bytes.count + 512)
        json.object { json in
            write(feed.feed, order: order, to: &json)
            json.member("sync_key", text.head.key.text(feed: feed.feed, view: text.view.hash))
            json.member("fresh_at", feed.progress.lastSuccess)
            json.member("stale", freshness == .stale || freshness == .overdue)
            json.member("freshness", freshness.rawValue)
            if let failure = feed.progress.failure { json.member("error", failure) }
        }
        return json
    }
}
