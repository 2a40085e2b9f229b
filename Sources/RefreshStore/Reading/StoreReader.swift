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
    let lists: ListStatements
    let log: LogStatements
    let documents: DocumentStatements
    private var isInRound = false
    /// A feed's number is never given to another one; one that was removed is found anew by its name.
    private var numbers: [FeedID: Int64] = [:]

    static let columns = """
        key, rev, state, seq, created_seq, revived_seq, txn, first_seen, changed_at, sort, missed, listed_at, \
        checked_at, body, alias
        """
    static let itemQuery = "SELECT \(columns) FROM items WHERE feed = ?1 AND key = ?2"

    /// Opens the cache that a `Store` has made in `folder`.
    package init(folder: String) throws(StoreFailure) {
        connection = try Connection.open(DatabaseFile.cache(in: folder).path, for: .read)
        // Readers wait for nobody in WAL mode but for a moment after a crash.
        try connection.waitForLocks(milliseconds: 250)
        try connection.execute("PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY")
        begin = try connection.prepare("BEGIN")
        commit = try connection.prepare("COMMIT")
        headStatement = try connection.prepare(
            """
            SELECT id, epoch, seq, floor, items, gone, bytes, listed_at, checked_at, digest, txn
            FROM feeds WHERE name = ?1
            """)
        itemStatement = try connection.prepare(StoreReader.itemQuery)
        lists = try ListStatements(connection)
        log = try LogStatements(connection)
        documents = try DocumentStatements(connection)
    }

    // MARK: - Rounds

    /// Lets go of the state that the reads of this round have shared; without any it does nothing.
    package func endRound() {
        guard isInRound else { return }
        isInRound = false
        numbers.removeAll(keepingCapacity: true)
        // A read transaction has nothing to lose; one that cannot end is ended by the next BEGIN's failure.
        try? commit.run()
    }

    func beginRound() throws(StoreFailure) {
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
            gone: Int(headStatement.number(5)), bytes: Int(headStatement.number(6)),
            listedAt: headStatement.optionalNumber(7).map(Timestamp.init(microseconds:)),
            checkedAt: headStatement.optionalNumber(8).map(Timestamp.init(microseconds:)),
            digest: ChangeDigest(sum: UInt64(bitPattern: headStatement.number(9))),
            txn: headStatement.number(10))
    }

    /// Shows the item, its last copy or its tombstone, to `visit`; false where there is no trace of it that a reader
    /// may see.
    @discardableResult package func item(
        of feed: FeedID, key: RecordKey, _ visit: (ItemRow) -> Void
    ) throws(StoreFailure) -> Bool {
        guard let number = try number(of: feed) else { return false }
        defer { itemStatement.reset() }
        try itemStatement.bind(1, number)
        try itemStatement.bind(2, key.bytes)
        // A row that is not in the log was never shown to anybody.
        guard try itemStatement.step(), !itemStatement.isNull(3) else { return false }
        visit(ItemRow(itemStatement))
        return true
    }

    /// The feed's number in the database; nil where nothing is stored of it.
    func number(of feed: FeedID) throws(StoreFailure) -> Int64? {
        try beginRound()
        if let number = numbers[feed] { return number }
        return try head(of: feed) == nil ? nil : numbers[feed]
    }
}

extension ItemRow {
    /// The row that `statement` stands on, of `StoreReader.columns`.
    init(_ statement: borrowing Statement) {
        let state = ItemState(stored: statement.number(2))
        let isGone = if case .gone = state { true } else { false }
        unsafe self.init(
            key: RecordKey(statement.bytes(0)), rev: statement.number(1), deleted: state.deleted,
            isGone: isGone,
            seq: statement.number(3), createdSeq: statement.number(4),
            revivedSeq: statement.optionalNumber(5),
            txn: statement.number(6), firstSeen: Timestamp(microseconds: statement.number(7)),
            changedAt: Timestamp(microseconds: statement.number(8)), sort: statement.bytes(9),
            stamps: Stamps(
                isListed: statement.isNull(10),
                listedAt: statement.optionalNumber(11).map(Timestamp.init(microseconds:)),
                checkedAt: statement.optionalNumber(12).map(Timestamp.init(microseconds:))),
            body: statement.blob(13), alias: statement.isNull(14) ? nil : RecordKey(statement.bytes(14)))
    }
}
