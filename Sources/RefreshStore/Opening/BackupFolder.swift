import CLinux
import RefreshCore

/// Where backups lie: a folder for each, named after the time, with a copy of both databases.
package struct BackupFolder: Sendable {
    /// What was written.
    package struct Report: Sendable, Equatable {
        package struct File: Sendable, Equatable {
            package let name: String
            package let bytes: Int

            package init(name: String, bytes: Int) {
                self.name = name
                self.bytes = bytes
            }
        }

        package let folder: String
        package let name: String
        package let files: [File]
        /// Older ones that were dropped.
        package let dropped: [String]

        package init(folder: String, name: String, files: [File], dropped: [String]) {
            self.folder = folder
            self.name = name
            self.files = files
            self.dropped = dropped
        }
    }

    package let path: String

    /// The databases of one backup.
    static let files = ["cache.sqlite3", "durable.sqlite3"]

    package init(_ path: String) { self.path = path }

    /// Where backups lie unless the file says otherwise.
    package static func standard(in state: String) -> String { "\(state)/backups" }

    /// Copies both databases as they are now, while they are in use, and keeps the newest `keep` backups.
    ///
    /// The new one has its name only once it is whole and on the disk; a failed one leaves nothing behind. Blocks while
    /// it copies, so it is no call for the concurrency pool.
    package func write(
        _ store: Store, _ durable: DurableStore, keep: Int, now: Timestamp
    ) throws(StoreFailure) -> Report {
        let folder = try PrivateFolder.open(path, isMade: true)
        // Of a process that was killed.
        for name in folder.names() where BackupFolder.isDraft(name) { BackupFolder.remove(name, in: folder) }
        let name = BackupFolder.name(at: now)
        let draft = ".\(name).new"
        try folder.makeFolder(draft)
        let files: [Report.File]
        do throws(StoreFailure) {
            files = try BackupFolder.fill(draft, in: folder, store, durable)
            Failpoint.pass(.namingBackup)
            try folder.rename(draft, to: name)
            try folder.sync()
        } catch {
            BackupFolder.remove(draft, in: folder)
            throw error
        }
        let older = folder.names().filter { BackupFolder.isName($0) && $0 != name }
        let dropped = older.dropLast(max(0, keep - 1)).filter { BackupFolder.remove($0, in: folder) }
        return Report(folder: path, name: name, files: files, dropped: Array(dropped))
    }

    /// The backups that are there and whole, the newest last.
    package func names() throws(StoreFailure) -> [String] {
        // Only looked at: whoever restores one looks whose it is.
        let folder = try PrivateFolder.open(path, isMade: false, trust: .anyOwner)
        return folder.names().filter { name in
            guard BackupFolder.isName(name), let one = try? folder.open(name) else { return false }
            return BackupFolder.files.allSatisfy { (try? one.size(of: $0)) ?? 0 > 0 }
        }
    }

    // MARK: - Pieces

    private static func fill(
        _ draft: String, in folder: borrowing PrivateFolder, _ store: Store, _ durable: DurableStore
    ) throws(StoreFailure) -> [Report.File] {
        let one = try folder.open(draft)
        // SQLite opens by path; should another folder stand there by now, the files are missing in this one.
        try store.backup(to: files[0], in: one.path)
        try durable.backup(to: files[1], in: one.path)
        var written: [Report.File] = []
        for name in files { written.append(Report.File(name: name, bytes: try one.size(of: name))) }
        try one.sync()
        return written
    }

    @discardableResult private static func remove(_ name: String, in folder: borrowing PrivateFolder) -> Bool
    {
        guard let one = try? folder.open(name) else { return false }
        for file in one.names() where isOurs(file) { one.removeFile(file) }
        return folder.removeFolder(name)
    }

    /// What a backup, or an unfinished one, may hold.
    private static func isOurs(_ file: String) -> Bool {
        files.contains { file == $0 || file.hasPrefix(".\($0).new") || file.hasPrefix("\($0)-") }
    }

    /// `20260102T030405.000006Z`: the order of the names is the order of the times.
    static func name(at now: Timestamp) -> String {
        let micros = ((now.microseconds % 1_000_000) + 1_000_000) % 1_000_000
        let seconds = Timestamp(microseconds: now.microseconds - micros).rfc3339
        let digits = "\(micros)"
        let stamp = String(
            decoding: seconds.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }.dropLast(),
            as: UTF8.self)
        return "\(stamp).\(String(repeating: "0", count: 6 - digits.utf8.count))\(digits)Z"
    }

    static func isName(_ name: String) -> Bool {
        let form = "00000000T000000.000000Z".utf8
        return name.utf8.count == form.count
            && zip(name.utf8, form).allSatisfy { $1 == 0x30 ? ASCII.isDigit($0) : $0 == $1 }
    }

    private static func isDraft(_ name: String) -> Bool {
        name.hasPrefix(".") && name.hasSuffix(".new") && isName(String(name.dropFirst().dropLast(4)))
    }
}
