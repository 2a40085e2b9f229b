import RefreshCore

/// What must never be lost, since no upstream can give it back: a second database whose every commit is on the disk
/// before it is reported, on a thread of its own.
///
/// No transaction spans both databases. The cache's loss or rebuild does not touch this one.
package final class DurableStore: Sendable {
    /// What a value is for; the names in two spaces have nothing to do with each other.
    package enum Space: String, Sendable, CaseIterable {
        /// Tokens that an upstream has rotated, which replace what the configuration says.
        case tokens
        /// Feeds that an operator has paused.
        case pauses
        /// Until when origins want to be left alone.
        case origins
        /// What has befallen this database and nobody has answered for yet.
        case doubts
    }

    /// A named value and when it was saved.
    package struct Pair: Sendable, Equatable {
        package let name: String
        package let value: [UInt8]
        package let updatedAt: Timestamp

        package init(name: String, value: [UInt8], updatedAt: Timestamp) {
            self.name = name
            self.value = value
            self.updatedAt = updatedAt
        }
    }

    /// What was found at the start.
    package let openReport: OpenReport
    private let thread: WorkThread<DurableTable>
    private let file: DatabaseFile

    /// Opens the database in `folder`, which is the cache's, and whose lock the cache's `Store` holds.
    ///
    /// Blocks while it reads the file, so it is no call for the concurrency pool.
    package init(folder: String, now: Timestamp) throws(StoreFailure) {
        file = .durable(in: folder)
        let opened = try file.open(now: now)
        openReport = opened.report
        thread = try WorkThread(try DurableTable(opened, of: file), name: "durable") { try? $0.finish() }
        try thread.start()
    }

    deinit { thread.stop() }

    /// Saves the value in the place of an older one, and returns after the disk has it.
    package func save(_ pair: Pair, in space: Space) async throws(StoreFailure) {
        try await perform { (table) throws(StoreFailure) in try table.save(pair, in: space) }
    }

    /// The value; nil where none was saved.
    package func load(_ name: String, in space: Space) async throws(StoreFailure) -> Pair? {
        try await perform { (table) throws(StoreFailure) in try table.load(name, in: space) }
    }

    /// Every value of the space, by name.
    package func all(in space: Space) async throws(StoreFailure) -> [Pair] {
        try await perform { (table) throws(StoreFailure) in try table.all(in: space) }
    }

    /// Forgets the value, and returns after the disk has; without one it does nothing.
    package func remove(_ name: String, in space: Space) async throws(StoreFailure) {
        try await perform { (table) throws(StoreFailure) in try table.remove(name, in: space) }
    }

    /// Copies the database as `Store.backup` does.
    package func backup(to name: String, in folder: String) throws(StoreFailure) {
        try Backup(of: file).write(name, in: folder)
    }

    /// Does what waits, closes the database and ends the thread; the second call does nothing.
    ///
    /// Blocks until then, so it is no call for the concurrency pool.
    package func stop() { thread.stop() }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (DurableTable) throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        try await withCheckedContinuation {
            (waiter: CheckedContinuation<Result<Value, StoreFailure>, Never>) in
            let isTaken = thread.enqueue { table in
                do throws(StoreFailure) {
                    waiter.resume(returning: .success(try work(table)))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
            if !isTaken { waiter.resume(returning: .failure(.stopped)) }
        }.get()
    }
}
