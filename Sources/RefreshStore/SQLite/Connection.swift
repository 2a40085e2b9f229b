import CSQLite

/// One SQLite connection, used by one thread at a time; closing it is the end of its life, not a method.
@safe struct Connection: ~Copyable {
    enum Access {
        /// Reads and writes a file that exists.
        case write
        case read
    }

    private let handle: OpaquePointer
    /// SQLite writes into it, so it stays where it is until the hook is gone.
    private let checkpoints: UnsafeMutablePointer<refreshd_checkpoints>

    /// Done once, before the first connection; where somebody has used the library earlier it only stays slower.
    private static let isConfigured = refreshd_sqlite_without_memory_status() == SQLITE_OK

    @unsafe private init(owning handle: OpaquePointer) {
        unsafe self.handle = handle
        unsafe checkpoints = .allocate(capacity: 1)
        unsafe checkpoints.initialize(to: refreshd_checkpoints(frames: 0, failure: SQLITE_OK))
    }

    /// Opens the database at `path`; nothing of the file is read yet.
    static func open(_ path: String, for access: Access) throws(StoreFailure) -> Connection {
        _ = isConfigured
        // NOMUTEX: Debian's library locks each call otherwise, and a connection has one thread at a time.
        let mode = access == .write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let reason = unsafe String(cString: sqlite3_errstr(code))
            // SQLite hands out a handle even when it fails to open; closing such a one cannot fail.
            _ = unsafe sqlite3_close_v2(opened)
            throw .cannotOpen(path: path, reason: reason)
        }
        let connection = unsafe Connection(owning: handle)
        try connection.harden()
        return connection
    }

    // The handle stays alive as a zombie until its last statement is gone, so the order does not matter.
    deinit {
        unsafe refreshd_sqlite_checkpoint_into(handle, nil)
        _ = unsafe sqlite3_close_v2(handle)
        unsafe checkpoints.deallocate()
    }

    /// Whether closing the last connection may write the log back into the database file.
    func checkpointOnClose(_ wanted: Bool) throws(StoreFailure) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !wanted)
    }

    /// How long a call waits for another connection's lock.
    func waitForLocks(milliseconds: CInt) throws(StoreFailure) {
        try check(unsafe sqlite3_busy_timeout(handle, milliseconds))
    }

    // MARK: - Statements

    func prepare(_ sql: String) throws(StoreFailure) -> Statement {
        var text = sql
        var prepared: OpaquePointer?
        let code = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                unsafe sqlite3_prepare_v3(
                    handle, bytes.baseAddress, CInt(bytes.count), CUnsignedInt(SQLITE_PREPARE_PERSISTENT),
                    &prepared, nil)
            }
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe StoreFailure(code: code, database: handle)
        }
        return unsafe Statement(owning: prepared)
    }

    /// Runs statements that give no rows, or none that matter.
    func execute(_ sql: String) throws(StoreFailure) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row of `sql`; 0 where there is none.
    func number(_ sql: String) throws(StoreFailure) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.number(0) : 0
    }

    // MARK: - State

    /// Whether no transaction is open; some failures end one by themselves.
    var isAutocommit: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

    /// Rows written since the connection was opened.
    var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Writes the whole log back into the database file and empties it, unless a reader is in the way.
    func checkpoint() throws(StoreFailure) {
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code & 0xFF != SQLITE_BUSY { try check(code) }
    }

    /// Lets a commit that leaves a log of more than `frames` pages write it back, as far as readers allow it.
    func checkpoint(beyond frames: CInt) {
        unsafe checkpoints.pointee = refreshd_checkpoints(frames: frames, failure: SQLITE_OK)
        unsafe refreshd_sqlite_checkpoint_into(handle, checkpoints)
    }

    /// What such a writing back has run into since somebody asked: the commit itself has gone well.
    func takeCheckpointFailure() -> StoreFailure? {
        let code = unsafe checkpoints.pointee.failure
        guard code != SQLITE_OK else { return nil }
        unsafe checkpoints.pointee.failure = SQLITE_OK
        return StoreFailure(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
    }

    /// Reads the files from end to end and throws what the disk says to that.
    func readAll() throws(StoreFailure) {
        let code = unsafe refreshd_sqlite_read_all(handle)
        if code != SQLITE_OK {
            throw StoreFailure(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
        }
    }

    /// Makes this database a copy of `source`'s, `pages` at a time.
    func copy(from source: borrowing Connection, pages: CInt) throws(StoreFailure) {
        guard let copying = unsafe sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw unsafe StoreFailure(code: sqlite3_errcode(handle), database: handle)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK { code = unsafe sqlite3_backup_step(copying, pages) }
        // Repeats the error of the last step.
        _ = unsafe sqlite3_backup_finish(copying)
        if code != SQLITE_DONE { throw unsafe StoreFailure(code: code, database: handle) }
    }

    // MARK: - Pieces

    private func harden() throws(StoreFailure) {
        // The limit answers its old value.
        _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        try check(unsafe sqlite3_extended_result_codes(handle, 1))
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    }

    private func configure(_ option: CInt, _ value: Bool) throws(StoreFailure) {
        try check(unsafe refreshd_sqlite_db_config_int(handle, option, value ? 1 : 0))
    }

    private func check(_ code: CInt) throws(StoreFailure) {
        if code != SQLITE_OK { throw unsafe StoreFailure(code: code, database: handle) }
    }
}
