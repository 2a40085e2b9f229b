import RefreshCore

/// The statements that read ranges of the table of items for its writer; each is one range of an index.
final class ItemRanges {
    /// An item with a body, live or gone.
    struct Kept {
        let id: Int64
        let key: RecordKey
        let rev: Int64
        let state: ItemState
        let place: OrderPlace
        let bytes: Int
        let missed: Int64?
        let listedAt: Timestamp?
        let checkedAt: Timestamp?
        let seq: Seq?

        /// What it is sorted by, where that is a time.
        var order: Timestamp? { OrderValue(stored: place.sort)?.timestamp }
    }

    /// An item without a body.
    struct Dead {
        let id: Int64
        let isEvicted: Bool
        let seq: Seq?
        let missed: Int64?
        let listedAt: Timestamp?
        let at: Timestamp
        let keyBytes: Int
    }

    private let live: Statement
    private let liveFromTop: Statement
    private let gone: Statement
    private let fading: Statement
    private let missed: Statement
    private let one: Statement
    private let liveIDs: Statement
    private let ledgerIDs: Statement
    private let evictedIDs: Statement
    private let tombstones: Statement
    private let ledger: Statement
    private let overdue: Statement
    private let any: Statement
    private let between: Statement
    private let keyBytes: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        func prepare(_ sql: String) throws(StoreFailure) -> Statement { try connection.prepare(sql) }
        let kept = """
            SELECT id, key, rev, state, sort, created_seq, length(body), missed, listed_at, checked_at, seq FROM items
            """
        let dead = "SELECT id, state, seq, missed, listed_at, changed_at, length(key) FROM items"
        live = try prepare("\(kept) WHERE feed = ?1 AND state = 0 ORDER BY sort, created_seq LIMIT ?2")
        liveFromTop = try prepare(
            "\(kept) WHERE feed = ?1 AND state = 0 ORDER BY sort DESC, created_seq DESC LIMIT ?2")
        gone = try prepare("\(kept) WHERE feed = ?1 AND state >= 16 ORDER BY sort, created_seq LIMIT ?2")
        fading = try prepare(
            "\(kept) WHERE feed = ?1 AND state >= 16 AND changed_at < ?2 ORDER BY changed_at")
        missed = try prepare("\(kept) WHERE feed = ?1 AND missed IS NOT NULL AND missed <= ?2 AND +state = 0")
        one = try prepare("\(kept) WHERE id = ?1")
        liveIDs = try prepare("SELECT id FROM items WHERE feed = ?1 AND state = 0 ORDER BY sort, created_seq")
        ledgerIDs = try prepare("SELECT id FROM items WHERE feed = ?1 AND seq IS NULL ORDER BY changed_at")
        evictedIDs = try prepare(
            """
            SELECT id FROM items
            WHERE feed = ?1 AND state BETWEEN 1 AND 15 AND seq IS NOT NULL AND state = 3 ORDER BY changed_at
            """)
        tombstones = try prepare(
            """
            \(dead) WHERE feed = ?1 AND state BETWEEN 1 AND 15 AND seq IS NOT NULL ORDER BY changed_at LIMIT ?2
            """)
        ledger = try prepare("\(dead) WHERE feed = ?1 AND seq IS NULL ORDER BY changed_at LIMIT ?2")
        overdue = try prepare(
            """
            \(dead) WHERE feed = ?1 AND missed IS NOT NULL AND missed <= ?2 AND seq IS NULL ORDER BY missed LIMIT ?3
            """)
        between = try prepare(
            "\(kept) WHERE feed = ?1 AND state = 0 AND sort >= ?2 AND sort < ?3 ORDER BY sort, created_seq")
        keyBytes = try prepare(
            """
            SELECT count(*), sum(length(key)) FROM items
            WHERE feed = ?1 AND state BETWEEN 1 AND 15 AND seq IS NOT NULL
            """)
        any = try prepare("SELECT id FROM items WHERE feed = ?1 LIMIT ?2")
    }

    // MARK: - Kept items

    /// Live items from the end of the feed's order on, or from its top, until `visit` says false.
    func liveOnes(
        feed: Int64, fromTop: Bool = false, limit: Int = .max, _ visit: (Kept) -> Bool
    ) throws(StoreFailure) {
        if fromTop {
            try each(feed, Int64(limit), liveFromTop, visit)
        } else {
            try each(feed, Int64(limit), live, visit)
        }
    }

    /// Items that are gone, from the end of the feed's order on.
    func goneOnes(feed: Int64, limit: Int) throws(StoreFailure) -> [Kept] {
        try all(feed, Int64(limit), gone)
    }

    /// Items that went before `time`.
    func goneOnes(feed: Int64, before time: Timestamp) throws(StoreFailure) -> [Kept] {
        try all(feed, time.microseconds, fading)
    }

    /// Live items that no listing has held since the one with the number `pass`, or longer.
    func missedOnes(feed: Int64, since pass: Int64) throws(StoreFailure) -> [Kept] {
        try all(feed, pass, missed)
    }

    /// Live items that are sorted by a time before `time`.
    func olderOnes(feed: Int64, than time: Timestamp, isAscending: Bool) throws(StoreFailure) -> [Kept] {
        let bound = OrderValue.time(time).stored(isDescending: !isAscending)
        let (low, high) = isAscending ? (bound + [0], [bound[0] + 1]) : ([bound[0]], bound)
        defer { between.reset() }
        try between.bind(1, feed)
        try between.bind(2, low)
        try between.bind(3, high)
        var items: [Kept] = []
        while try between.step() { items.append(ItemRanges.kept(between)) }
        return items
    }

    /// Bytes that the log's tombstones take, about.
    func tombstoneBytes(feed: Int64) throws(StoreFailure) -> Int {
        defer { keyBytes.reset() }
        try keyBytes.bind(1, feed)
        guard try keyBytes.step() else { return 0 }
        return Int(keyBytes.number(1)) + Int(keyBytes.number(0)) * TombstonePurge.rowBytes
    }

    func one(_ id: Int64) throws(StoreFailure) -> Kept? {
        defer { one.reset() }
        try one.bind(1, id)
        return try one.step() ? ItemRanges.kept(one) : nil
    }

    // MARK: - Numbers of rows

    /// Every row that a listing is compared with, out of indexes alone.
    func listableIDs(feed: Int64, hasLedger: Bool, _ visit: (Int64) -> Void) throws(StoreFailure) {
        try eachID(feed, liveIDs, visit)
        guard hasLedger else { return }
        try eachID(feed, ledgerIDs, visit)
        try eachID(feed, evictedIDs, visit)
    }

    /// Some rows of the feed, whatever they are.
    func anyIDs(feed: Int64, limit: Int) throws(StoreFailure) -> [Int64] {
        defer { any.reset() }
        try any.bind(1, feed)
        try any.bind(2, Int64(limit))
        var ids: [Int64] = []
        while try any.step() { ids.append(any.number(0)) }
        return ids
    }

    // MARK: - Dead ones

    /// Tombstones of the log, the longest dead first, until `visit` says false.
    func tombstones(feed: Int64, limit: Int, _ visit: (Dead) -> Bool) throws(StoreFailure) {
        try eachDead(feed, Int64(limit), tombstones, visit)
    }

    /// Lines of the ledger that are in no log, the oldest first, until `visit` says false.
    func ledger(feed: Int64, _ visit: (Dead) -> Bool) throws(StoreFailure) {
        try eachDead(feed, .max, ledger, visit)
    }

    /// Lines of the ledger that no listing has held since the one with the number `pass`, or longer.
    func ledger(feed: Int64, missedSince pass: Int64, limit: Int) throws(StoreFailure) -> [Dead] {
        defer { overdue.reset() }
        try overdue.bind(1, feed)
        try overdue.bind(2, pass)
        try overdue.bind(3, Int64(limit))
        var lines: [Dead] = []
        while try overdue.step() { lines.append(ItemRanges.dead(overdue)) }
        return lines
    }

    // MARK: - Pieces

    private func all(
        _ feed: Int64, _ bound: Int64, _ statement: borrowing Statement
    ) throws(StoreFailure) -> [Kept] {
        var items: [Kept] = []
        try each(feed, bound, statement) { item in
            items.append(item)
            return true
        }
        return items
    }

    private func each(
        _ feed: Int64, _ bound: Int64, _ statement: borrowing Statement, _ visit: (Kept) -> Bool
    ) throws(StoreFailure) {
        defer { statement.reset() }
        try statement.bind(1, feed)
        try statement.bind(2, bound)
        while try statement.step() {
            guard visit(ItemRanges.kept(statement)) else { return }
        }
    }

    private func eachDead(
        _ feed: Int64, _ bound: Int64, _ statement: borrowing Statement, _ visit: (Dead) -> Bool
    ) throws(StoreFailure) {
        defer { statement.reset() }
        try statement.bind(1, feed)
        try statement.bind(2, bound)
        while try statement.step() {
            guard visit(ItemRanges.dead(statement)) else { return }
        }
    }

    private func eachID(
        _ feed: Int64, _ statement: borrowing Statement, _ visit: (Int64) -> Void
    ) throws(StoreFailure) {
        defer { statement.reset() }
        try statement.bind(1, feed)
        while try statement.step() { visit(statement.number(0)) }
    }

    private static func kept(_ row: borrowing Statement) -> Kept {
        Kept(
            id: row.number(0), key: RecordKey(row.bytes(1)), rev: row.number(2),
            state: ItemState(stored: row.number(3)),
            place: OrderPlace(sort: row.bytes(4), createdSeq: row.number(5)), bytes: Int(row.number(6)),
            missed: row.optionalNumber(7),
            listedAt: row.optionalNumber(8).map(Timestamp.init(microseconds:)),
            checkedAt: row.optionalNumber(9).map(Timestamp.init(microseconds:)), seq: row.optionalNumber(10))
    }

    private static func dead(_ row: borrowing Statement) -> Dead {
        Dead(
            id: row.number(0), isEvicted: ItemState(stored: row.number(1)) == .tombstone(.retention),
            seq: row.optionalNumber(2), missed: row.optionalNumber(3),
            listedAt: row.optionalNumber(4).map(Timestamp.init(microseconds:)),
            at: Timestamp(microseconds: row.number(5)), keyBytes: Int(row.number(6)))
    }
}
