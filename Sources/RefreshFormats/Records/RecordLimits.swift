import RefreshCore

/// What one answer may bring at most (threats of records without end, of ids without end).
package struct RecordLimits: Sendable, Equatable {
    /// Rows of one answer; more fail it.
    package var rows = 1_000_000
    /// Bytes of a key; a longer one refuses its record (semantics I3).
    package var key = RecordKey.longest
    /// Bytes of a record's text; a longer one is refused.
    package var item: ByteCount = .mebibytes(8)
    /// The share of refused records, in percent, above which the answer is not believed (semantics I5).
    package var rejectGuard = 50

    package init() {}
}
