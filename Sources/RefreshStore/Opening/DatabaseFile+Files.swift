import CLinux
import Glibc
import RefreshCore

extension DatabaseFile {
    /// Makes sure that no other process uses the folder for as long as the lock lives.
    func lock() throws(StoreFailure) -> FolderLock {
        try makeFolder()
        let path = "\(folder)/lock"
        let file = unsafe refreshd_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno())) }
        let lock = FolderLock(file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            if refreshd_errno() == EWOULDBLOCK { throw .busy }
            throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))")
        }
        return lock
    }

    /// The folder may be the first thing of its user's that is stored below some parent.
    func makeFolder() throws(StoreFailure) {
        var end = folder.utf8.startIndex
        while end != folder.utf8.endIndex {
            let next = folder.utf8.index(after: end)
            end = folder.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? folder.utf8.endIndex
            let path = String(folder[..<end])
            guard unsafe mkdir(path, 0o700) == 0 || refreshd_errno() == EEXIST else {
                throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno()))
            }
        }
    }

    /// SQLite gives the files beside it the same permissions.
    func makeFile() throws(StoreFailure) {
        let file = unsafe refreshd_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno())) }
        // Nothing was written through it.
        _ = close(file)
    }

    /// Lets the next reading come from the disk: after a failed write the kernel may hold what never arrived there.
    func forgetWhatIsCached() {
        for path in [path, "\(path)-wal"] {
            let file = unsafe refreshd_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
            guard file >= 0 else { continue }
            // Advice: where it is not taken, the check that follows sees less.
            _ = posix_fadvise(file, 0, 0, CInt(POSIX_FADV_DONTNEED))
            _ = close(file)
        }
    }

    /// Where a database that is set aside at `now` will lie.
    func asidePath(now: Timestamp) -> String {
        let stamp = now.rfc3339.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        return "\(path).corrupt-\(String(decoding: stamp, as: UTF8.self))"
    }

    /// Moves the database away, with its log but without the log's index, and says where to.
    func setAside(now: Timestamp) throws(StoreFailure) -> String {
        let aside = asidePath(now: now)
        guard unsafe rename(path, aside) == 0 else {
            throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno()))
        }
        Failpoint.pass(.settingAside)
        // One that stays behind, should we be killed here, is dropped by SQLite: it has no database any more.
        guard unsafe rename("\(path)-wal", "\(aside)-wal") == 0 || refreshd_errno() == ENOENT else {
            throw .cannotOpen(path: "\(path)-wal", reason: SystemError.text(refreshd_errno()))
        }
        guard unsafe unlink("\(path)-shm") == 0 || refreshd_errno() == ENOENT else {
            throw .cannotOpen(path: "\(path)-shm", reason: SystemError.text(refreshd_errno()))
        }
        dropOldQuarantines()
        return aside
    }

    private func dropOldQuarantines() {
        let prefix = "\(name).corrupt-"
        let kept = DatabaseFile.names(in: folder).filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") }
            .sorted()
        for name in kept.dropLast(DatabaseFile.quarantinesKept) {
            // One too many harms nobody, and most have no log.
            _ = unsafe unlink("\(folder)/\(name)")
            _ = unsafe unlink("\(folder)/\(name)-wal")
        }
    }

    static func names(in folder: String) -> [String] {
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
}

/// What the system calls an error.
enum SystemError {
    static func text(_ code: CInt) -> String { unsafe String(cString: strerror(code)) }
}
