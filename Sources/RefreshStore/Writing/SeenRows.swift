/// The rows that a pass has met: eight bytes a row, and nothing written (semantics U12).
struct SeenRows {
    /// Of the pages before, sorted and each row once.
    private var earlier: [Int64] = []
    /// Of the page at hand.
    private var rows: [Int64] = []

    /// Rows met so far, each counted once; only between pages.
    var count: Int { earlier.count }

    mutating func insert(_ row: Int64) { rows.append(row) }

    /// Whether a page before this one has held the row.
    func isOfEarlierPage(_ row: Int64) -> Bool { !earlier.isEmpty && SeenRows.find(row, in: earlier) }

    /// The page is read.
    mutating func endPage() {
        guard !rows.isEmpty else { return }
        var isSorted = true
        for index in rows.indices.dropFirst() where rows[index - 1] >= rows[index] {
            isSorted = false
            break
        }
        if !isSorted { rows.sort() }
        if let last = earlier.last, last >= rows[0] || !isSorted {
            merge()
        } else if isSorted {
            // Rows of a first pass are made in their order.
            earlier.append(contentsOf: rows)
        } else {
            merge()
        }
        rows.removeAll(keepingCapacity: true)
    }

    /// Whether any page has held the row; only between pages.
    func contains(_ row: Int64) -> Bool { SeenRows.find(row, in: earlier) }

    private mutating func merge() {
        var merged: [Int64] = []
        merged.reserveCapacity(earlier.count + rows.count)
        var left = 0
        for row in rows {
            while left < earlier.count, earlier[left] < row {
                merged.append(earlier[left])
                left += 1
            }
            if left < earlier.count, earlier[left] == row { continue }
            if merged.last != row { merged.append(row) }
        }
        merged.append(contentsOf: earlier[left...])
        earlier = merged
    }

    private static func find(_ row: Int64, in rows: [Int64]) -> Bool {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low] == row
    }
}
