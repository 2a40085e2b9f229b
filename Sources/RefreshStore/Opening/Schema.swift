/// What the cache database looks like, and how an older one becomes it.
///
/// `PRAGMA user_version` holds the version. Each step runs in one transaction with its new version, so a killed
/// migration has either happened or not.
enum Schema {
    /// Step n leads from version n to n + 1.
    private static let ladder = [first]

    /// The version that this program reads and writes.
    static var version: Int { ladder.count }

    /// The version of what is open; 0 of an empty file.
    static func version(of connection: borrowing Connection) throws(StoreFailure) -> Int {
        Int(try connection.number("PRAGMA user_version"))
    }

    /// Climbs from `found` to the version of today.
    static func migrate(_ connection: borrowing Connection, from found: Int) throws(StoreFailure) {
        for step in found..<version {
            try connection.execute(
                "BEGIN IMMEDIATE; \(ladder[step]); PRAGMA user_version = \(step + 1); COMMIT")
        }
    }

    /// One row an item, whose `seq` makes the index (feed, seq) the change log (semantics K1); a tombstone is the
    /// same row without its body.
    ///
    /// - `state` is 0 for a live item, otherwise the reason of its deletion.
    /// - `seq` is NULL for a record that was never shown: kept out by retention when it came, and known only so that
    ///   it is not taken for new the next time (T7, T8).
    /// - `created_seq` is never used twice in a feed, and so doubles as the place of the first sight (P2).
    /// - `sort` is the order value in microseconds, the least integer where there is none, so that one index range
    ///   reads the whole order.
    /// - `body` stands last: what is read without it need not touch its pages.
    private static let first = """
        \(LastRun.table);
        CREATE TABLE feeds (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            epoch INTEGER NOT NULL,
            seq INTEGER NOT NULL DEFAULT 0,
            floor INTEGER NOT NULL DEFAULT 0,
            items INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            traces INTEGER NOT NULL DEFAULT 0,
            due INTEGER,
            last_attempt INTEGER,
            last_done INTEGER,
            last_success INTEGER,
            last_change INTEGER,
            failures INTEGER NOT NULL DEFAULT 0,
            failure_at INTEGER,
            failure_class TEXT,
            failure_code TEXT,
            failure_detail TEXT,
            failure_status INTEGER,
            failure_retry_after INTEGER,
            etag TEXT,
            last_modified TEXT,
            validator_scope INTEGER NOT NULL DEFAULT 0,
            suspect TEXT
        ) STRICT;
        CREATE TABLE items (
            id INTEGER PRIMARY KEY,
            feed INTEGER NOT NULL REFERENCES feeds (id),
            key BLOB NOT NULL CHECK (length(key) <= 1024),
            seq INTEGER,
            created_seq INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            state INTEGER NOT NULL,
            sort INTEGER NOT NULL,
            first_seen INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            hash BLOB NOT NULL,
            body BLOB,
            UNIQUE (feed, key),
            UNIQUE (feed, seq)
        ) STRICT;
        CREATE INDEX items_order ON items (feed, sort, created_seq) WHERE state = 0;
        CREATE INDEX items_traces ON items (feed, changed_at) WHERE state <> 0
        """
}
