import RefreshCore
import RefreshStore

/// A list of items while it is written, bounded in rows and bytes.
struct ItemPage {
    private let limit: Int
    /// Whether it is a part of the feed's order, in which a cursor has a meaning.
    private let isOrdered: Bool
    private var rows = JSONText(reserving: 16_384)
    private var count = 0
    private var last: ItemPosition?
    /// Whether a row was seen that did not go into it.
    private(set) var hasMore = false

    init(limit: Int, isOrdered: Bool = true) {
        self.limit = limit
        self.isOrdered = isOrdered
    }

    /// Takes the next row; false where it was one too many.
    mutating func take(_ item: ItemRow) -> Bool {
        // One row always fits, however large: a client must be able to come past it.
        let isFull = unsafe rows.bytes.count + item.body.count > Endpoints.largestPage
        if count == limit || count > 0 && isFull {
            hasMore = true
            return false
        }
        rows.item(item)
        count += 1
        last = item.position
        return true
    }

    /// The whole answer.
    func json(_ feed: FeedStatus, _ head: FeedHead, at now: Timestamp) -> JSONText {
        let freshness = feed.freshness(at: now)
        var text = JSONText(reserving: rows.bytes.count + 512)
        text.object { text in
            text.name("items")
            text.array { $0.raw(rows.bytes, unlessEmpty: count) }
            let place = hasMore && isOrdered ? last : nil
            text.member("cursor", place.map { Cursor(place: $0, issued: head.seq).text(feed: feed.feed) })
            text.member("has_more", hasMore)
            // No feed of this version has pages upstream: what is cached is all there is.
            text.member("end", !hasMore)
            text.member("sync_key", SyncKey(epoch: head.epoch, seq: head.seq).text(feed: feed.feed))
            text.member("fresh_at", feed.progress.lastSuccess)
            text.member("stale", freshness == .stale || freshness == .overdue)
            text.member("freshness", freshness.rawValue)
            if let failure = feed.progress.failure { text.member("error", failure) }
        }
        return text
    }
}

extension JSONText {
    fileprivate mutating func raw(_ json: [UInt8], unlessEmpty count: Int) {
        if count > 0 { raw(json) }
    }

    /// An item, its record as the upstream wrote it.
    mutating func item(_ item: ItemRow) {
        object { text in
            text.name("key")
            text.string(item.key.bytes)
            text.member("rev", item.rev)
            text.member("state", "live")
            text.member(order: item.order)
            text.member("first_seen", item.firstSeen)
            // Not kept for each item yet; the list's `fresh_at` holds for those that are still listed.
            text.member("listed_at", nil as Timestamp?)
            text.member("checked_at", nil as Timestamp?)
            text.member("changed_at", item.changedAt)
            text.member("created_seq", item.createdSeq)
            text.member("seq", item.seq)
            text.name("data")
            unsafe text.raw(item.body)
        }
    }

    private mutating func member(order: OrderValue) {
        switch order {
        case .null: member("order", nil as Timestamp?)
        case .time(let time): member("order", time)
        case .number(let number):
            name("order")
            raw(number.text.utf8)
        case .text(let bytes):
            name("order")
            string(bytes)
        }
    }
}
