import RefreshCore

/// The statements that read a feed's list: each a range of one index, without a sort, so that a page costs what it
/// shows and not what lies before it (semantics S4 4.18).
final class ListStatements {
    private static let select = "SELECT \(StoreReader.columns) FROM items WHERE feed = ?1"

    /// A walk in one direction: its beginning, and what lies behind a place.
    static func queries(_ states: String, reverse: Bool) -> (first: String, next: String) {
        let order = reverse ? "ORDER BY sort, created_seq" : "ORDER BY sort DESC, created_seq DESC"
        let sign = reverse ? ">" : "<"
        return (
            "\(select) AND \(states) \(order) LIMIT ?4",
            "\(select) AND \(states) AND (sort, created_seq) \(sign) (?2, ?3) \(order) LIMIT ?4"
        )
    }

    static let live = "state = 0"
    static let gone = "state >= 16"
    static let keyQuery = "\(select) AND key > ?2 AND state = 0 ORDER BY key LIMIT ?4"
    static let keyWithGoneQuery =
        "\(select) AND key > ?2 AND (state = 0 OR state >= 16) ORDER BY key LIMIT ?4"

    /// One walk in one direction over the rows of one kind.
    final class Walk {
        let first: Statement
        let next: Statement

        init(_ connection: borrowing Connection, _ queries: (first: String, next: String))
            throws(StoreFailure)
        {
            first = try connection.prepare(queries.first)
            next = try connection.prepare(queries.next)
        }
    }

    let liveDown: Walk
    let liveUp: Walk
    let goneDown: Walk
    let goneUp: Walk
    let byKey: Statement
    let byKeyWithGone: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        liveDown = try Walk(connection, ListStatements.queries(ListStatements.live, reverse: false))
        liveUp = try Walk(connection, ListStatements.queries(ListStatements.live, reverse: true))
        goneDown = try Walk(connection, ListStatements.queries(ListStatements.gone, reverse: false))
        goneUp = try Walk(connection, ListStatements.queries(ListStatements.gone, reverse: true))
        byKey = try connection.prepare(ListStatements.keyQuery)
        byKeyWithGone = try connection.prepare(ListStatements.keyWithGoneQuery)
    }
}
