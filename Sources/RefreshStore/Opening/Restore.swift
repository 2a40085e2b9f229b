import CLinux
import Glibc
import RefreshCore

/// Puts a backup in the place of the databases of a daemon that does not run.
package struct Restore {
    /// What was done.
    package struct Report: Sendable, Equatable {
        package let name: String
        /// Feeds that the cache holds.
        package let feeds: Int
        /// Where the databases of before lie now.
        package let aside: [String]
    }

    private let state: String

    /// - Parameter state: the folder of the daemon's databases.
    package init(state: String) { self.state = state }

    /// Takes the backup `name` of `backups`.
    ///
    /// Each database is replaced at once by a whole, checked copy, so a killed restore leaves either the old one or
    /// the new one, and can be repeated. Every feed has a new epoch: programs list anew, since what they have seen
    /// after the backup is no more (semantics K3). The databases of before stay beside, one set of them.
    ///
    /// Throws `busy` where a daemon holds the folder. Blocks, so it is no call for the concurrency pool.
    package func run(_ name: String, of backups: BackupFolder) throws(StoreFailure) -> Report {
        let lock = try DatabaseFile.cache(in: state).lock()
        defer { withExtendedLifetime(lock) {} }
        // Root may do it for the daemon's user.
        let folder = try PrivateFolder.open(state, isMade: false, trust: .anyOwner)
        guard BackupFolder.isName(name) else {
            throw .cannotOpen(
                path: "\(backups.path)/\(SafeText.escaped(name))", reason: "that is no name of a backup")
        }
        let parent = try PrivateFolder.open(backups.path, isMade: false, trust: .user(folder.owner))
        let backup = try parent.open(name)
        var drafts: [String] = []
        defer { for draft in drafts { Restore.drop(draft, in: folder) } }
        for file in BackupFolder.files {
            let draft = "\(file).restoring"
            Restore.drop(draft, in: folder)
            drafts.append(draft)
            try Restore.copy(file, of: backup, to: draft, in: folder)
        }
        let feeds = try prepareCache(drafts[0])
        try Restore.check("\(state)/\(drafts[1])", DurableSchema.durable)
        for draft in drafts { try Restore.sync(draft, in: folder) }
        // The one that no upstream can give back first; no transaction spans both.
        var aside: [String] = []
        for file in BackupFolder.files.reversed() { aside += try swap(file, in: folder) }
        // What it notes is of the log that was replaced.
        folder.removeFile("cache.high")
        try folder.sync()
        return Report(name: name, feeds: feeds, aside: aside)
    }

    // MARK: - The copies

    /// Checks the copy of the cache and gives every feed in it a new epoch; how many there are.
    private func prepareCache(_ draft: String) throws(StoreFailure) -> Int {
        let path = "\(state)/\(draft)"
        try Restore.check(path, Schema.cache)
        let connection = try Connection.open(path, for: .write)
        try connection.execute("UPDATE feeds SET epoch = random()")
        return Int(try connection.number("SELECT count(*) FROM feeds WHERE name NOT LIKE '/%'"))
    }

    /// Throws unless it is a sound database that this program can read.
    private static func check(_ path: String, _ ladder: Ladder) throws(StoreFailure) {
        let connection = try Connection.open(path, for: .write)
        let found = try ladder.version(of: connection)
        guard found <= ladder.version else {
            throw .newerSchema(path: path, found: found, known: ladder.version)
        }
        guard found > 0 else {
            throw .untrusted(path: path, reason: "the backup holds no database of refreshd")
        }
        let statement = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try statement.step() ? statement.text(0) : nil
        if let verdict, verdict != "ok" {
            throw .untrusted(path: path, reason: "the backup is damaged (\(verdict)); take another one")
        }
    }

    private static func copy(
        _ file: String, of backup: borrowing PrivateFolder, to draft: String,
        in folder: borrowing PrivateFolder
    ) throws(StoreFailure) {
        _ = try backup.size(of: file)
        let source = unsafe refreshd_openat(backup.descriptor, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard source >= 0 else {
            throw .cannotOpen(path: "\(backup.path)/\(file)", reason: SystemError.text(refreshd_errno()))
        }
        defer { _ = close(source) }
        let path = "\(folder.path)/\(draft)"
        let target = unsafe refreshd_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno())) }
        defer { _ = close(target) }
        // Root may restore for the daemon's user, whose files they have to be.
        if geteuid() == 0, fchown(target, folder.owner, folder.group) != 0 {
            throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))")
        }
        var part = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = unsafe read(source, &part, part.count)
            if count == 0 { return }
            guard count > 0, write(part[..<count], to: target) else {
                throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))")
            }
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func sync(_ draft: String, in folder: borrowing PrivateFolder) throws(StoreFailure) {
        let file = unsafe refreshd_openat(folder.descriptor, draft, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            throw .cannotOpen(path: "\(folder.path)/\(draft)", reason: SystemError.text(refreshd_errno()))
        }
        defer { _ = close(file) }
        guard fsync(file) == 0 else {
            throw .io(reason: "\(folder.path)/\(draft): \(SystemError.text(refreshd_errno()))")
        }
    }

    private static func drop(_ draft: String, in folder: borrowing PrivateFolder) {
        for tail in ["", "-journal", "-wal", "-shm"] { folder.removeFile(draft + tail) }
    }

    // MARK: - The swap

    /// Puts the checked copy in the place of `file`; where the one of before lies now.
    private func swap(_ file: String, in folder: borrowing PrivateFolder) throws(StoreFailure) -> [String] {
        let path = "\(state)/\(file)"
        let old = "\(file).before-restore"
        var aside: [String] = []
        if unsafe access(path, F_OK) == 0 {
            fold(path)
            folder.removeFile(old)
            folder.removeFile("\(old)-wal")
            // Under both names: the old one is in its place until the new one is.
            guard unsafe linkat(folder.descriptor, file, folder.descriptor, old, 0) == 0 else {
                throw .cannotOpen(path: "\(state)/\(old)", reason: SystemError.text(refreshd_errno()))
            }
            aside.append("\(state)/\(old)")
        }
        // A log that is left would be taken for the new file's. Only a damaged database leaves one.
        if unsafe renameat(folder.descriptor, "\(file)-wal", folder.descriptor, "\(old)-wal") != 0,
            refreshd_errno() != ENOENT
        {
            throw .cannotOpen(path: "\(path)-wal", reason: SystemError.text(refreshd_errno()))
        }
        folder.removeFile("\(file)-shm")
        Failpoint.pass(.restoring)
        try folder.rename("\(file).restoring", to: file)
        try folder.sync()
        return aside
    }

    /// Writes the log of a database back into it, so that the one file is all of it.
    private func fold(_ path: String) {
        // One that is damaged is set aside with its log.
        guard let connection = try? Connection.open(path, for: .write) else { return }
        // A connection knows of a log only once it has read.
        _ = try? connection.number("SELECT count(*) FROM sqlite_schema")
        try? connection.checkpoint()
    }
}
