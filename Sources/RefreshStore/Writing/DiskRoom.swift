import RefreshCore

/// The bound on the database's file (`daemon.disk`): beyond it what grows the cache fails as on a full disk, and what
/// makes it smaller still has some room, since a deletion writes too.
final class DiskRoom {
    private let pages: Int64?
    private let count: Statement
    private let free: Statement

    /// Pages beyond the bound, for what makes room: a sixteenth of it.
    private static let leastReserve: Int64 = 32

    init(_ limit: ByteCount?, _ connection: borrowing Connection) throws(StoreFailure) {
        count = try connection.prepare("PRAGMA page_count")
        free = try connection.prepare("PRAGMA freelist_count")
        guard let limit else {
            pages = nil
            return
        }
        let size = max(try connection.number("PRAGMA page_size"), 512)
        let bound = max(Int64(limit.bytes) / size, 1)
        pages = bound
        let most = bound + max(bound / 16, DiskRoom.leastReserve)
        _ = try connection.number("PRAGMA max_page_count = \(most)")
    }

    /// Throws where the open transaction has filled more than the bound.
    func check() throws(StoreFailure) {
        guard let pages else { return }
        if try DiskRoom.number(count) - DiskRoom.number(free) > pages { throw .full }
    }

    private static func number(_ statement: borrowing Statement) throws(StoreFailure) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.number(0) : 0
    }
}
