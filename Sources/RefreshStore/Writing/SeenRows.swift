/// The rows that a pass has met: eight bytes a row, and nothing written (semantics U12).
struct SeenRows {
    private var rows: [Int64] = []
    private var isSorted = true

    mutating func insert(_ row: Int64) {
        if let last = rows.last, row < last { isSorted = false }
        rows.append(row)
    }

    mutating func contains(_ row: Int64) -> Bool {
        if !isSorted {
            rows.sort()
            isSorted = true
        }
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low] == row
    }
}
