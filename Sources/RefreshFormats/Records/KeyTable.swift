/// Finds rows by their keys: numbers of rows in an open table, beside a part of their key's hash, so that hardly any
/// key is looked at but the one that is sought.
struct KeyTable {
    /// The high half of the hash and the row's number plus one; 0 is a free slot.
    private var slots: [UInt64] = []
    private var count = 0

    /// Makes room for `count` rows.
    init(reserving count: Int = 0) { reserve(count) }

    /// - Precondition: the table is empty.
    mutating func reserve(_ count: Int) {
        guard self.count == 0, count > 0 else { return }
        slots = Array(repeating: 0, count: KeyTable.size(for: count))
    }

    /// Puts the row in the place of the one for which `isSame` holds, whose number it returns.
    ///
    /// - Parameters:
    ///   - hash: of the row's key, the same for rows that are the same, and seeded: what upstreams send is hashed.
    mutating func put(_ row: Int, hash: Int, isSame: (Int) -> Bool) -> Int? {
        if count * 2 >= slots.count { grow() }
        let mark = UInt64(truncatingIfNeeded: hash) & ~KeyTable.rowMask
        let entry = mark | UInt64(truncatingIfNeeded: row + 1)
        let mask = slots.count - 1
        // The slot is made of the bits that are kept, so that growing need not hash again.
        var slot = KeyTable.slot(of: mark, mask)
        while slots[slot] != 0 {
            let found = Int(slots[slot] & KeyTable.rowMask) - 1
            if slots[slot] & ~KeyTable.rowMask == mark, isSame(found) {
                slots[slot] = entry
                return found
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = entry
        count += 1
        return nil
    }

    private static let rowMask: UInt64 = 0xFFFF_FFFF

    private static func size(for count: Int) -> Int {
        1 << (Int.bitWidth - max(count * 2, 16).leadingZeroBitCount)
    }

    private static func slot(of mark: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: mark >> 32) & mask
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: KeyTable.size(for: max(count, 8)))
        let mask = slots.count - 1
        for entry in old where entry != 0 {
            var slot = KeyTable.slot(of: entry & ~KeyTable.rowMask, mask)
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }
}
