import RefreshCore

/// The one connection that writes, and what it writes; used by one thread.
final class Writer {
    private let connection: Connection
    private let feeds: FeedTable
    private let items: ItemTable
    private let begin: Statement
    private let commit: Statement
    private let rollback: Statement
    private let savepoint: Statement
    private let release: Statement
    private let rollbackToSavepoint: Statement
    private var random: Randomness
    private let lock: FolderLock?

    /// - Parameter lock: held as long as the database is open.
    init(
        _ cache: consuming OpenedCache, random: Randomness, lock: FolderLock? = nil
    ) throws(StoreFailure) {
        let connection = cache.connection
        feeds = try FeedTable(connection)
        items = try ItemTable(connection)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        savepoint = try connection.prepare("SAVEPOINT pass")
        release = try connection.prepare("RELEASE pass")
        rollbackToSavepoint = try connection.prepare("ROLLBACK TO pass")
        self.connection = connection
        self.random = random
        self.lock = lock
    }

    /// Stores the passes in one transaction and says of each what came of it; what failed has changed nothing.
    func perform(_ group: [PassCommit]) -> [Result<CommitOutcome, StoreFailure>] {
        if let results = together(group) { return results }
        // One of them took the others down with it: each for itself, then.
        return group.map { alone($0) }
    }

    /// What is stored of the feeds; those never heard of are begun, with a new epoch (semantics K3).
    func load(_ names: [FeedID]) throws(StoreFailure) -> [FeedID: (FeedProgress, StoredCounts)] {
        try begin.run()
        do {
            var loaded: [FeedID: (FeedProgress, StoredCounts)] = [:]
            for name in names {
                let row = try row(of: name)
                loaded[name] = (row.progress, row.counts)
            }
            try commit.run()
            return loaded
        } catch {
            abandon()
            throw error
        }
    }

    /// Brings the log into the database file.
    func checkpoint() throws(StoreFailure) { try connection.checkpoint() }

    /// The last that is done: notes a clean stop and brings everything into the database file.
    func finish() throws(StoreFailure) {
        try LastRun.end(connection)
        try connection.checkpoint()
    }

    /// Rows written since the start.
    var totalChanges: Int64 { connection.totalChanges }

    // MARK: - Transactions

    /// Nil where the transaction was lost with everything in it.
    private func together(_ group: [PassCommit]) -> [Result<CommitOutcome, StoreFailure>]? {
        do {
            try begin.run()
        } catch {
            return group.map { _ in .failure(error) }
        }
        var results: [Result<CommitOutcome, StoreFailure>] = []
        for pass in group {
            results.append(inSavepoint(pass))
            // A full disk may end the whole transaction by itself.
            if connection.isAutocommit { return nil }
        }
        do {
            try commit.run()
            return results
        } catch {
            abandon()
            return nil
        }
    }

    private func alone(_ pass: PassCommit) -> Result<CommitOutcome, StoreFailure> {
        do {
            try begin.run()
            let outcome = try apply(pass)
            try commit.run()
            return .success(outcome)
        } catch {
            abandon()
            return .failure(error)
        }
    }

    private func inSavepoint(_ pass: PassCommit) -> Result<CommitOutcome, StoreFailure> {
        do {
            try savepoint.run()
            let outcome = try apply(pass)
            try release.run()
            return .success(outcome)
        } catch {
            undoSavepoint()
            return .failure(error)
        }
    }

    private func undoSavepoint() {
        guard !connection.isAutocommit else { return }
        do {
            try rollbackToSavepoint.run()
            try release.run()
        } catch {
            // Half a pass must not be committed with the others; they are tried again alone.
            abandon()
        }
    }

    /// Ends a transaction that is still open after a failure.
    private func abandon() {
        guard !connection.isAutocommit else { return }
        // Rolling back needs no space and no lock; should it fail, the next BEGIN does and says so.
        try? rollback.run()
    }

    // MARK: - Work

    private func apply(_ pass: PassCommit) throws(StoreFailure) -> CommitOutcome {
        var writer = PassWriter(pass, feed: try row(of: pass.feed), items: items)
        let (row, outcome) = try writer.run()
        try feeds.save(row)
        return outcome
    }

    private func row(of feed: FeedID) throws(StoreFailure) -> FeedRow {
        if let row = try feeds.row(of: feed) { return row }
        try feeds.add(feed, epoch: Epoch(random.next()))
        guard let row = try feeds.row(of: feed) else {
            throw .internal(code: 0, message: "feed \(feed) is not there after it was added")
        }
        return row
    }
}
