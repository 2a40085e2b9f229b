import RefreshCore

/// The cache and its change log: one SQLite database with one writer, on a thread of its own.
package final class Store: Sendable {
    /// What was found at the start.
    package let openReport: OpenReport
    private let thread: StoreThread

    /// Opens the cache in `folder`, which is made where it is missing and then belongs to this process alone; the
    /// database is checked from end to end.
    ///
    /// Blocks while it reads the file, so it is no call for the concurrency pool.
    ///
    /// - Parameters:
    ///   - random: where the epochs of new feeds come from.
    ///   - boot: the boot of the machine that this process runs in; nil asks the kernel.
    package init(folder: String, random: Randomness, now: Timestamp, boot: String? = nil) throws(StoreFailure)
    {
        let file = CacheFile(folder: folder, boot: boot ?? LastRun.currentBoot())
        let lock = try file.lock()
        let opened = try file.open(now: now)
        openReport = opened.report
        thread = try StoreThread(try Writer(opened, random: random, lock: lock))
        try thread.start()
    }

    deinit { thread.stop() }

    /// Tells readers whether anything was committed since they looked.
    package var commits: CommitCount { thread.commits }

    /// Stores a pass, all of it or nothing, and returns after its transaction was committed.
    ///
    /// Passes that wait at the same time share a transaction; the failure of one undoes none of the others. The
    /// caller stands still meanwhile with its page, so what waits is bounded by the number of flights.
    package func apply(_ commit: PassCommit) async throws(StoreFailure) -> CommitOutcome {
        try await withCheckedContinuation { waiter in
            if !thread.enqueue(.apply(commit, waiter)) { waiter.resume(returning: .failure(.stopped)) }
        }.get()
    }

    /// What is stored of `feeds`; those never heard of are begun with a new epoch.
    package func load(
        feeds: [FeedID]
    ) async throws(StoreFailure) -> [FeedID: (FeedProgress, StoredCounts)] {
        try await withCheckedContinuation { waiter in
            if !thread.enqueue(.load(feeds, waiter)) { waiter.resume(returning: .failure(.stopped)) }
        }.get()
    }

    /// Stores what waits, writes the log back, closes the database and ends the thread; the second call does
    /// nothing.
    ///
    /// Blocks until then, so it is no call for the concurrency pool.
    package func stop() { thread.stop() }
}
