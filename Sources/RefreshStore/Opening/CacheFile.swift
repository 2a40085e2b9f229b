import RefreshCore

/// The cache database at its opening: beside the file itself, whether its logs may have gone back (semantics K3).
struct CacheFile {
    let file: DatabaseFile
    let highWater: HighWater
    /// The boot of the machine that this process runs in.
    private let boot: String
    var path: String { file.path }

    init(
        folder: String, limit: ByteCount? = nil, boot: String = LastRun.currentBoot(),
        ladder: Ladder = Schema.cache
    ) {
        file = .cache(in: folder, limit: limit, ladder: ladder)
        highWater = HighWater(folder: folder)
        self.boot = boot
    }

    /// Opens the database for its writer, and gives a new epoch to each feed whose log may have lost its end.
    func open(now: Timestamp) throws(StoreFailure) -> OpenedDatabase {
        var opened = try file.open(now: now)
        let last = try LastRun(in: opened.connection)
        opened.report.mayHaveLostCommits = last.mayHaveLostCommits(now: boot)
        let behind = try highWater.feedsBehind(in: opened.connection)
        try last.takeOver(opened.connection, boot: boot, newEpochs: behind)
        opened.report.rolledBack = behind
        if opened.report.mayHaveLostCommits || !behind.isEmpty {
            // Should it fail, the next start begins new epochs once more.
            _ = highWater.write(try HighWater.marks(in: opened.connection))
        }
        return opened
    }

    /// Opens the database again after a failure of the disk. What of it cannot be read any more shows now, and a feed
    /// whose log has lost its end begins a new epoch. A damaged file stays where it is: readers hold it.
    func reopen(after memory: Writer.Memory) throws(StoreFailure) -> OpenedDatabase {
        file.forgetWhatIsCached()
        let opened = try file.openSound()
        let marks = try HighWater.marks(in: opened.connection)
        let behind = memory.heads.filter { feed, head in
            marks[feed].map { $0.epoch == head.epoch && $0.seq < head.seq } ?? false
        }
        try LastRun(in: opened.connection).takeOver(
            opened.connection, boot: boot, newEpochs: behind.keys.sorted())
        return opened
    }

    func lock() throws(StoreFailure) -> FolderLock { try file.lock() }
}
