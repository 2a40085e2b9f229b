import RefreshCore

/// Gathers the rows of one answer: of several with one key the last counts, or the one of the highest version
/// (semantics U5); refused ones are counted and the first few kept.
struct RowCollector {
    private var rows: [RecordPage.Row] = []
    private let isDistinct: Bool
    private var table: KeyTable
    /// Rows of a key that another row stands for.
    private var replaced: Set<Int> = []
    private(set) var rejections: [RecordPage.Rejection] = []
    private(set) var rejected = 0
    /// Records that were taken or refused.
    private(set) var count = 0
    /// Records that were wanted by nobody.
    private(set) var skipped = 0

    /// - Parameter distinct: whether all keys are known to differ.
    init(reserving count: Int, distinct: Bool = false) {
        rows.reserveCapacity(count)
        isDistinct = distinct
        table = KeyTable(reserving: distinct ? 0 : count)
    }

    /// Makes room for so many rows where there are none yet.
    mutating func reserve(_ count: Int) {
        guard rows.isEmpty else { return }
        rows.reserveCapacity(count)
        if !isDistinct { table.reserve(count) }
    }

    mutating func add(_ row: RecordPage.Row) {
        count += 1
        rows.append(row)
        guard !isDistinct, let earlier = put(rows.count - 1) else { return }
        if let old = rows[earlier].version, let new = row.version, new.isOlder(than: old) {
            replaced.insert(rows.count - 1)
            _ = put(earlier)
        } else {
            replaced.insert(earlier)
        }
    }

    /// Lets the row stand for its key; returns the one that did before.
    private mutating func put(_ row: Int) -> Int? {
        let key = rows[row].key
        return table.put(row, hash: key.hashValue) { rows[$0].key.bytes == key.bytes }
    }

    mutating func reject(_ reason: @autoclosure () -> String) {
        if rejections.count < RecordPage.rejectionsKept {
            rejections.append(RecordPage.Rejection(index: count + skipped, reason: reason()))
        }
        rejected += 1
        count += 1
    }

    mutating func skip() { skipped += 1 }

    /// The page, or the failure of an answer of which too much was refused.
    func page(
        text: [UInt8], limits: RecordLimits, newestFirst: Bool = false
    ) throws(FormatFailure) -> RecordPage {
        if Double(rejected) > Double(count) * limits.rejectGuard {
            throw .recordsRejected(
                rejected: rejected, of: count, first: rejections.first?.reason ?? "of no known reason")
        }
        let kept =
            replaced.isEmpty
            ? rows : rows.indices.filter { !replaced.contains($0) }.map { rows[$0] }
        return RecordPage(
            text: text, rows: kept, newestFirst: newestFirst, rejected: rejected, rejections: rejections)
    }
}
