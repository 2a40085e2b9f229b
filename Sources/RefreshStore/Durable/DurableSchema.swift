/// The tables of the database for what no upstream can give back.
enum DurableSchema {
    static let durable = Ladder(steps: [first], probes: ["SELECT count(*) FROM pairs WHERE name = ''"])

    /// What a salvage notes: it is there until somebody says that all is well.
    static let noteDoubt = """
        INSERT OR REPLACE INTO pairs (space, name, value, updated_at)
        VALUES ('\(DurableStore.Space.doubts.rawValue)', '\(DurableStore.salvageDoubt)', CAST(?1 AS BLOB), ?2)
        """

    /// Values under names, in namespaces: rotated tokens, an operator's pauses.
    private static let first = """
        CREATE TABLE pairs (
            space TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (space, name)
        ) STRICT, WITHOUT ROWID
        """
}
