import CLinux
import Glibc
import RefreshCore

/// A connection to a sound database of this program's schema.
struct OpenedCache: ~Copyable {
    let connection: Connection
    var report: OpenReport
}

/// The folder belongs to one process until this is gone, however the process ends.
final class FolderLock {
    private let file: CInt

    init(_ file: CInt) { self.file = file }

    // Nothing was written through it.
    deinit { _ = close(file) }
}

/// The cache database's file: where it lies, how it is opened, and what becomes of a damaged one.
struct CacheFile {
    let folder: String
    /// The boot of the machine that this process runs in.
    private let boot: String
    var path: String { "\(folder)/cache.sqlite3" }

    /// How many damaged databases are kept for whoever wants to look at them.
    static let quarantinesKept = 3

    init(folder: String, boot: String = LastRun.currentBoot()) {
        self.folder = folder
        self.boot = boot
    }

    /// Opens the database for its writer, and makes it where there is none.
    ///
    /// A damaged file is set aside and a new one begun; a newer schema, and anything that has to do with the
    /// system rather than with the file's content, is a failure and leaves the file as it is.
    func open(now: Timestamp) throws(StoreFailure) -> OpenedCache {
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

    /// Makes sure that no other process uses the folder for as long as the lock lives.
    func lock() throws(StoreFailure) -> FolderLock {
        try makeFolder()
        let path = "\(folder)/lock"
        let file = unsafe refreshd_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: CacheFile.reason(refreshd_errno())) }
        let lock = FolderLock(file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            if refreshd_errno() == EWOULDBLOCK { throw .busy }
            throw .io(reason: "\(path): \(CacheFile.reason(refreshd_errno()))")
        }
        return lock
    }

    // MARK: - Opening

    private func openOnce() throws(StoreFailure) -> OpenedCache {
        try makeFile()
        let connection = try Connection.open(path, for: .write)
        try connection.waitForLocks(milliseconds: 5_000)
        // Until the file is known to be ours and sound, not even closing may write.
        try connection.checkpointOnClose(false)
        let found = try Schema.version(of: connection)
        guard found <= Schema.version else {
            throw .newerSchema(path: path, found: found, known: Schema.version)
        }
        if found > 0 { try check(connection) }
        try connection.checkpointOnClose(true)
        try CacheFile.tune(connection)
        do {
            try Schema.migrate(connection, from: found)
        } catch .internal(_, let message) {
            // Tables stand in the way of ours: the file was somebody else's, or its version was damaged.
            throw .corrupt(reason: message)
        }
        let last = try LastRun(in: connection)
        try last.takeOver(connection, boot: boot)
        let report = OpenReport(
            created: found == 0, mayHaveLostCommits: last.mayHaveLostCommits(now: boot),
            migratedFrom: found > 0 && found < Schema.version ? found : nil)
        return OpenedCache(connection: connection, report: report)
    }

    /// Reads every page once, so that damage shows now and not in the middle of an answer: a millisecond a megabyte.
    private func check(_ connection: borrowing Connection) throws(StoreFailure) {
        let statement = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try statement.step() ? statement.text(0) : nil
        if let verdict, verdict != "ok" { throw .corrupt(reason: verdict) }
        do {
            _ = try connection.number("SELECT seq FROM feeds LIMIT 1")
            _ = try connection.number("SELECT seq FROM items LIMIT 1")
        } catch .internal(_, let message) {
            throw .corrupt(reason: message)
        }
    }

    private static func tune(_ connection: borrowing Connection) throws(StoreFailure) {
        // The page size must stand before anything is written. The log is kept small because readers of a long
        // one are slower; NORMAL may lose the last commits in a power cut, which the upstream still has.
        try connection.execute(
            """
            PRAGMA page_size = 8192;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA cache_size = -4000;
            PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = OFF;
            PRAGMA journal_size_limit = 16777216;
            PRAGMA wal_autocheckpoint = 1000;
            PRAGMA foreign_keys = ON
            """)
    }

    // MARK: - Files

    /// The folder may be the first thing of its user's that is stored below some parent.
    private func makeFolder() throws(StoreFailure) {
        var end = folder.utf8.startIndex
        while end != folder.utf8.endIndex {
            let next = folder.utf8.index(after: end)
            end = folder.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? folder.utf8.endIndex
            let path = String(folder[..<end])
            guard unsafe mkdir(path, 0o700) == 0 || refreshd_errno() == EEXIST else {
                throw .cannotOpen(path: path, reason: CacheFile.reason(refreshd_errno()))
            }
        }
    }

    /// SQLite gives the files beside it the same permissions.
    private func makeFile() throws(StoreFailure) {
        let file = unsafe refreshd_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: CacheFile.reason(refreshd_errno())) }
        // Nothing was written through it.
        _ = close(file)
    }

    /// Moves the database away, with its log but without the log's index, and says where to.
    private func setAside(now: Timestamp) throws(StoreFailure) -> String {
        let stamp = now.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        let aside = "\(path).corrupt-\(String(decoding: stamp, as: UTF8.self))"
        guard unsafe rename(path, aside) == 0 else {
            throw .cannotOpen(path: path, reason: CacheFile.reason(refreshd_errno()))
        }
        // One that stays behind, should we be killed here, is dropped by SQLite: it has no database any more.
        guard unsafe rename("\(path)-wal", "\(aside)-wal") == 0 || refreshd_errno() == ENOENT else {
            throw .cannotOpen(path: "\(path)-wal", reason: CacheFile.reason(refreshd_errno()))
        }
        guard unsafe unlink("\(path)-shm") == 0 || refreshd_errno() == ENOENT else {
            throw .cannotOpen(path: "\(path)-shm", reason: CacheFile.reason(refreshd_errno()))
        }
        dropOldQuarantines()
        return aside
    }

    private func dropOldQuarantines() {
        let prefix = "cache.sqlite3.corrupt-"
        let kept = CacheFile.names(in: folder).filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") }
            .sorted()
        for name in kept.dropLast(CacheFile.quarantinesKept) {
            // One too many harms nobody, and most have no log.
            _ = unsafe unlink("\(folder)/\(name)")
            _ = unsafe unlink("\(folder)/\(name)-wal")
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    private static func reason(_ code: CInt) -> String { unsafe String(cString: strerror(code)) }
}
