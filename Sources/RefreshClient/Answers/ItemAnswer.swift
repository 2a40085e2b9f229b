import RefreshCore

/// An item as the daemon hands it out.
package struct ItemAnswer: Sendable {
    package var key = ""
    package var rev: Int?
    package var state: String?
    package var order: String?
    package var firstSeen: Timestamp?
    package var changedAt: Timestamp?
    package var goneAt: Timestamp?
    package var seq: Int?
    /// The record's JSON text, as the upstream wrote it.
    package var data: String?

    package init() {}
}

/// A page of a feed's items.
package struct ItemsAnswer: Sendable {
    package var items: [ItemAnswer] = []
    package var cursor: String?
    package var hasMore = false
    package var syncKey: String?
    package var stale = false
    package var freshness: String?
    package var error: ErrorNote?

    package init() {}
}

/// A row of a feed's change log.
package struct ChangeAnswer: Sendable {
    package var op = ""
    package var key = ""
    package var rev: Int?
    package var reason: String?
    package var created = false
    package var item: ItemAnswer?

    package init() {}
}

/// A page of a feed's changes.
package struct ChangesAnswer: Sendable {
    package var changes: [ChangeAnswer] = []
    package var syncKey: String?
    package var hasMore = false
    /// Changes behind this page, at most.
    package var pending: Int?

    package init() {}
}
