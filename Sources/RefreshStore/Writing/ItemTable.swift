import RefreshCore

/// The statements on the table of items.
final class ItemTable {
    /// What is stored under a key, without the body.
    struct Found {
        let id: Int64
        let rev: Int64
        /// Nil of a live item.
        let deleted: DeleteReason?
        let place: OrderPlace
        let firstSeen: Timestamp
        let bytes: Int
        let hash: ContentHash?
    }

    /// A live item that may have to go.
    struct Live {
        let id: Int64
        let place: OrderPlace
        let bytes: Int
    }

    /// A row of an item that is not live.
    struct Trace {
        let id: Int64
        /// Nil where no reader can know of it.
        let seq: Seq?
        let at: Timestamp
    }

    private let find: Statement
    private let insert: Statement
    private let change: Statement
    private let move: Statement
    private let revive: Statement
    private let bury: Statement
    private let order: Statement
    private let traces: Statement
    private let purge: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        find = try connection.prepare(
            """
            SELECT id, rev, state, sort, created_seq, first_seen, hash, length(body)
            FROM items WHERE feed = ?1 AND key = ?2
            """)
        insert = try connection.prepare(
            """
            INSERT INTO items
                (feed, key, seq, created_seq, rev, state, sort, first_seen, changed_at, hash, body)
            VALUES (?1, ?2, ?3, ?3, 1, 0, ?4, ?5, ?5, ?6, ?7)
            """)
        // The order's index is left alone by a change that names none of its columns.
        change = try connection.prepare(
            "UPDATE items SET seq = ?2, rev = ?3, changed_at = ?4, hash = ?5, body = ?6 WHERE id = ?1")
        move = try connection.prepare("UPDATE items SET sort = ?2 WHERE id = ?1")
        revive = try connection.prepare(
            """
            UPDATE items SET state = 0, seq = ?2, rev = ?3, changed_at = ?4, hash = ?5, body = ?6
            WHERE id = ?1
            """)
        bury = try connection.prepare(
            "UPDATE items SET state = ?2, seq = ?3, changed_at = ?4, body = NULL WHERE id = ?1")
        order = try connection.prepare(
            """
            SELECT id, sort, created_seq, length(body) FROM items
            WHERE feed = ?1 AND state = 0 ORDER BY sort, created_seq LIMIT ?2
            """)
        traces = try connection.prepare(
            "SELECT id, seq, changed_at FROM items WHERE feed = ?1 AND state <> 0 ORDER BY changed_at")
        purge = try connection.prepare("DELETE FROM items WHERE id = ?1")
    }

    // MARK: - Reading

    func find(_ key: RecordKey, feed: Int64) throws(StoreFailure) -> Found? {
        defer { find.reset() }
        try find.bind(1, feed)
        try find.bind(2, key.bytes)
        guard try find.step() else { return nil }
        return Found(
            id: find.number(0), rev: find.number(1), deleted: DeleteReason(stored: find.number(2)),
            place: OrderPlace(sort: find.number(3), createdSeq: find.number(4)),
            firstSeen: Timestamp(microseconds: find.number(5)), bytes: Int(find.number(7)),
            hash: find.hash(6))
    }

    /// Live items from the end of the feed's order on, until `visit` says false.
    func fromTheEnd(
        feed: Int64, limit: Int = .max, _ visit: (Live) -> Bool
    ) throws(StoreFailure) {
        defer { order.reset() }
        try order.bind(1, feed)
        try order.bind(2, Int64(limit))
        while try order.step() {
            let place = OrderPlace(sort: order.number(1), createdSeq: order.number(2))
            guard visit(Live(id: order.number(0), place: place, bytes: Int(order.number(3)))) else { return }
        }
    }

    /// Rows of items that are not live, the longest dead first, until `visit` says false.
    func deadOnes(feed: Int64, _ visit: (Trace) -> Bool) throws(StoreFailure) {
        defer { traces.reset() }
        try traces.bind(1, feed)
        while try traces.step() {
            let at = Timestamp(microseconds: traces.number(2))
            guard visit(Trace(id: traces.number(0), seq: traces.optionalNumber(1), at: at)) else { return }
        }
    }

    // MARK: - Writing

    /// Returns the new row's number.
    func insert(
        _ row: RecordPage.Row, body: ArraySlice<UInt8>, feed: Int64, place: OrderPlace, at: Timestamp
    ) throws(StoreFailure) -> Int64 {
        try insert.bind(1, feed)
        try insert.bind(2, row.key.bytes)
        try insert.bind(3, place.createdSeq)
        try insert.bind(4, place.sort)
        try insert.bind(5, at.microseconds)
        try insert.bind(6, row.hash)
        try insert.run(borrowing: body, at: 7)
        return insert.lastInsertedRow
    }

    /// Gives the item a new body, its next revision and a new place in the log; a dead one lives again.
    func replace(
        _ found: Found, hash: ContentHash, body: ArraySlice<UInt8>, seq: Seq, sort: Int64, at: Timestamp
    ) throws(StoreFailure) {
        if sort != found.place.sort {
            try move.bind(1, found.id)
            try move.bind(2, sort)
            try move.run()
        }
        if found.deleted == nil {
            try write(found, hash, body, seq, at, change)
        } else {
            try write(found, hash, body, seq, at, revive)
        }
    }

    private func write(
        _ found: Found, _ hash: ContentHash, _ body: ArraySlice<UInt8>, _ seq: Seq, _ at: Timestamp,
        _ statement: borrowing Statement
    ) throws(StoreFailure) {
        try statement.bind(1, found.id)
        try statement.bind(2, seq)
        try statement.bind(3, found.rev + 1)
        try statement.bind(4, at.microseconds)
        try statement.bind(5, hash)
        try statement.run(borrowing: body, at: 6)
    }

    /// Drops the body and leaves the reason; without a `seq` the row is no part of the log any more.
    func bury(_ id: Int64, reason: DeleteReason, seq: Seq?, at: Timestamp) throws(StoreFailure) {
        try bury.bind(1, id)
        try bury.bind(2, Int64(reason.rawValue))
        try bury.bind(3, seq)
        try bury.bind(4, at.microseconds)
        try bury.run()
    }

    func purge(_ id: Int64) throws(StoreFailure) {
        try purge.bind(1, id)
        try purge.run()
    }
}

extension DeleteReason {
    /// Nil for the state of a live item.
    init?(stored state: Int64) {
        guard state != 0 else { return nil }
        // A reason that only a newer program knows is still a deletion.
        self = DeleteReason(rawValue: Int(state)) ?? .upstream
    }
}
