import RefreshCore

/// The statements that read a feed's change log, ranges of the index (feed, seq).
final class LogStatements {
    static let rowsQuery = """
        SELECT \(StoreReader.columns) FROM items WHERE feed = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq LIMIT ?4
        """
    static let outlineQuery = """
        SELECT seq, txn, state, created_seq FROM items WHERE feed = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3
        """

    let rows: Statement
    let outline: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        rows = try connection.prepare(LogStatements.rowsQuery)
        outline = try connection.prepare(LogStatements.outlineQuery)
    }
}
