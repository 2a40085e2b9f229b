import RefreshCore

/// How a list is to be read.
package struct ListRequest: Sendable {
    package var order = ItemCursor.Order.sort
    /// Where the last page ended; nil is the beginning.
    package var place: ItemCursor.Place?
    package var limit = 20
    /// Items that are gone stand among the others, in their places.
    package var includesGone = false

    package init(
        order: ItemCursor.Order = .sort, place: ItemCursor.Place? = nil, limit: Int = 20,
        includesGone: Bool = false
    ) {
        self.order = order
        self.place = place
        self.limit = limit
        self.includesGone = includesGone
    }
}

/// How a page of a list ended.
package struct ListEnd: Sendable, Equatable {
    /// Where the next page goes on; nil of a page without items.
    package var place: ItemCursor.Place?
    /// Whether another item stands behind the page.
    package var hasMore = false
    package var shown = 0

    package init(place: ItemCursor.Place? = nil, hasMore: Bool = false, shown: Int = 0) {
        self.place = place
        self.hasMore = hasMore
        self.shown = shown
    }
}

extension StoreReader {
    /// Shows live items, in the feed's order, from behind `position` on or from the beginning, until `visit` says
    /// false or `limit` have been shown.
    package func items(
        of feed: FeedID, after position: ItemPosition?, limit: Int = .max, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        guard let number = try number(of: feed) else { return }
        let place = position.map { ItemCursor.Place.order(sort: $0.sort, createdSeq: $0.createdSeq) }
        try walk(lists.liveDown, number, place, limit, visit)
    }

    /// Shows a page of the list and says how it ended; one row more than it shows is read at most.
    ///
    /// `visit` says false of an item that it has no room for; the page ends before it.
    package func page(
        of feed: FeedID, _ request: ListRequest, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) -> ListEnd {
        var end = ListEnd(place: request.place)
        guard let number = try number(of: feed), request.limit > 0 else { return end }
        let more = request.limit == .max ? request.limit : request.limit + 1
        func take(_ row: ItemRow) -> Bool {
            guard end.shown < request.limit, visit(row) else {
                end.hasMore = true
                return false
            }
            end.shown += 1
            end.place =
                request.order == .key
                ? .key(row.key) : .order(sort: row.sort, createdSeq: row.createdSeq)
            return true
        }
        switch request.order {
        case .key where request.includesGone: try walk(lists.byKeyWithGone, number, request.place, more, take)
        case .key: try walk(lists.byKey, number, request.place, more, take)
        case .sort where request.includesGone:
            try merge(lists.liveDown, lists.goneDown, number, request, more, take)
        case .sort: try walk(lists.liveDown, number, request.place, more, take)
        case .reverse where request.includesGone:
            try merge(lists.liveUp, lists.goneUp, number, request, more, take)
        case .reverse: try walk(lists.liveUp, number, request.place, more, take)
        }
        return end
    }

    // MARK: - Walks

    private func walk(
        _ walk: ListStatements.Walk, _ feed: Int64, _ place: ItemCursor.Place?, _ limit: Int,
        _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        if case .order = place {
            try run(walk.next, feed, place, limit, visit)
        } else {
            try run(walk.first, feed, nil, limit, visit)
        }
    }

    private func walk(
        _ statement: borrowing Statement, _ feed: Int64, _ place: ItemCursor.Place?, _ limit: Int,
        _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        try run(statement, feed, place ?? .key(RecordKey([])), limit, visit)
    }

    private func run(
        _ statement: borrowing Statement, _ feed: Int64, _ place: ItemCursor.Place?, _ limit: Int,
        _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        defer { statement.reset() }
        try bind(statement, feed, place, limit)
        while try statement.step() {
            guard visit(ItemRow(statement)) else { return }
        }
    }

    private func bind(
        _ statement: borrowing Statement, _ feed: Int64, _ place: ItemCursor.Place?, _ limit: Int
    ) throws(StoreFailure) {
        try statement.bind(1, feed)
        switch place {
        case nil: break
        case .order(let sort, let createdSeq):
            try statement.bind(2, sort)
            try statement.bind(3, createdSeq)
        case .key(let key): try statement.bind(2, key.bytes)
        }
        try statement.bind(4, Int64(limit))
    }

    /// Two walks at once, whichever stands first in the order.
    private func merge(
        _ live: ListStatements.Walk, _ gone: ListStatements.Walk, _ feed: Int64, _ request: ListRequest,
        _ limit: Int, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        if case .order = request.place {
            try merge(live.next, gone.next, feed, request, limit, visit)
        } else {
            try merge(live.first, gone.first, feed, request, limit, visit)
        }
    }

    private func merge(
        _ left: borrowing Statement, _ right: borrowing Statement, _ feed: Int64, _ request: ListRequest,
        _ limit: Int, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        defer {
            left.reset()
            right.reset()
        }
        try bind(left, feed, request.place, limit)
        try bind(right, feed, request.place, limit)
        var hasLeft = try left.step()
        var hasRight = try right.step()
        while hasLeft || hasRight {
            let takesLeft = hasLeft && (!hasRight || isBefore(left, right, request.order))
            guard visit(takesLeft ? ItemRow(left) : ItemRow(right)) else { return }
            if takesLeft { hasLeft = try left.step() } else { hasRight = try right.step() }
        }
    }

    private func isBefore(
        _ left: borrowing Statement, _ right: borrowing Statement, _ order: ItemCursor.Order
    ) -> Bool {
        let one = OrderPlace(sort: left.bytes(9), createdSeq: left.number(4))
        let other = OrderPlace(sort: right.bytes(9), createdSeq: right.number(4))
        return order == .reverse ? one < other : other < one
    }
}
