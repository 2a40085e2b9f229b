import RefreshCore

/// The one connection that writes, and what it writes; used by one thread.
final class Writer {
    let connection: Connection
    let feeds: FeedTable
    let ranges: ItemRanges
    let room: DiskRoom
    private let items: ItemTable
    private let judge: RecordJudge
    let documents: DocumentTable
    private let begin: Statement
    private let commit: Statement
    private let counters: Counters?
    private let rollback: Statement
    private let savepoint: Statement
    private let release: Statement
    private let rollbackToSavepoint: Statement
    private var random: Randomness
    private let lock: FolderLock?
    /// After which nothing that the connection holds is believed any more.
    private(set) var fault: StoreFailure?
    /// Whether something that this process has written may not be on the disk, whatever later calls say.
    private var isUnsure: Bool
    /// What the latest pass of each feed has met, and the same as a transaction under way would have it.
    private var marks: [FeedID: PassMarks]
    private var staged: [FeedID: PassMarks] = [:]
    private var stagedHeads: [FeedID: HighWater.Mark] = [:]
    /// Where each feed's log ends.
    private(set) var heads: [FeedID: HighWater.Mark] = [:] { didSet { headChanges += 1 } }
    /// Grows with every change of `heads`.
    private(set) var headChanges = 0
    /// Passes of a feed up to this number began before it was cleared, and store nothing any more.
    private var overtaken: [FeedID: UInt64] = [:]

    /// What outlives the connection of a writer.
    struct Memory {
        var random: Randomness
        let lock: FolderLock?
        var marks: [FeedID: PassMarks] = [:]
        /// Where each feed's log ended.
        var heads: [FeedID: HighWater.Mark] = [:]
        var isUnsure = false
    }

    /// - Parameter lock: held as long as the database is open.
    convenience init(
        _ cache: consuming OpenedDatabase, random: Randomness, lock: FolderLock? = nil,
        counters: Counters? = nil
    ) throws(StoreFailure) {
        try self.init(cache, memory: Memory(random: random, lock: lock), counters: counters)
    }

    init(
        _ cache: consuming OpenedDatabase, memory: Memory, counters: Counters? = nil
    ) throws(StoreFailure) {
        let limit = cache.limit
        let connection = cache.connection
        room = try DiskRoom(limit, connection)
        feeds = try FeedTable(connection)
        items = try ItemTable(connection)
        ranges = try ItemRanges(connection)
        judge = RecordJudge()
        documents = try DocumentTable(connection)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        savepoint = try connection.prepare("SAVEPOINT pass")
        release = try connection.prepare("RELEASE pass")
        rollbackToSavepoint = try connection.prepare("ROLLBACK TO pass")
        heads = try HighWater.marks(in: connection)
        // An empty state needs no noting; `didSet` is not called here.
        headChanges = heads.isEmpty ? 0 : 1
        self.connection = connection
        random = memory.random
        lock = memory.lock
        marks = memory.marks
        isUnsure = memory.isUnsure
        self.counters = counters
    }

    /// Stores the passes in one transaction and says of each what came of it; what failed has changed nothing.
    func perform(_ group: [PassCommit]) -> [Result<CommitOutcome, StoreFailure>] {
        // One of them may take the others down with it: each for itself, then.
        let results = together(group) ?? group.map { alone($0) }
        for (pass, result) in zip(group, results) {
            if case .failure = result { tear(pass) }
        }
        return results
    }

    /// What is stored of the feeds; those never heard of are begun, with a new epoch, and those whose records have
    /// become others go on with one (semantics K3).
    func load(
        _ names: [FeedID], shapes: [FeedID: UInt64] = [:]
    ) throws(StoreFailure) -> [FeedID: (FeedProgress, StoredCounts)] {
        var loaded: [FeedID: (FeedProgress, StoredCounts)] = [:]
        try transaction { () throws(StoreFailure) in
            for name in names {
                var row = try row(of: name)
                if let shape = shapes[name], shape != row.shape {
                    reshape(&row, shape)
                    try feeds.save(row)
                    stage(name, row)
                }
                loaded[name] = (row.progress, row.counts)
            }
        }
        return loaded
    }

