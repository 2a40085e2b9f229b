import RefreshCore

/// The cache and its change log: one SQLite database with one writer, on a thread of its own.
package final class Store: Sendable {
    /// What was found at the start.
    package let openReport: OpenReport
    private let thread: StoreThread
    private let file: DatabaseFile

    /// Opens the cache in `folder`, which is made where it is missing and then belongs to this process alone; the
    /// database is checked from end to end.
    ///
    /// Blocks while it reads the file, so it is no call for the concurrency pool.
    ///
    /// - Parameters:
    ///   - random: where the epochs of new feeds come from.
    ///   - boot: the boot of the machine that this process runs in; nil asks the kernel.
    ///   - counters: where transactions with passes are counted.
    ///   - limit: bytes that the database may have; beyond them the disk counts as full.
    package init(
        folder: String, random: Randomness, now: Timestamp, boot: String? = nil, limit: ByteCount? = nil,
        counters: Counters? = nil
    ) throws(StoreFailure) {
        let cache = CacheFile(folder: folder, limit: limit, boot: boot ?? LastRun.currentBoot())
        let lock = try cache.lock()
        let opened = try cache.open(now: now)
        openReport = opened.report
        file = cache.file
        let writer = try Writer(opened, random: random, lock: lock, counters: counters)
        thread = try StoreThread(writer, highWater: cache.highWater) { (memory) throws(StoreFailure) in
            try Writer(try cache.reopen(after: memory), memory: memory, counters: counters)
        }
        try thread.start()
    }

    deinit { thread.stop() }

    /// Tells readers whether anything was committed since they looked.
    package var commits: Pulse { thread.commits }

    /// Stores a page, all of it or nothing, and returns after its transaction was committed.
    ///
    /// Pages that wait at the same time share a transaction; the failure of one undoes none of the others. The
    /// caller stands still meanwhile with its page, so what waits is bounded by the number of flights.
    package func apply(_ commit: PassCommit) async throws(StoreFailure) -> CommitOutcome {
        try await withCheckedContinuation { waiter in
            if !thread.enqueue(.apply(commit, waiter)) { waiter.resume(returning: .failure(.stopped)) }
        }.get()
    }

    /// What is stored of `feeds`; those never heard of are begun with a new epoch.
    ///
    /// - Parameter shapes: a hash of what makes each feed's records what they are (key, path, fields, order): where it
    ///   is another than before, the feed goes on with a new epoch and without its validators (semantics K3, U3).
    package func load(
        feeds: [FeedID], shapes: [FeedID: UInt64] = [:]
    ) async throws(StoreFailure) -> [FeedID: (FeedProgress, StoredCounts)] {
        try await perform { (writer) throws(StoreFailure) in try writer.load(feeds, shapes: shapes) }
    }

    /// Every feed that anything is stored of, whether it is configured or not.
    package func storedFeeds() async throws(StoreFailure) -> [FeedID] {
        try await perform { (writer) throws(StoreFailure) in try writer.feeds.all() }
    }

    /// Forgets the feed: what was stored of it cannot be read any more. Its name may be used again at once, with a
    /// new epoch.
    package func remove(_ feed: FeedID) async throws(StoreFailure) {
        try await perform { (writer) throws(StoreFailure) in try writer.remove(feed) }
    }

    /// Forgets of the feed what `clearing` says, in one transaction, and stores `progress` in the place of its own.
    ///
    /// - Parameter pass: the newest that may have begun before. Whatever it and earlier ones still bring is dropped
    ///   whole: it was asked for with validators, or pages, that are no more.
    package func clear(
        _ feed: FeedID, _ clearing: Clearing, progress: FeedProgress, overtaking pass: UInt64
    ) async throws(StoreFailure) -> ClearedFeed {
        try await perform { (writer) throws(StoreFailure) in
            try writer.clear(feed, clearing, progress: progress, overtaking: pass)
        }
    }

    /// Whether the disk takes anything, after it did not: throws what is still wrong.
    package func probe() async throws(StoreFailure) {
        try await perform { (writer) throws(StoreFailure) in try writer.probe() }
    }

    /// Copies the database as it is now to `name` in `folder`, which has to be there; the last that is called so is
    /// replaced only by a whole copy.
    ///
    /// Blocks while it copies, and nobody else; no call for the concurrency pool.
    package func backup(to name: String, in folder: String) throws(StoreFailure) {
        try Backup(of: file).write(name, in: folder)
    }

    /// Stores what waits, writes the log back, closes the database and ends the thread; the second call does
    /// nothing.
    ///
    /// Blocks until then, so it is no call for the concurrency pool.
    package func stop() { thread.stop() }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Writer) throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        try await withCheckedContinuation {
            (waiter: CheckedContinuation<Result<Value, StoreFailure>, Never>) in
            let isTaken = thread.enqueue(
                .work { seat in
                    waiter.resume(returning: Store.result(of: work, seat))
                })
            if !isTaken { waiter.resume(returning: .failure(.stopped)) }
        }.get()
    }

    private static func result<Value>(
        of work: (Writer) throws(StoreFailure) -> Value, _ seat: Result<Writer, StoreFailure>
    ) -> Result<Value, StoreFailure> {
        do throws(StoreFailure) {
            let writer = try seat.get()
            var value: Value?
            try writer.noting { () throws(StoreFailure) in value = try work(writer) }
            guard let value else { throw StoreFailure.internal(code: 0, message: "work had no outcome") }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}
