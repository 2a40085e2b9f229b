import CLinux
import Glibc
import RefreshCore

/// A copy of a database while it is in use, by SQLite's backup interface.
struct Backup {
    private let file: DatabaseFile

    /// Copied at a time; readers and the writer go on in any case.
    private static let pages: CInt = 1_024

    init(of file: DatabaseFile) { self.file = file }

    /// Writes the copy to `name` in `folder`: whole, synced, and under its name only then.
    func write(_ name: String, in folder: String) throws(StoreFailure) {
        guard Backup.isPlain(name) else {
            throw .cannotOpen(
                path: name, reason: "a backup's name is one word of letters, digits, '.', '_' and '-'")
        }
        let draft = "\(folder)/.\(name).new"
        let path = "\(folder)/\(name)"
        try Backup.make(draft)
        do throws(StoreFailure) {
            try copy(to: draft)
            Failpoint.pass(.renamingBackup)
            guard unsafe rename(draft, path) == 0 else {
                throw StoreFailure.cannotOpen(path: path, reason: SystemError.text(refreshd_errno()))
            }
            try Backup.sync(folder, O_RDONLY | O_DIRECTORY)
        } catch {
            // It is of no use to anybody.
            _ = unsafe unlink(draft)
            throw error
        }
    }

    private func copy(to draft: String) throws(StoreFailure) {
        let source = try Connection.open(file.path, for: .read)
        try source.waitForLocks(milliseconds: 5_000)
        // One state of the database, whatever is written meanwhile.
        try source.execute("BEGIN")
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
        let target = try Connection.open(draft, for: .write)
        Failpoint.pass(.backingUp)
        try target.copy(from: source, pages: Backup.pages)
        // The copy is a file of its own: no log beside it, and on the disk before it has its name.
        try target.execute("PRAGMA journal_mode = DELETE")
        try Backup.sync(draft, O_RDWR | O_NOFOLLOW)
    }

    /// Returns when the disk has the file, or the folder's names.
    static func sync(_ path: String, _ flags: CInt) throws(StoreFailure) {
        let descriptor = unsafe refreshd_open(path, flags | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))") }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw .io(reason: "\(path): \(SystemError.text(refreshd_errno()))")
        }
    }

    /// A file that nobody else has made; what an earlier try has left is dropped, and a link is not followed.
    static func make(_ path: String) throws(StoreFailure) {
        _ = unsafe unlink(path)
        let file = unsafe refreshd_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path: path, reason: SystemError.text(refreshd_errno())) }
        // Nothing was written through it.
        _ = close(file)
    }

    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, bytes.count <= 128, first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy { byte in
            ASCII.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2E || byte == 0x5F
                || byte == 0x2D
        }
    }
}
