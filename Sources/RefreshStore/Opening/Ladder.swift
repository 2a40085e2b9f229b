/// What a database looks like, and how an older one becomes it.
///
/// `PRAGMA user_version` holds the version. Each step runs in one transaction with its new version, so a killed
/// migration has either happened or not, and goes on at the next start.
struct Ladder: Sendable {
    /// Step n leads from version n to n + 1; the first makes the database.
    let steps: [String]
    /// Queries that every sound database of the newest version answers.
    let probes: [String]

    /// The version that this program reads and writes.
    var version: Int { steps.count }

    /// The version of what is open; 0 of an empty file.
    func version(of connection: borrowing Connection) throws(StoreFailure) -> Int {
        Int(try connection.number("PRAGMA user_version"))
    }

    /// Climbs from `found` to the version of today.
    func migrate(_ connection: borrowing Connection, from found: Int) throws(StoreFailure) {
        for step in found..<max(version, found) {
            Failpoint.pass(.migrating)
            try connection.execute(
                "BEGIN IMMEDIATE; \(steps[step]); PRAGMA user_version = \(step + 1); COMMIT")
        }
        Failpoint.pass(.migrated)
    }
}
