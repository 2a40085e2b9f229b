import RefreshCore

/// One change, as a client with a certain key is told of it (semantics K8).
package struct ItemChange {
    package let row: ItemRow
    /// The item was first seen after the client's key.
    package let isCreated: Bool
    /// It had been deleted, and came back after the client's key.
    package let isRevived: Bool

    package var kind: ChangeKind { row.deleted.map { .delete($0) } ?? .upsert }
}

/// How an answer of changes ended (semantics K7).
package struct ChangesEnd: Sendable, Equatable {
    /// Everything up to here was told: the seq of the client's next key.
    package var reached: Seq
    package var hasMore: Bool
    package var shown = 0
    /// Rows of the log that are left, at most.
    package var pending: Int = 0
    /// Only with the last of the changes and in the plain view (semantics K15).
    package var digest: ChangeDigest?

    package init(
        reached: Seq, hasMore: Bool, shown: Int = 0, pending: Int = 0, digest: ChangeDigest? = nil
    ) {
        self.reached = reached
        self.hasMore = hasMore
        self.shown = shown
        self.pending = pending
        self.digest = digest
    }
}

extension StoreReader {
    /// Shows the log's rows since `seq`, oldest change first, until `visit` says false or `limit` were shown.
    package func changes(
        of feed: FeedID, since seq: Seq, limit: Int = .max, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        guard let number = try number(of: feed) else { return }
        try rows(number, since: seq, through: .max, limit: limit, visit)
    }

    /// Shows what a client that holds everything up to `seq` has to hear, oldest change first, and says how far it
    /// went: at most `limit` changes, and not the half of a transaction unless it is longer than that (K7–K9).
    ///
    /// Evictions are left out where the view does not want them. `visit` says false of a change that it has no room for.
    ///
    /// - Parameter readsLists: whether the client may have read pages of a list since it got its key. Such a page may
    ///   hold what was created after the key, so its deletion has to be told; only to a client that knows nothing but
    ///   changes it is no news (decision 12).
    package func tellChanges(
        of feed: FeedID, since seq: Seq, limit: Int, view: ItemView = .plain, readsLists: Bool = true,
        _ visit: (ItemChange) -> Bool
    ) throws(StoreFailure) -> ChangesEnd {
        guard let head = try head(of: feed), let number = try number(of: feed) else {
            return ChangesEnd(reached: seq, hasMore: false)
        }
        let filter = ChangeFilter(since: seq, evictions: view.evictions, readsLists: readsLists)
        let outline = try outline(number, limit: limit, filter)
        var end = ChangesEnd(reached: outline.cut ?? head.seq, hasMore: outline.cut != nil)
        if outline.count > 0 {
            var last = seq
            try rows(number, since: seq, through: end.reached, limit: .max) { row in
                if filter.tells(row.deleted, createdSeq: row.createdSeq) {
                    let change = ItemChange(
                        row: row, isCreated: row.createdSeq > seq, isRevived: (row.revivedSeq ?? 0) > seq)
                    guard visit(change) else {
                        end.hasMore = true
                        end.reached = last
                        return false
                    }
                    end.shown += 1
                }
                last = row.seq
                return true
            }
        }
        end.pending = Int(head.seq - end.reached)
        if !end.hasMore, view == .plain { end.digest = head.digest }
        return end
    }

    // MARK: - Pieces

    private func rows(
        _ feed: Int64, since seq: Seq, through last: Seq, limit: Int, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        defer { log.rows.reset() }
        try log.rows.bind(1, feed)
        try log.rows.bind(2, seq)
        try log.rows.bind(3, last)
        try log.rows.bind(4, Int64(limit))
        while try log.rows.step() {
            guard visit(ItemRow(log.rows)) else { return }
        }
    }

    /// Finds where an answer has to end, before anything of it is shown.
    private func outline(
        _ feed: Int64, limit: Int, _ filter: ChangeFilter
    ) throws(StoreFailure) -> ChangeOutline {
        var outline = ChangeOutline(limit: limit, filter: filter)
        defer { log.outline.reset() }
        try log.outline.bind(1, feed)
        try log.outline.bind(2, filter.since)
        try log.outline.bind(3, Int64(outline.most) + 1)
        while try log.outline.step() {
            let isFull = outline.take(
                seq: log.outline.number(0), txn: log.outline.number(1),
                state: ItemState(stored: log.outline.number(2)), createdSeq: log.outline.number(3))
            if isFull { break }
        }
        return outline
    }
}

/// How far an answer of changes goes.
struct ChangeOutline {
    private let limit: Int
    private let filter: ChangeFilter
    /// The last row taken, its transaction, and the last row of the transaction before.
    private var last: (seq: Seq, txn: Int64)?
    private var boundary: Seq?
    private var rows = 0
    /// Rows that are told.
    private(set) var count = 0
    /// Where the answer ends because there is more; nil where everything fits.
    private(set) var cut: Seq?

    /// Rows looked at for one answer: what is left out must not make it endless.
    var most: Int { limit == .max ? limit - 1 : max(limit, 1) * 16 + 1_024 }

    init(limit: Int, filter: ChangeFilter) {
        self.limit = limit
        self.filter = filter
    }

    /// True where no more rows need to be looked at.
    mutating func take(seq: Seq, txn: Int64, state: ItemState, createdSeq: Seq) -> Bool {
        let isTold = filter.tells(state.deleted, createdSeq: createdSeq)
        if let last, last.txn != txn { boundary = last.seq }
        if isTold && count == limit || rows == most {
            // Behind the last whole transaction, or amid one that is too long.
            if let last { cut = last.txn == txn ? boundary ?? last.seq : last.seq }
            return true
        }
        rows += 1
        if isTold { count += 1 }
        last = (seq, txn)
        return false
    }
}

/// Which rows of the log a client hears of.
struct ChangeFilter {
    let since: Seq
    let evictions: Bool
    let readsLists: Bool

    func tells(_ deleted: DeleteReason?, createdSeq: Seq) -> Bool {
        guard let deleted else { return true }
        if createdSeq > since, !readsLists { return false }
        return evictions || deleted != .retention
    }
}
