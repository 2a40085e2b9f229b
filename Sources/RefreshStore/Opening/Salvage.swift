import CLinux
import Glibc
import RefreshCore

/// Copies the rows of a damaged database that can still be read into a new one (operations 4.2).
///
/// The new one is whole and on the disk under another name before the damaged one is moved away. So a kill leaves
/// either the damaged one, and it is salvaged again, or none at all, and the new one takes its place.
struct Salvage: Sendable {
    /// Notes in the new database what has happened: ?1 is a text, ?2 the time.
    let note: String

    private static func draft(of file: DatabaseFile) -> String { "\(file.folder)/.\(file.name).salvaged" }

    /// Puts what an earlier salvage has saved in the place of a database that is not there any more.
    func finish(of file: DatabaseFile) throws(StoreFailure) {
        let draft = Salvage.draft(of: file)
        guard unsafe access(draft, F_OK) == 0 else { return }
        guard unsafe access(file.path, F_OK) != 0 else {
            // The damaged one is still there: what was saved of it may not be all.
            _ = unsafe unlink(draft)
            return
        }
        // A log that was left behind is the damaged one's, and SQLite would take it for this one's.
        for left in ["\(file.path)-wal", "\(file.path)-shm"] {
            guard unsafe unlink(left) == 0 || refreshd_errno() == ENOENT else {
                throw .cannotOpen(path: left, reason: SystemError.text(refreshd_errno()))
            }
        }
        guard unsafe rename(draft, file.path) == 0 else {
            throw .cannotOpen(path: file.path, reason: SystemError.text(refreshd_errno()))
        }
        try Backup.sync(file.folder, O_RDONLY | O_DIRECTORY)
    }

    /// Writes the new database beside the damaged one, and says how many rows it could save.
    func write(of file: DatabaseFile, reason: String, now: Timestamp) throws(StoreFailure) -> Int {
        let draft = Salvage.draft(of: file)
        try Backup.make(draft)
        Failpoint.pass(.salvaging)
        var saved = 0
        do {
            let target = try Connection.open(draft, for: .write)
            try file.ladder.migrate(target, from: 0)
            try target.execute("BEGIN IMMEDIATE")
            saved = try copyTables(from: file.path, to: target)
            let note = try target.prepare(note)
            let text = "the database was damaged (\(reason)); \(saved) rows were saved, "
            try note.bind(1, text + "the damaged one lies at \(file.asidePath(now: now))")
            try note.bind(2, now.microseconds)
            try note.run()
            try target.execute("COMMIT")
        }
        try Backup.sync(draft, O_RDWR | O_NOFOLLOW)
        Failpoint.pass(.salvaged)
        return saved
    }

    // MARK: - Tables

    private func copyTables(from path: String, to target: borrowing Connection) throws(StoreFailure) -> Int {
        // Whatever the damaged one answers with is no failure of the new one.
        guard let source = try? Connection.open(path, for: .read) else { return 0 }
        var saved = 0
        for table in try Salvage.tables(of: target) {
            let known = try Salvage.columns(of: table, in: target)
            guard let found = try? Salvage.columns(of: table, in: source) else { continue }
            let names = known.map(\.name).filter { name in found.contains { $0.name == name } }
            let order = known.filter { $0.rank > 0 }.sorted { $0.rank < $1.rank }.map(\.name)
            guard !names.isEmpty else { continue }
            // From both ends towards the damage.
            for direction in ["ASC", "DESC"] {
                let places = (order.isEmpty ? ["rowid"] : order).map { "\($0) \(direction)" }
                saved += try copyRows(
                    of: table, names, order: places.joined(separator: ", "), from: source, to: target)
            }
        }
        return saved
    }

    /// Copies rows until one cannot be read.
    private func copyRows(
        of table: String, _ names: [String], order: String, from source: borrowing Connection,
        to target: borrowing Connection
    ) throws(StoreFailure) -> Int {
        let columns = names.joined(separator: ", ")
        let places = (1...names.count).map { "?\($0)" }.joined(separator: ", ")
        let insert = try target.prepare("INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))")
        guard let rows = try? source.prepare("SELECT \(columns) FROM \(table) ORDER BY \(order)") else {
            return 0
        }
        let before = target.totalChanges
        while (try? rows.step()) == true {
            for column in names.indices { try insert.bind(CInt(column + 1), rows, column: CInt(column)) }
            do throws(StoreFailure) {
                try insert.run()
            } catch .internal {
                // No value that the column may have: a row that was damaged.
                continue
            }
        }
        return Int(target.totalChanges - before)
    }

    private static func tables(of connection: borrowing Connection) throws(StoreFailure) -> [String] {
        var names: [String] = []
        let rows = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        while try rows.step() { if let name = rows.text(0) { names.append(name) } }
        return names
    }

    /// The names of the columns, and their rank in the primary key; 0 is none.
    private static func columns(
        of table: String, in connection: borrowing Connection
    ) throws(StoreFailure) -> [(name: String, rank: Int64)] {
        var columns: [(name: String, rank: Int64)] = []
        let rows = try connection.prepare("PRAGMA table_info(\(table))")
        while try rows.step() { if let name = rows.text(1) { columns.append((name, rows.number(5))) } }
        return columns
    }
}
