import RefreshCore

/// What one answer may bring at most (threats of records without end, of ids without end).
package struct RecordLimits: Sendable, Equatable {
    /// Rows of one answer; more fail it.
    package var rows = 1_000_000
    /// Bytes of a key; a longer one refuses its record (semantics I3).
    package var key = RecordKey.longest
    /// Bytes of a record's text; a longer one is refused.
    package var item: ByteCount = .mebibytes(8)
    /// The share of refused records above which the answer is not believed (semantics I5).
    package var rejectGuard = 0.5
    /// Brackets that may be open at a time in a document.
    package var depth = 256
    /// Bytes of all records of one answer together, where they are written anew: copying parts of an enclosing object
    /// into each of its rows makes more of them than came.
    package var text: ByteCount = .mebibytes(256)

    package init() {}
}

extension RecordLimits {
    /// The key of these parts; a single one must not be empty (semantics I1, I2).
    func key(of parts: [[UInt8]], named name: String) throws(RecordRefusal) -> RecordKey {
        let made = RecordKey(parts: parts)
        if made.bytes.isEmpty || parts.isEmpty { throw .empty(path: name) }
        return try bounded(made)
    }

    func bounded(_ key: RecordKey) throws(RecordRefusal) -> RecordKey {
        guard key.bytes.count <= self.key else { throw .longKey(bytes: key.bytes.count, limit: self.key) }
        return key
    }
}
