import RefreshCore
import RefreshFormats

/// The statements that find and change one row of the table of items.
final class ItemTable {
    /// What is stored under a key, without the body.
    struct Found {
        let id: Int64
        let rev: Int64
        let state: ItemState
        let place: OrderPlace
        let firstSeen: Timestamp
        /// Nil of what the latest listing held.
        let missed: Int64?
        let checkedAt: Timestamp?
        let version: VersionValue?
        /// Nil of a row that readers do not know.
        let seq: Seq?
        let bytes: Int
        let hash: ContentHash?
    }

    /// What a record is written with.
    struct Copy {
        let key: RecordKey
        let body: ArraySlice<UInt8>
        let hash: ContentHash
        let version: VersionValue?
        let place: OrderPlace
        let seq: Seq
        let txn: Int64
        let at: Timestamp
        /// Nil of what a listing holds; else the pass that will be the first to miss it.
        var missed: Int64?
        var checkedAt: Timestamp?
    }

    /// The number of a new last row.
    private static let end = "(SELECT max(id) + 1 FROM items)"

    private let find: Statement
    private let insert: Statement
    private let change: Statement
    private let move: Statement
    private let respell: Statement
    private let revive: Statement
    private let bury: Statement
    private let list: Statement
    private let miss: Statement
    private let stamp: Statement
    private let body: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        find = try connection.prepare(
            """
            SELECT id, rev, state, sort, created_seq, first_seen, missed, checked_at, version, seq, hash,
                length(body)
            FROM items WHERE feed = ?1 AND key = ?2
            """)
        insert = try connection.prepare(
            """
            INSERT INTO items
                (feed, key, seq, created_seq, txn, rev, state, sort, first_seen, changed_at, missed, checked_at,
                version, hash, body)
            VALUES (?1, ?2, ?3, ?3, ?4, 1, 0, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11)
            """)
        // The order's index is left alone by a change that names none of its columns.
        change = try connection.prepare(
            """
            UPDATE items SET seq = ?2, txn = ?3, rev = ?4, changed_at = ?5, version = ?6, hash = ?7, body = ?8
            WHERE id = ?1
            """)
        move = try connection.prepare("UPDATE items SET sort = ?2 WHERE id = ?1")
        respell = try connection.prepare("UPDATE items SET hash = ?2, body = ?3 WHERE id = ?1")
        revive = try connection.prepare(
            """
            UPDATE items SET state = 0, seq = ?2, revived_seq = ?2, txn = ?3, rev = ?4, changed_at = ?5,
                version = ?6, hash = ?7, missed = ?9, listed_at = NULL, body = ?8
            WHERE id = ?1
            """)
        // What is left of a dead item moves to the end of the table: in its place it would keep a page to itself.
        bury = try connection.prepare(
            """
            UPDATE items SET id = \(ItemTable.end), state = ?2, seq = ?3, txn = ?4, changed_at = ?5, body = NULL
            WHERE id = ?1
            """)
        list = try connection.prepare("UPDATE items SET missed = NULL, listed_at = NULL WHERE id = ?1")
        miss = try connection.prepare("UPDATE items SET missed = ?2, listed_at = ?3 WHERE id = ?1")
        stamp = try connection.prepare("UPDATE items SET checked_at = ?2 WHERE id = ?1")
        body = try connection.prepare("SELECT body FROM items WHERE id = ?1")
        rest = try Rest(connection)
    }

    // MARK: - Reading

    func find(_ key: RecordKey, feed: Int64) throws(StoreFailure) -> Found? {
        defer { find.reset() }
        try find.bind(1, feed)
        try find.bind(2, key.bytes)
        guard try find.step() else { return nil }
        return Found(
            id: find.number(0), rev: find.number(1), state: ItemState(stored: find.number(2)),
            place: OrderPlace(sort: find.bytes(3), createdSeq: find.number(4)),
            firstSeen: Timestamp(microseconds: find.number(5)), missed: find.optionalNumber(6),
            checkedAt: find.optionalNumber(7).map(Timestamp.init(microseconds:)),
            version: find.isNull(8) ? nil : VersionValue(stored: find.bytes(8)), seq: find.optionalNumber(9),
            bytes: Int(find.number(11)), hash: find.hash(10))
    }

    func body(of id: Int64) throws(StoreFailure) -> [UInt8] {
        defer { body.reset() }
        try body.bind(1, id)
        return try body.step() ? body.bytes(0) : []
    }

    // MARK: - Writing

    /// Returns the new row's number.
    func insert(_ copy: Copy, feed: Int64) throws(StoreFailure) -> Int64 {
        try insert.bind(1, feed)
        try insert.bind(2, copy.key.bytes)
        try insert.bind(3, copy.seq)
        try insert.bind(4, copy.txn)
        try insert.bind(5, copy.place.sort)
        try insert.bind(6, copy.at.microseconds)
        try insert.bind(7, copy.missed)
        try insert.bind(8, copy.checkedAt?.microseconds)
        try insert.bind(9, version: copy.version)
        try insert.bind(10, copy.hash)
        try insert.run(borrowing: copy.body, at: 11)
        return insert.lastInsertedRow
    }

    /// Gives the item a new body, its next revision and a new place in the log; a dead one lives again.
    func replace(_ found: Found, _ copy: Copy) throws(StoreFailure) {
        if copy.place.sort != found.place.sort { try move(found.id, to: copy.place.sort) }
        if found.state == .live {
            try write(found, copy, change)
        } else {
            try revive.bind(9, copy.missed)
            try write(found, copy, revive)
        }
    }

    private func write(
        _ found: Found, _ copy: Copy, _ statement: borrowing Statement
    ) throws(StoreFailure) {
        try statement.bind(1, found.id)
        try statement.bind(2, copy.seq)
        try statement.bind(3, copy.txn)
        try statement.bind(4, found.rev + 1)
        try statement.bind(5, copy.at.microseconds)
        try statement.bind(6, version: copy.version)
        try statement.bind(7, copy.hash)
        try statement.run(borrowing: copy.body, at: 8)
    }

    /// Another spelling of the same record: no revision, no place in the log (semantics C1).
    func respell(_ id: Int64, body: ArraySlice<UInt8>, hash: ContentHash) throws(StoreFailure) {
        try respell.bind(1, id)
        try respell.bind(2, hash)
        try respell.run(borrowing: body, at: 3)
    }

    /// Changes the item's place in the order, and nothing else.
    func move(_ id: Int64, to sort: [UInt8]) throws(StoreFailure) {
        try move.bind(1, id)
        try move.bind(2, sort)
        try move.run()
    }

    /// Drops the body and leaves the reason; without a `seq` the row is no part of the log any more.
    func bury(
        _ id: Int64, _ reason: DeleteReason, seq: Seq?, txn: Int64, at: Timestamp
    ) throws(StoreFailure) {
        try bury.bind(1, id)
        try bury.bind(2, ItemState.tombstone(reason).stored)
        try bury.bind(3, seq)
        try bury.bind(4, txn)
        try bury.bind(5, at.microseconds)
        try bury.run()
    }

    /// The latest listing held it.
    func list(_ id: Int64) throws(StoreFailure) {
        try list.bind(1, id)
        try list.run()
    }

    /// The listing with the number `pass` is the first that did not hold it, which did last at `at`.
    func miss(_ id: Int64, pass: Int64, at: Timestamp?) throws(StoreFailure) {
        try miss.bind(1, id)
        try miss.bind(2, pass)
        try miss.bind(3, at?.microseconds)
        try miss.run()
    }

    /// A request of its own that began at `at` has confirmed it.
    func stamp(_ id: Int64, at: Timestamp) throws(StoreFailure) {
        try stamp.bind(1, id)
        try stamp.bind(2, at.microseconds)
        try stamp.run()
    }

    // MARK: - Another key

    /// Gives a live item the key, the text and the next revision of `copy`; it remembers the key that it had.
    func rekey(_ found: Found, from key: RecordKey, _ copy: Copy) throws(StoreFailure) {
        try rest.rekey.bind(1, found.id)
        try rest.rekey.bind(2, copy.key.bytes)
        try rest.rekey.bind(3, copy.seq)
        try rest.rekey.bind(4, copy.txn)
        try rest.rekey.bind(5, found.rev + 1)
        try rest.rekey.bind(6, copy.at.microseconds)
        try rest.rekey.bind(7, copy.hash)
        try rest.rekey.bind(8, key.bytes)
        try rest.rekey.run(borrowing: copy.body, at: 9)
    }

    /// What is left under the old key, and says which one took its place.
    func insertReplaced(
        _ found: Found, _ rekeying: ChurnGuard.Rekeying, seq: Seq, txn: Int64, at: Timestamp, feed: Int64
    ) throws(StoreFailure) {
        try rest.leave.bind(1, feed)
        try rest.leave.bind(2, rekeying.from.bytes)
        try rest.leave.bind(3, seq)
        try rest.leave.bind(4, found.place.createdSeq)
        try rest.leave.bind(5, txn)
        try rest.leave.bind(6, found.rev)
        try rest.leave.bind(7, ItemState.tombstone(.replaced).stored)
        try rest.leave.bind(8, found.place.sort)
        try rest.leave.bind(9, found.firstSeen.microseconds)
        try rest.leave.bind(10, at.microseconds)
        try rest.leave.bind(11, found.hash ?? ContentHash(high: 0, low: 0))
        try rest.leave.bind(12, rekeying.to.bytes)
        try rest.leave.run()
    }

    // MARK: - Quiet changes

    /// The changes of an item that only its content showed, and when it changed last (refresh policy SC3).
    func quietChanges(of id: Int64) throws(StoreFailure) -> QuietChanges {
        defer { rest.quiet.reset() }
        try rest.quiet.bind(1, id)
        guard try rest.quiet.step() else { return QuietChanges() }
        return QuietChanges(
            count: Int(rest.quiet.number(0)), last: Timestamp(microseconds: rest.quiet.number(1)))
    }

    func setQuietChanges(_ changes: QuietChanges, of id: Int64) throws(StoreFailure) {
        try rest.setQuiet.bind(1, id)
        try rest.setQuiet.bind(2, Int64(changes.count))
        try rest.setQuiet.run()
    }

    // MARK: - The way of what is gone

    private let rest: Rest

    /// Statements that are seldom used.
    private final class Rest {
        let vanish: Statement
        let fade: Statement
        let unlog: Statement
        let purge: Statement
        let rekey: Statement
        let leave: Statement
        let quiet: Statement
        let setQuiet: Statement

        init(_ connection: borrowing Connection) throws(StoreFailure) {
            vanish = try connection.prepare(
                "UPDATE items SET state = ?2, seq = ?3, txn = ?4, changed_at = ?5 WHERE id = ?1")
            fade = try connection.prepare(
                """
                UPDATE items SET id = \(ItemTable.end), state = state - \(ItemState.goneMark), body = NULL
                WHERE id = ?1
                """)
            unlog = try connection.prepare("UPDATE items SET seq = NULL WHERE id = ?1")
            purge = try connection.prepare("DELETE FROM items WHERE id = ?1")
            rekey = try connection.prepare(
                """
                UPDATE items SET key = ?2, seq = ?3, txn = ?4, rev = ?5, changed_at = ?6, hash = ?7, alias = ?8,
                    body = ?9
                WHERE id = ?1
                """)
            leave = try connection.prepare(
                """
                INSERT INTO items
                    (feed, key, seq, created_seq, txn, rev, state, sort, first_seen, changed_at, hash, alias)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                """)
            quiet = try connection.prepare("SELECT ifnull(quiet, 0), changed_at FROM items WHERE id = ?1")
            setQuiet = try connection.prepare("UPDATE items SET quiet = ?2 WHERE id = ?1")
        }
    }

    /// The item is gone, and its last copy is still shown as such (semantics T5).
    func vanish(
        _ id: Int64, _ reason: DeleteReason, seq: Seq, txn: Int64, at: Timestamp
    ) throws(StoreFailure) {
        try rest.vanish.bind(1, id)
        try rest.vanish.bind(2, ItemState.gone(reason).stored)
        try rest.vanish.bind(3, seq)
        try rest.vanish.bind(4, txn)
        try rest.vanish.bind(5, at.microseconds)
        try rest.vanish.run()
    }

    /// What is gone becomes a tombstone: the log has told of it already.
    func fade(_ id: Int64) throws(StoreFailure) {
        try rest.fade.bind(1, id)
        try rest.fade.run()
    }

    /// Takes the row out of the log; it stays as a line of the ledger (semantics T8).
    func unlog(_ id: Int64) throws(StoreFailure) {
        try rest.unlog.bind(1, id)
        try rest.unlog.run()
    }

    func purge(_ id: Int64) throws(StoreFailure) {
        try rest.purge.bind(1, id)
        try rest.purge.run()
    }
}

extension Statement {
    func bind(_ index: CInt, version: VersionValue?) throws(StoreFailure) {
        if let version { try bind(index, version.stored) } else { try bind(index, nil as Int64?) }
    }
}