    /// Runs `work` in a transaction of its own: all of it or nothing.
    func transaction(_ work: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        if let fault { throw fault }
        do throws(StoreFailure) {
            try begin.run()
            try work()
            try commit.run()
            settle()
            if let failure = connection.takeCheckpointFailure() { note(failure) }
        } catch {
            note(error)
            abandon()
            throw error
        }
    }

    /// Does `work` and looks at what it runs into.
    func noting(_ work: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        if let fault { throw fault }
        do throws(StoreFailure) {
            try work()
        } catch {
            note(error)
            throw error
        }
    }

    // MARK: - Faults

    /// Keeps a failure of the disk. A second sync could only say that what the first one has lost is clean, so this
    /// connection writes nothing any more, not even when it is closed.
    func note(_ failure: StoreFailure) {
        switch failure {
        case .io, .corrupt: break
        default: return
        }
        guard fault == nil else { return }
        fault = failure
        isUnsure = true
        // It fails only for a handle that is none.
        try? connection.checkpointOnClose(false)
    }

    /// What the writer that follows this one goes on with; passes under way are not taken for whole lists any more.
    var memory: Memory {
        var memory = Memory(random: random, lock: lock, marks: marks, heads: heads, isUnsure: isUnsure)
        for feed in marks.keys { memory.marks[feed]?.isWhole = false }
        return memory
    }

    /// Notes that all was written, unless that is in doubt: then the next start has to know.
    func noteEnd() throws(StoreFailure) {
        if !isUnsure { try LastRun.end(connection) }
    }

    /// Forgets the feed: at once for whoever asks; its rows go when there is time. Should its name come back, it has a
    /// new epoch (semantics K3).
    func remove(_ feed: FeedID) throws(StoreFailure) {
        guard let row = try feeds.row(of: feed) else { return }
        try transaction { () throws(StoreFailure) in try feeds.disown(row.id) }
        marks[feed] = nil
        heads[feed] = nil
        overtaken[feed] = nil
        judge.forget(feed: row.id)
    }

    /// Forgets of the feed what `clearing` says, in one transaction, and stores `progress` in the place of its own.
    ///
    /// The rows of a purged feed go when there is time; a reader sees none of them any more, and a new epoch (K3).
    func clear(
        _ feed: FeedID, _ clearing: Clearing, progress: FeedProgress, overtaking pass: UInt64
    ) throws(StoreFailure) -> ClearedFeed {
        var cleared: ClearedFeed?
        var id: Int64 = 0
        try transaction { () throws(StoreFailure) in
            let before = try row(of: feed)
            id = before.id
            var after = before
            if clearing == .purge {
                try feeds.disown(before.id)
                after = try row(of: feed)
                after.shape = before.shape
            }
            after.progress = progress
            try feeds.save(after)
            stage(feed, after)
            cleared = ClearedFeed(items: before.items, store: after.counts)
        }
        guard let cleared else {
            throw .internal(code: 0, message: "feed \(feed) was cleared without a trace")
        }
        if clearing == .purge {
            marks[feed] = nil
            judge.forget(feed: id)
        }
        overtaken[feed] = max(pass, overtaken[feed] ?? 0)
        return cleared
    }

    // MARK: - Transactions

    /// Nil where the transaction was lost with everything in it.
    private func together(_ group: [PassCommit]) -> [Result<CommitOutcome, StoreFailure>]? {
        let start = ContinuousClock.now
        if let fault { return group.map { _ in .failure(fault) } }
        do {
            try begin.run()
        } catch {
            note(error)
            return group.map { _ in .failure(error) }
        }
        Failpoint.pass(.begun)
        var results: [Result<CommitOutcome, StoreFailure>] = []
        for pass in group {
            results.append(inSavepoint(pass))
            if let fault {
                abandon()
                return group.map { _ in .failure(fault) }
            }
            // A full disk may end the whole transaction by itself.
            if connection.isAutocommit {
                abandon()
                return nil
            }
        }
        Failpoint.pass(.committing)
        do {
            try commit.run()
            Failpoint.pass(.committed)
            counters?.committed(in: ContinuousClock.now - start)
            settle()
            if let failure = connection.takeCheckpointFailure() { note(failure) }
            return results
        } catch {
            note(error)
            abandon()
            if let fault { return group.map { _ in .failure(fault) } }
            return nil
        }
    }

