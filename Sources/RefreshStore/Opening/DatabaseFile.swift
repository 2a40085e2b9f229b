import CLinux
import Glibc
import RefreshCore

/// A connection to a sound database of this program's schema.
struct OpenedDatabase: ~Copyable {
    let connection: Connection
    /// Bytes that the file may have.
    let limit: ByteCount?
    var report: OpenReport
}

/// The folder belongs to one process until this is gone, however the process ends.
final class FolderLock: Sendable {
    private let file: CInt

    init(_ file: CInt) { self.file = file }

    // Nothing was written through it.
    deinit { _ = close(file) }
}

/// A database's file: where it lies, how it is opened, and what becomes of a damaged one.
struct DatabaseFile: Sendable {
    let folder: String
    let name: String
    let ladder: Ladder
    /// How much of what was committed may be lost when the machine goes down.
    let safety: Safety
    /// Bytes that the file may have; beyond them the disk counts as full.
    let limit: ByteCount?
    /// What salvages a damaged file; nil of one that is filled anew.
    var salvage: Salvage?

    enum Safety: String, Sendable {
        /// Nothing.
        case full = "FULL"
        /// The last commits, which the upstream still has.
        case normal = "NORMAL"
    }

    var path: String { "\(folder)/\(name)" }

    /// How many damaged databases are kept for whoever wants to look at them.
    static let quarantinesKept = 3
    /// How long a writer waits for another connection's lock, in milliseconds.
    static let patience: CInt = 5_000
    /// Pages of the log beyond which a commit writes it back.
    static let logPages: CInt = 1_000
    /// The least that may stand before the first table is made.
    static let pageSize = 8_192

    /// Opens the database for its writer, and makes it where there is none.
    ///
    /// A damaged file is set aside and a new one begun; a newer schema, and anything that has to do with the
    /// system rather than with the file's content, is a failure and leaves the file as it is.
    func open(now: Timestamp) throws(StoreFailure) -> OpenedDatabase {
        try makeFolder()
        try salvage?.finish(of: self)
        do {
            return try openSound()
        } catch .corrupt(let reason) {
            let rows = try salvage?.write(of: self, reason: reason, now: now)
            let aside = try setAside(now: now)
            try salvage?.finish(of: self)
            var opened = try openSound()
            opened.report.quarantine = OpenReport.Quarantine(path: aside, reason: reason, salvaged: rows)
            return opened
        }
    }

    // MARK: - Opening

    /// Opens it as `open` does, but for one that is damaged: that is a failure, and the file stays as it is.
    func openSound() throws(StoreFailure) -> OpenedDatabase {
        try makeFile()
        let connection = try Connection.open(path, for: .write)
        try connection.waitForLocks(milliseconds: DatabaseFile.patience)
        // Only an orderly end may write at closing: what has failed must not be written a second time.
        try connection.checkpointOnClose(false)
        let found = try ladder.version(of: connection)
        guard found <= ladder.version else {
            throw .newerSchema(path: path, found: found, known: ladder.version, backup: schemaBackup)
        }
        if found > 0 { try check(connection) }
        try tune(connection)
        let backup = found > 0 && found < ladder.version ? try backUp(schema: found) : nil
        do {
            try ladder.migrate(connection, from: found)
            if found > 0 { for probe in ladder.probes { _ = try connection.number(probe) } }
        } catch .internal(_, let message) {
            // Tables stand in the way of ours: the file was somebody else's, or its version was damaged.
            throw .corrupt(reason: message)
        }
        let report = OpenReport(
            created: found == 0, migratedFrom: found > 0 && found < ladder.version ? found : nil,
            schemaBackup: backup)
        return OpenedDatabase(connection: connection, limit: limit, report: report)
    }

    /// Reads every page once, so that damage shows now and not in the middle of an answer: a millisecond a megabyte.
    private func check(_ connection: borrowing Connection) throws(StoreFailure) {
        guard try damage(in: connection) != nil else { return }
        // The check takes a page that cannot be read for one that is damaged, and a sound file must not be set aside
        // because its disk has failed.
        try connection.readAll()
        if let reason = try damage(in: connection) { throw .corrupt(reason: reason) }
    }

    private func damage(in connection: borrowing Connection) throws(StoreFailure) -> String? {
        let statement = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try statement.step() ? statement.text(0) : nil
        return verdict == "ok" ? nil : verdict
    }

    private func tune(_ connection: borrowing Connection) throws(StoreFailure) {
        // The page size and the kind of vacuum must stand before anything is written. The log is kept small because
        // readers of a long one are slower.
        try connection.execute(
            """
            PRAGMA page_size = \(DatabaseFile.pageSize);
            PRAGMA auto_vacuum = INCREMENTAL;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = \(safety.rawValue);
            PRAGMA cache_size = -4000;
            PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = OFF;
            PRAGMA journal_size_limit = 16777216;
            PRAGMA foreign_keys = ON
            """)
        connection.checkpoint(beyond: DatabaseFile.logPages)
    }
}

extension DatabaseFile {
    /// What must never be lost, beside the cache in `folder`.
    static func durable(in folder: String, ladder: Ladder = DurableSchema.durable) -> DatabaseFile {
        DatabaseFile(
            folder: folder, name: "durable.sqlite3", ladder: ladder, safety: .full, limit: nil,
            salvage: Salvage(note: DurableSchema.noteDoubt))
    }

    /// The cache of `folder`.
    static func cache(in folder: String, limit: ByteCount? = nil, ladder: Ladder = Schema.cache)
        -> DatabaseFile
    {
        DatabaseFile(folder: folder, name: "cache.sqlite3", ladder: ladder, safety: .normal, limit: limit)
    }
}
