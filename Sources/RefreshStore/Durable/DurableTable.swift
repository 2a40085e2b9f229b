import RefreshCore

/// The table of values, on a connection that is made anew after a failure of the disk; used by one thread.
///
/// A sync that has failed must not be tried again as if nothing had been lost: the connection is closed without
/// another write, and the next call opens the database and checks it.
final class DurableTable {
    private let file: DatabaseFile
    private var rows: DurableRows?

    init(_ database: consuming OpenedDatabase, of file: DatabaseFile) throws(StoreFailure) {
        self.file = file
        rows = try DurableRows(database)
    }

    func save(_ pair: DurableStore.Pair, in space: DurableStore.Space) throws(StoreFailure) {
        try use { (rows) throws(StoreFailure) in try rows.save(pair, in: space) }
    }

    func load(_ name: String, in space: DurableStore.Space) throws(StoreFailure) -> DurableStore.Pair? {
        try use { (rows) throws(StoreFailure) in try rows.load(name, in: space) }
    }

    func all(in space: DurableStore.Space) throws(StoreFailure) -> [DurableStore.Pair] {
        try use { (rows) throws(StoreFailure) in try rows.all(in: space) }
    }

    func remove(_ name: String, in space: DurableStore.Space) throws(StoreFailure) {
        try use { (rows) throws(StoreFailure) in try rows.remove(name, in: space) }
    }

    func finish() throws(StoreFailure) {
        guard rows != nil else { return }
        try use { (rows) throws(StoreFailure) in try rows.finish() }
    }

    private func use<Value>(
        _ work: (DurableRows) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        let open = try current()
        do throws(StoreFailure) {
            let value = try work(open)
            // The value is stored all the same: it stands in the log.
            if open.connection.takeCheckpointFailure() != nil { rows = nil }
            return value
        } catch {
            switch error {
            case .io, .corrupt: rows = nil
            default: break
            }
            throw error
        }
    }

    private func current() throws(StoreFailure) -> DurableRows {
        if let rows { return rows }
        file.forgetWhatIsCached()
        let reopened = try DurableRows(try file.openSound())
        rows = reopened
        return reopened
    }
}
