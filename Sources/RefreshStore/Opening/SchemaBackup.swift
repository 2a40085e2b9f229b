import Glibc
import RefreshCore

/// Copies of a database from before its schema was changed, for whoever has to go back to the program of that time.
extension DatabaseFile {
    /// How many are kept: a climb that was interrupted leaves one of its middle too.
    static let schemaBackupsKept = 2

    /// Copies the database as it is before it leaves version `found`, and says where to. A cache that has no room for
    /// a second one goes without: its upstreams have what it holds.
    func backUp(schema found: Int) throws(StoreFailure) -> String? {
        let copy = "\(name).schema-\(found)"
        do throws(StoreFailure) {
            try Backup(of: self).write(copy, in: folder)
        } catch {
            guard error == .full, safety == .normal else { throw error }
            return nil
        }
        for old in schemaBackups.dropLast(DatabaseFile.schemaBackupsKept) {
            // One too many harms nobody.
            _ = unsafe unlink("\(folder)/\(name).schema-\(old)")
        }
        return "\(folder)/\(copy)"
    }

    /// The newest copy that this program can read; nil where there is none.
    var schemaBackup: String? {
        schemaBackups.last { $0 <= ladder.version }.map { "\(folder)/\(name).schema-\($0)" }
    }

    /// The versions of the copies, the oldest first.
    private var schemaBackups: [Int] {
        let prefix = "\(name).schema-"
        return DatabaseFile.names(in: folder).filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
    }
}
