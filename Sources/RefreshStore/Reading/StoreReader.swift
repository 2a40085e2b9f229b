import RefreshCore

/// The cache as one reading thread sees it, over a connection of its own that cannot write.
///
/// The reads between two calls of `endRound` see one state of the database; the first of them takes it. A round
/// that stays open keeps the log from being written back, so it has to be short.
package final class StoreReader {
    private let connection: Connection
    private let begin: Statement
    private let commit: Statement
    private let headStatement: Statement
    private let itemStatement: Statement
    private let itemsStatement: Statement
    private let changesStatement: Statement
    private var isInRound = false
    /// Numbers are never given to another feed, so they may be kept; those not stored yet are looked for again.
    private var numbers: [FeedID: Int64] = [:]

    private static let columns =
        "key, rev, state, seq, created_seq, first_seen, changed_at, sort, body"
    /// One range of an index each, without a sort.
    static let itemsQuery = """
        SELECT \(columns) FROM items
        WHERE feed = ?1 AND state = 0 AND (sort, created_seq) < (?2, ?3)
        ORDER BY sort DESC, created_seq DESC LIMIT ?4
        """
    static let changesQuery = """
        SELECT \(columns) FROM items WHERE feed = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3
        """
    static let itemQuery = "SELECT \(columns) FROM items WHERE feed = ?1 AND key = ?2"

    /// Opens the cache that a `Store` has made in `folder`.
    package init(folder: String) throws(StoreFailure) {
        connection = try Connection.open(CacheFile(folder: folder).path, for: .read)
        // Readers wait for nobody in WAL mode but for a moment after a crash.
        try connection.waitForLocks(milliseconds: 250)
        try connection.execute("PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY")
        begin = try connection.prepare("BEGIN")
        commit = try connection.prepare("COMMIT")
        headStatement = try connection.prepare(
            "SELECT id, epoch, seq, floor, items, bytes FROM feeds WHERE name = ?1")
        itemStatement = try connection.prepare(StoreReader.itemQuery)
        itemsStatement = try connection.prepare(StoreReader.itemsQuery)
        changesStatement = try connection.prepare(StoreReader.changesQuery)
    }

    // MARK: - Rounds

    /// Lets go of the state that the reads of this round have shared; without any it does nothing.
    package func endRound() {
        guard isInRound else { return }
        isInRound = false
        // A read transaction has nothing to lose; one that cannot end is ended by the next BEGIN's failure.
        try? commit.run()
    }

    private func beginRound() throws(StoreFailure) {
        guard !isInRound else { return }
        if !connection.isAutocommit { try commit.run() }
        try begin.run()
        isInRound = true
    }

    // MARK: - Reading

    /// Where the feed's change log stands; nil where nothing was ever stored of the feed.
    package func head(of feed: FeedID) throws(StoreFailure) -> FeedHead? {
        try beginRound()
        defer { headStatement.reset() }
        try headStatement.bind(1, feed.name)
        guard try headStatement.step() else { return nil }
        numbers[feed] = headStatement.number(0)
        return FeedHead(
            epoch: Epoch(UInt64(bitPattern: headStatement.number(1))), seq: headStatement.number(2),
            floor: headStatement.number(3), items: Int(headStatement.number(4)),
            bytes: Int(headStatement.number(5)))
    }

    /// Shows the item, or its tombstone, to `visit`; false where there is no trace of it that a reader may see.
    @discardableResult package func item(
        of feed: FeedID, key: RecordKey, _ visit: (ItemRow) -> Void
    ) throws(StoreFailure) -> Bool {
        guard let number = try number(of: feed) else { return false }
        defer { itemStatement.reset() }
        try itemStatement.bind(1, number)
        try itemStatement.bind(2, key.bytes)
        // A row that is not in the log was never shown to anybody.
        guard try itemStatement.step(), !itemStatement.isNull(3) else { return false }
        visit(StoreReader.row(itemStatement))
        return true
    }

    /// Shows live items, in the feed's order, from behind `position` on or from the beginning, until `visit` says
    /// false or `limit` have been shown.
    package func items(
        of feed: FeedID, after position: ItemPosition?, limit: Int = .max, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        guard let number = try number(of: feed) else { return }
        defer { itemsStatement.reset() }
        try itemsStatement.bind(1, number)
        try itemsStatement.bind(2, position?.place.sort ?? .max)
        try itemsStatement.bind(3, position?.place.createdSeq ?? .max)
        try itemsStatement.bind(4, Int64(limit))
        while try itemsStatement.step() {
            guard visit(StoreReader.row(itemsStatement)) else { return }
        }
    }

    /// Shows what has changed since `seq`, oldest change first, until `visit` says false or `limit` were shown.
    package func changes(
        of feed: FeedID, since seq: Seq, limit: Int = .max, _ visit: (ItemRow) -> Bool
    ) throws(StoreFailure) {
        guard let number = try number(of: feed) else { return }
        defer { changesStatement.reset() }
        try changesStatement.bind(1, number)
        try changesStatement.bind(2, seq)
        try changesStatement.bind(3, Int64(limit))
        while try changesStatement.step() {
            guard visit(StoreReader.row(changesStatement)) else { return }
        }
    }

    // MARK: - Pieces

    private func number(of feed: FeedID) throws(StoreFailure) -> Int64? {
        try beginRound()
        if let number = numbers[feed] { return number }
        return try head(of: feed) == nil ? nil : numbers[feed]
    }

    private static func row(_ statement: borrowing Statement) -> ItemRow {
        unsafe ItemRow(
            key: RecordKey(statement.bytes(0)), rev: statement.number(1),
            deleted: DeleteReason(stored: statement.number(2)), seq: statement.number(3),
            createdSeq: statement.number(4), firstSeen: Timestamp(microseconds: statement.number(5)),
            changedAt: Timestamp(microseconds: statement.number(6)),
            order: OrderPlace(sort: statement.number(7), createdSeq: 0).order, body: statement.blob(8))
    }
}
