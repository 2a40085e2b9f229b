import RefreshCore

/// Finds the rows of a page whose key comes again later in it: the last occurrence counts (semantics U5).
///
/// An open-addressing table of row numbers; the hash is seeded, since the keys are a stranger's choice.
struct RepeatedRows {
    /// Indices of the rows that do not count; empty of nearly every page.
    let superseded: Set<Int>

    init(_ rows: [RecordPage.Row]) {
        var capacity = 16
        while capacity < rows.count * 2 { capacity *= 2 }
        var slots = [Int32](repeating: -1, count: capacity)
        var superseded: Set<Int> = []
        for (index, row) in rows.enumerated() {
            var slot = RepeatedRows.hash(row.key) & (capacity - 1)
            while slots[slot] >= 0, rows[Int(slots[slot])].key != row.key {
                slot = (slot + 1) & (capacity - 1)
            }
            if slots[slot] >= 0 { superseded.insert(Int(slots[slot])) }
            slots[slot] = Int32(truncatingIfNeeded: index)
        }
        self.superseded = superseded
    }

    private static func hash(_ key: RecordKey) -> Int {
        var hasher = Hasher()
        unsafe key.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
