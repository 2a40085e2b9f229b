import CLinux
import RefreshCore

/// How the process before this one left the database (semantics K3).
///
/// A killed process loses nothing: what it committed is in the kernel. When the machine itself went down without a
/// clean stop, the last commits may be missing, and with them changes that programs have seen.
struct LastRun: Equatable {
    /// The stop reached its end.
    let wasClean: Bool
    /// The boot of the machine that it ran in.
    let boot: String

    /// Whether commits may be missing, seen from `boot`.
    func mayHaveLostCommits(now boot: String) -> Bool { !wasClean && (self.boot != boot || boot.isEmpty) }

    /// The kernel's name for this boot; empty, and so never known again, where it tells none.
    static func currentBoot() -> String {
        let file = unsafe refreshd_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0)
        guard file >= 0 else { return "" }
        defer { _ = close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self)
    }

    // MARK: - In the database

    static let table = """
        CREATE TABLE last_run (clean INTEGER NOT NULL, boot TEXT NOT NULL) STRICT;
        INSERT INTO last_run (clean, boot) VALUES (1, '')
        """

    init(wasClean: Bool, boot: String) {
        self.wasClean = wasClean
        self.boot = boot
    }

    init(in connection: borrowing Connection) throws(StoreFailure) {
        let statement = try connection.prepare("SELECT clean, boot FROM last_run")
        let found = try statement.step()
        wasClean = found && statement.number(0) == 1
        boot = found ? statement.text(1) ?? "" : ""
    }

    /// Notes that a process of `boot` has the database, and makes sure that the disk knows it before anything else
    /// is written; where commits may be missing, every feed begins a new epoch, else those of `newEpochs`.
    func takeOver(
        _ connection: borrowing Connection, boot: String, newEpochs: [FeedID] = []
    ) throws(StoreFailure) {
        let epochs = mayHaveLostCommits(now: boot) ? "UPDATE feeds SET epoch = random();" : ""
        try connection.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE; \(epochs)")
        let renew = try connection.prepare("UPDATE feeds SET epoch = random() WHERE name = ?1")
        for feed in newEpochs {
            try renew.bind(1, feed.name)
            try renew.run()
        }
        let statement = try connection.prepare("UPDATE last_run SET clean = 0, boot = ?1")
        try statement.bind(1, boot)
        try statement.run()
        try connection.execute("COMMIT; PRAGMA synchronous = NORMAL")
    }

    /// Notes that everything was written; the checkpoint that follows brings it to the disk.
    static func end(_ connection: borrowing Connection) throws(StoreFailure) {
        try connection.execute("UPDATE last_run SET clean = 1")
    }
}
