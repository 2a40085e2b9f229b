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
    /// The least that may stand before the first table is made.
    static let pageSize = 8_192

    /// Opens the database for its writer, and makes it where there is none.
    ///
    /// A damaged file is set aside and a new one begun; a newer schema, and anything that has to do with the
    /// system rather than with the file's content, is a failure and leaves the file as it is.
    func open(now: Timestamp) throws(StoreFailure) -> OpenedDatabase {
        try makeFolder()
        do {
            return try openOnce()
        } catch .corrupt(let reason) {
            let aside = try setAside(now: now)
            var opened = try openOnce()
            opened.report.quarantine = OpenReport.Quarantine(path: aside, reason: reason)
            return opened
        }
    }

    // MARK: - Opening

    private func openOnce() throws(StoreFailure) -> OpenedDatabase {
        try makeFile()
        let connection = try Connection.open(path, for: .write)
        try connection.waitForLocks(milliseconds: DatabaseFile.patience)
        // Until the file is known to be ours and sound, not even closing may write.
        try connection.checkpointOnClose(false)
        let found = try ladder.version(of: connection)
        guard found <= ladder.version else {
            throw .newerSchema(path: path, found: found, known: ladder.version)
        }
        if found > 0 { try check(connection) }
        try connection.checkpointOnClose(true)
        try tune(connection)
        do {
            try ladder.migrate(connection, from: found)
            if found > 0 { for probe in ladder.probes { _ = try connection.number(probe) } }
        } catch .internal(_, let message) {
            // Tables stand in the way of ours: the file was somebody else's, or its version was damaged.
            throw .corrupt(reason: message)
        }
        let report = OpenReport(
            created: found == 0, migratedFrom: found > 0 && found < ladder.version ? found : nil)
        return OpenedDatabase(connection: connection, limit: limit, report: report)
    }

    /// Reads every page once, so that damage shows now and not in the middle of an answer: a millisecond a megabyte.
    private func check(_ connection: borrowing Connection) throws(StoreFailure) {
        let statement = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try statement.step() ? statement.text(0) : nil
        if let verdict, verdict != "ok" { throw .corrupt(reason: verdict) }
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
            PRAGMA wal_autocheckpoint = 1000;
            PRAGMA foreign_keys = ON
            """)
    }
}

extension DatabaseFile {
    /// The cache of `folder`.
    static func cache(in folder: String, limit: ByteCount? = nil, ladder: Ladder = Schema.cache)
        -> DatabaseFile
    {
        DatabaseFile(folder: folder, name: "cache.sqlite3", ladder: ladder, safety: .normal, limit: limit)
    }
}
