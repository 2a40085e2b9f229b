import RefreshCore

/// The statements on the table of feeds.
final class FeedTable {
    private static let columns = [
        "epoch", "shape", "seq", "floor", "txn", "digest", "items", "gone", "bytes", "listed", "tombstones",
        "ledger", "passes", "reorder", "listed_at", "checked_at", "progress", "notes",
    ]

    private let find: Statement
    private let insert: Statement
    private let update: Statement
    private let names: Statement
    private let delete: Statement
    private let disown: Statement
    private let nameless: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        let columns = FeedTable.columns
        find = try connection.prepare(
            "SELECT id, \(columns.joined(separator: ", ")) FROM feeds WHERE name = ?1")
        insert = try connection.prepare("INSERT INTO feeds (name, epoch) VALUES (?1, ?2)")
        let settings = columns.enumerated().map { "\($0.element) = ?\($0.offset + 2)" }
        update = try connection.prepare(
            "UPDATE feeds SET \(settings.joined(separator: ", ")) WHERE id = ?1")
        names = try connection.prepare("SELECT name FROM feeds ORDER BY name")
        delete = try connection.prepare("DELETE FROM feeds WHERE id = ?1")
        // No feed may have such a name.
        disown = try connection.prepare("UPDATE feeds SET name = '/' || id, progress = NULL WHERE id = ?1")
        nameless = try connection.prepare("SELECT id FROM feeds WHERE name BETWEEN '/' AND '/A' LIMIT 1")
    }

    func row(of feed: FeedID) throws(StoreFailure) -> FeedRow? {
        defer { find.reset() }
        try find.bind(1, feed.name)
        guard try find.step() else { return nil }
        var row = FeedRow(
            id: find.number(0), epoch: Epoch(UInt64(bitPattern: find.number(1))), seq: find.number(3),
            floor: find.number(4), items: Int(find.number(7)), bytes: Int(find.number(9)),
            progress: ProgressCoding.progress(find.bytes(17)))
        row.shape = UInt64(bitPattern: find.number(2))
        row.txn = find.number(5)
        row.digest = ChangeDigest(sum: UInt64(bitPattern: find.number(6)))
        row.gone = Int(find.number(8))
        row.listed = Int(find.number(10))
        row.tombstones = Int(find.number(11))
        row.ledger = Int(find.number(12))
        row.passes = find.number(13)
        row.reorders = find.number(14) != 0
        row.listedAt = find.optionalNumber(15).map(Timestamp.init(microseconds:))
        row.checkedAt = find.optionalNumber(16).map(Timestamp.init(microseconds:))
        row.notes = NotesCoding.notes(find.bytes(18))
        return row
    }

    func add(_ feed: FeedID, epoch: Epoch) throws(StoreFailure) {
        try insert.bind(1, feed.name)
        try insert.bind(2, Int64(bitPattern: epoch.number))
        try insert.run()
    }

    func save(_ row: FeedRow) throws(StoreFailure) {
        let numbers: [Int64?] = [
            row.id, Int64(bitPattern: row.epoch.number), Int64(bitPattern: row.shape), row.seq, row.floor,
            row.txn,
            Int64(bitPattern: row.digest.sum), Int64(row.items), Int64(row.gone), Int64(row.bytes),
            Int64(row.listed), Int64(row.tombstones), Int64(row.ledger), row.passes, row.reorders ? 1 : 0,
            row.listedAt?.microseconds, row.checkedAt?.microseconds,
        ]
        for (index, number) in numbers.enumerated() { try update.bind(CInt(index + 1), number) }
        try update.bind(18, ProgressCoding.bytes(row.progress))
        try update.bind(19, NotesCoding.bytes(row.notes))
        try update.run()
    }

    /// Every feed that anything is stored of.
    func all() throws(StoreFailure) -> [FeedID] {
        defer { names.reset() }
        var feeds: [FeedID] = []
        while try names.step() {
            if let feed = names.text(0).flatMap({ FeedID($0) }) { feeds.append(feed) }
        }
        return feeds
    }

    /// Takes the feed's name away.
    func disown(_ id: Int64) throws(StoreFailure) {
        try disown.bind(1, id)
        try disown.run()
    }

    /// A feed without a name, whose rows are still there.
    func disowned() throws(StoreFailure) -> Int64? {
        defer { nameless.reset() }
        return try nameless.step() ? nameless.number(0) : nil
    }

    /// Forgets the feed; its items have to be gone.
    func remove(_ id: Int64) throws(StoreFailure) {
        try delete.bind(1, id)
        try delete.run()
    }
}
