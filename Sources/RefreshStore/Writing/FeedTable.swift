import RefreshCore

/// The statements on the table of feeds.
final class FeedTable {
    private let find: Statement
    private let insert: Statement
    private let update: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        find = try connection.prepare(
            """
            SELECT id, epoch, seq, floor, items, bytes, traces,
                due, last_attempt, last_done, last_success, last_change, failures,
                failure_at, failure_class, failure_code, failure_detail, failure_status, failure_retry_after,
                etag, last_modified, validator_scope, suspect
            FROM feeds WHERE name = ?1
            """)
        insert = try connection.prepare("INSERT INTO feeds (name, epoch) VALUES (?1, ?2)")
        update = try connection.prepare(
            """
            UPDATE feeds SET seq = ?2, floor = ?3, items = ?4, bytes = ?5, traces = ?6,
                due = ?7, last_attempt = ?8, last_done = ?9, last_success = ?10, last_change = ?11,
                failures = ?12, failure_at = ?13, failure_class = ?14, failure_code = ?15,
                failure_detail = ?16, failure_status = ?17, failure_retry_after = ?18,
                etag = ?19, last_modified = ?20, validator_scope = ?21, suspect = ?22
            WHERE id = ?1
            """)
    }

    func row(of feed: FeedID) throws(StoreFailure) -> FeedRow? {
        defer { find.reset() }
        try find.bind(1, feed.name)
        guard try find.step() else { return nil }
        return FeedRow(
            id: find.number(0), epoch: Epoch(UInt64(bitPattern: find.number(1))), seq: find.number(2),
            floor: find.number(3), items: Int(find.number(4)), bytes: Int(find.number(5)),
            traces: Int(find.number(6)), progress: progress())
    }

    func add(_ feed: FeedID, epoch: Epoch) throws(StoreFailure) {
        try insert.bind(1, feed.name)
        try insert.bind(2, Int64(bitPattern: epoch.number))
        try insert.run()
    }

    func save(_ row: FeedRow) throws(StoreFailure) {
        try update.bind(1, row.id)
        try update.bind(2, row.seq)
        try update.bind(3, row.floor)
        try update.bind(4, Int64(row.items))
        try update.bind(5, Int64(row.bytes))
        try update.bind(6, Int64(row.traces))
        try bind(row.progress)
        try update.run()
    }

    // MARK: - Progress

    private func bind(_ progress: FeedProgress) throws(StoreFailure) {
        try update.bind(7, progress.due?.microseconds)
        try update.bind(8, progress.lastAttempt?.microseconds)
        try update.bind(9, progress.lastDone?.microseconds)
        try update.bind(10, progress.lastSuccess?.microseconds)
        try update.bind(11, progress.lastChange?.microseconds)
        try update.bind(12, Int64(progress.failures))
        let failure = progress.failure?.failure
        try update.bind(13, progress.failure?.at.microseconds)
        try update.bind(14, failure?.class.rawValue)
        try update.bind(15, failure?.code)
        try update.bind(16, failure?.detail)
        try update.bind(17, failure?.status.map(Int64.init))
        try update.bind(18, failure?.retryAfter?.inMicroseconds)
        try update.bind(19, progress.validators.etag)
        try update.bind(20, progress.validators.lastModified)
        try update.bind(21, Int64(bitPattern: progress.validatorScope))
        try update.bind(22, progress.suspect)
    }

    private func progress() -> FeedProgress {
        var progress = FeedProgress()
        progress.due = time(7)
        progress.lastAttempt = time(8)
        progress.lastDone = time(9)
        progress.lastSuccess = time(10)
        progress.lastChange = time(11)
        progress.failures = Int(find.number(12))
        progress.failure = failure()
        progress.validators = Validators(etag: find.text(19), lastModified: find.text(20))
        progress.validatorScope = UInt64(bitPattern: find.number(21))
        progress.suspect = find.text(22)
        return progress
    }

    private func failure() -> FailureNote? {
        guard let at = time(13), let name = find.text(14) else { return nil }
        let failure = RefreshFailure(
            RefreshFailure.Class(rawValue: name) ?? .internal, code: find.text(15) ?? "",
            detail: find.text(16) ?? "", status: find.optionalNumber(17).map(Int.init),
            retryAfter: find.optionalNumber(18).map { Duration.microseconds($0) })
        return FailureNote(failure, at: at)
    }

    private func time(_ column: CInt) -> Timestamp? {
        find.optionalNumber(column).map(Timestamp.init(microseconds:))
    }
}
