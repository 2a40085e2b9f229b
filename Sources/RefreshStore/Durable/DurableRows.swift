import RefreshCore

/// The statements on the table of values, on one connection; used by one thread.
final class DurableRows {
    let connection: Connection
    private let put: Statement
    private let get: Statement
    private let list: Statement
    private let delete: Statement

    init(_ database: consuming OpenedDatabase) throws(StoreFailure) {
        let connection = database.connection
        put = try connection.prepare(
            """
            INSERT INTO pairs (space, name, value, updated_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (space, name) DO UPDATE SET value = ?3, updated_at = ?4
            """)
        get = try connection.prepare(
            "SELECT name, value, updated_at FROM pairs WHERE space = ?1 AND name = ?2")
        list = try connection.prepare(
            "SELECT name, value, updated_at FROM pairs WHERE space = ?1 ORDER BY name")
        delete = try connection.prepare("DELETE FROM pairs WHERE space = ?1 AND name = ?2")
        self.connection = connection
    }

    func save(_ pair: DurableStore.Pair, in space: DurableStore.Space) throws(StoreFailure) {
        defer { put.reset() }
        try put.bind(1, space.rawValue)
        try put.bind(2, pair.name)
        try put.bind(3, pair.value)
        try put.bind(4, pair.updatedAt.microseconds)
        Failpoint.pass(.durableCommitting)
        // A statement by itself is a transaction, which FULL brings to the disk before it returns.
        try put.run()
        Failpoint.pass(.durableCommitted)
    }

    func load(_ name: String, in space: DurableStore.Space) throws(StoreFailure) -> DurableStore.Pair? {
        defer { get.reset() }
        try get.bind(1, space.rawValue)
        try get.bind(2, name)
        return try get.step() ? DurableRows.pair(get) : nil
    }

    func all(in space: DurableStore.Space) throws(StoreFailure) -> [DurableStore.Pair] {
        defer { list.reset() }
        try list.bind(1, space.rawValue)
        var pairs: [DurableStore.Pair] = []
        while try list.step() { pairs.append(DurableRows.pair(list)) }
        return pairs
    }

    func remove(_ name: String, in space: DurableStore.Space) throws(StoreFailure) {
        defer { delete.reset() }
        try delete.bind(1, space.rawValue)
        try delete.bind(2, name)
        try delete.run()
    }

    func finish() throws(StoreFailure) {
        try connection.checkpoint()
        try connection.checkpointOnClose(true)
    }

    private static func pair(_ row: borrowing Statement) -> DurableStore.Pair {
        DurableStore.Pair(
            name: row.text(0) ?? "", value: row.bytes(1), updatedAt: Timestamp(microseconds: row.number(2)))
    }
}
