/// The tables of the database for what no upstream can give back.
enum DurableSchema {
    static let durable = Ladder(steps: [first], probes: ["SELECT count(*) FROM pairs WHERE name = ''"])

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
