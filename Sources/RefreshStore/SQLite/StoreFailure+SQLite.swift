import CSQLite

extension StoreFailure {
    /// The meaning of an extended result code that is no success.
    init(code: CInt, message: String) {
        // The log's index could not grow.
        if code == refreshd_sqlite_ioerr_shmsize() {
            self = .full
            return
        }
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(reason: message)
        case SQLITE_FULL: self = .full
        case SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
            self = .io(reason: "\(message), SQLite \(code)")
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        default: self = .internal(code: Int(code), message: message)
        }
    }

    /// What the last call on `database`, which gave `code`, ran into.
    init(code: CInt, database: OpaquePointer?) {
        self.init(code: code, message: unsafe String(cString: sqlite3_errmsg(database)))
    }
}