    private func alone(_ pass: PassCommit) -> Result<CommitOutcome, StoreFailure> {
        var outcome: CommitOutcome?
        do throws(StoreFailure) {
            try transaction { () throws(StoreFailure) in outcome = try apply(pass) }
            guard let outcome else { throw StoreFailure.internal(code: 0, message: "a pass had no outcome") }
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    private func inSavepoint(_ pass: PassCommit) -> Result<CommitOutcome, StoreFailure> {
        do {
            try savepoint.run()
            let outcome = try apply(pass)
            try release.run()
            Failpoint.pass(.applied)
            return .success(outcome)
        } catch {
            note(error)
            if fault == nil { undoSavepoint() }
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
        staged = [:]
        stagedHeads = [:]
        guard !connection.isAutocommit else { return }
        // Rolling back needs no space and no lock; should it fail, the next BEGIN does and says so.
        try? rollback.run()
    }

    /// What was staged is committed.
    private func settle() {
        marks.merge(staged) { $1 }
        // Most passes bring nothing, and leave their log where it was.
        for (feed, mark) in stagedHeads where heads[feed] != mark { heads[feed] = mark }
        staged = [:]
        stagedHeads = [:]
    }

    /// A page is missing from here on: the pass must not be taken for the whole list.
    private func tear(_ pass: PassCommit) {
        guard pass.isList, pass.pass != 0 else { return }
        if marks[pass.feed]?.pass == pass.pass {
            marks[pass.feed]?.isWhole = false
        } else if pass.pass > marks[pass.feed]?.pass ?? 0 {
            marks[pass.feed] = PassMarks(
                pass: pass.pass, seqBefore: heads[pass.feed]?.seq ?? 0, checkpoint: nil, isWhole: false)
        }
    }

    // MARK: - Work

    private func apply(_ pass: PassCommit) throws(StoreFailure) -> CommitOutcome {
        let before = try row(of: pass.feed)
        if pass.pass != 0, pass.pass <= overtaken[pass.feed] ?? 0 {
            return CommitOutcome(overtakenIn: before)
        }
        if let epoch = pass.epoch, epoch != before.epoch { throw .reshaped }
        var writer = PassWriter(
            pass, feed: before, marks: staged[pass.feed] ?? marks[pass.feed],
            tools: PassWriter.Tools(items: items, ranges: ranges, judge: judge, documents: documents))
        let result = try writer.run()
        try feeds.save(result.feed)
        if result.feed.bytes > before.bytes { try room.check() }
        staged[pass.feed] = result.marks
        stage(pass.feed, result.feed)
        return result.outcome
    }

    private func stage(_ feed: FeedID, _ row: FeedRow) {
        stagedHeads[feed] = HighWater.Mark(epoch: row.epoch, seq: row.seq)
    }

    private func row(of feed: FeedID) throws(StoreFailure) -> FeedRow {
        if let row = try feeds.row(of: feed) { return row }
        try feeds.add(feed, epoch: Epoch(random.next()))
        guard let row = try feeds.row(of: feed) else {
            throw .internal(code: 0, message: "feed \(feed) is not there after it was added")
        }
        return row
    }

    /// Clients have to list anew, and the upstream is asked for everything again.
    private func reshape(_ row: inout FeedRow, _ shape: UInt64) {
        // 0 is that of a feed which was begun just now.
        if row.shape != 0 {
            row.epoch = Epoch(random.next())
            row.progress.validators = Validators()
            row.progress.bodyHash = nil
            row.progress.checkpoint = nil
            row.reorders = true
        }
        row.shape = shape
    }
}
