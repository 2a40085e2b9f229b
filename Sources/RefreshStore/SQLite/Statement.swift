import CSQLite
import RefreshCore

/// One prepared statement; parameters count from 1 and columns from 0, as in SQLite.
@safe struct Statement: ~Copyable {
    private let handle: OpaquePointer

    /// Takes over what SQLite has prepared.
    @unsafe init(owning handle: OpaquePointer) { unsafe self.handle = handle }

    // Its code is that of the last step, which was looked at then.
    deinit { _ = unsafe sqlite3_finalize(handle) }

    // MARK: - Running

    /// Goes on to the next row; false where there is none left.
    func step() throws(StoreFailure) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe StoreFailure(code: code, database: sqlite3_db_handle(handle))
        }
    }

    /// Makes it ready to run again and forgets what was bound.
    func reset() {
        // Reset repeats the code of the last step; clearing cannot fail.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Runs it to its end, for statements that give no rows.
    func run() throws(StoreFailure) {
        defer { reset() }
        while try step() {}
    }

    /// Runs it to its end with `bytes` bound at `index` without a copy.
    func run(borrowing bytes: ArraySlice<UInt8>, at index: CInt) throws(StoreFailure) {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StoreFailure) in
            // The binding must not outlive the bytes, whatever happens.
            defer { reset() }
            if let start = buffer.baseAddress, buffer.count > 0 {
                // No destructor (SQLITE_STATIC): the bytes outlive the run.
                let length = sqlite3_uint64(buffer.count)
                try check(unsafe sqlite3_bind_blob64(handle, index, start, length, nil))
            } else {
                try check(unsafe sqlite3_bind_zeroblob(handle, index, 0))
            }
            while try step() {}
        }
    }

    /// The row that the connection's last insert has made.
    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

    /// Instructions of SQLite's virtual machine that it has run, for tests.
    var steps: Int64 { Int64(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    // MARK: - Parameters

    func bind(_ index: CInt, _ number: Int64) throws(StoreFailure) {
        try check(unsafe sqlite3_bind_int64(handle, index, number))
    }

    func bind(_ index: CInt, _ number: Int64?) throws(StoreFailure) {
        if let number { try bind(index, number) } else { try check(unsafe sqlite3_bind_null(handle, index)) }
    }

    /// SQLite copies the text before the call returns.
    func bind(_ index: CInt, _ text: String?) throws(StoreFailure) {
        guard var text else { return try check(unsafe sqlite3_bind_null(handle, index)) }
        let code = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                unsafe sqlite3_bind_text64(
                    handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count),
                    refreshd_sqlite_transient(), CUnsignedChar(SQLITE_UTF8))
            }
        }
        try check(code)
    }

    /// SQLite copies the bytes before the call returns.
    func bind(_ index: CInt, _ bytes: [UInt8]) throws(StoreFailure) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            // A null pointer would bind NULL, and an empty array may have one.
            guard let start = buffer.baseAddress, buffer.count > 0 else {
                return unsafe sqlite3_bind_zeroblob(handle, index, 0)
            }
            let length = sqlite3_uint64(buffer.count)
            return unsafe sqlite3_bind_blob64(handle, index, start, length, refreshd_sqlite_transient())
        }
        try check(code)
    }

    /// Copies a column of the current row of another statement, whatever its type.
    func bind(_ index: CInt, _ row: borrowing Statement, column: CInt) throws(StoreFailure) {
        try check(unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column)))
    }

    /// As `ContentHash.bytes` spells it.
    func bind(_ index: CInt, _ hash: ContentHash) throws(StoreFailure) {
        let code = unsafe withUnsafeBytes(of: (hash.high.bigEndian, hash.low.bigEndian)) { bytes in
            let length = sqlite3_uint64(bytes.count)
            return unsafe sqlite3_bind_blob64(
                handle, index, bytes.baseAddress, length, refreshd_sqlite_transient())
        }
        try check(code)
    }

    private func check(_ code: CInt) throws(StoreFailure) {
        if code != SQLITE_OK { throw unsafe StoreFailure(code: code, database: sqlite3_db_handle(handle)) }
    }

    // MARK: - Columns of the current row

    func number(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func optionalNumber(_ column: CInt) -> Int64? { isNull(column) ? nil : number(column) }

    func isNull(_ column: CInt) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: CInt) -> String? {
        isNull(column) ? nil : unsafe String(decoding: blob(column), as: UTF8.self)
    }

    func bytes(_ column: CInt) -> [UInt8] { unsafe Array(blob(column)) }

    /// Nil where the column holds no 16 bytes. Read in place: it is looked at for every record of every pass.
    func hash(_ column: CInt) -> ContentHash? {
        let bytes = unsafe blob(column)
        guard bytes.count == 16 else { return nil }
        let high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        return ContentHash(high: high, low: low)
    }

    /// The column's bytes, valid until the next `step` or `reset`; empty where it is NULL.
    @unsafe func blob(_ column: CInt) -> UnsafeRawBufferPointer {
        // Pointer first: asking for the length first could convert what is a number.
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    }
}
