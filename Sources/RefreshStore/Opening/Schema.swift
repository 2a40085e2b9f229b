/// The tables of the cache database.
enum Schema {
    static let cache = Ladder(
        steps: [first, second],
        probes: [
            "SELECT seq FROM feeds LIMIT 1", "SELECT alias FROM items LIMIT 1",
            "SELECT feed FROM documents LIMIT 1",
        ])

    /// One row an item, whose `seq` makes the index (feed, seq) the change log (semantics K1); a tombstone is the
    /// same row without its body.
    ///
    /// - `state` is 0 for a live item, otherwise the reason of its deletion; 16 more while a copy of what is gone is
    ///   still kept (T5).
    /// - `seq` is NULL for a record that no reader may know of: kept out by retention when it came, or its tombstone
    ///   was purged; it is known only so that it is not taken for new the next time (T7, T8).
    /// - `created_seq` is never used twice in a feed, and so doubles as the place of the first sight (P2).
    /// - `sort` is the order value in bytes that compare as it does, so that one index range reads the whole order.
    /// - `missed` is the number of the feed's first pass that did not list the item; NULL of one that the latest did,
    ///   whose stamps are the feed's (F3). So a pass that lists what the last one listed writes no row.
    /// - `body` stands last: what is read without it need not touch its pages.
    private static let first = """
        \(LastRun.table);
        CREATE TABLE probe (id INTEGER PRIMARY KEY, space BLOB NOT NULL) STRICT;
        CREATE TABLE feeds (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            epoch INTEGER NOT NULL,
            shape INTEGER NOT NULL DEFAULT 0,
            seq INTEGER NOT NULL DEFAULT 0,
            floor INTEGER NOT NULL DEFAULT 0,
            txn INTEGER NOT NULL DEFAULT 0,
            digest INTEGER NOT NULL DEFAULT 0,
            items INTEGER NOT NULL DEFAULT 0,
            gone INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            listed INTEGER NOT NULL DEFAULT 0,
            tombstones INTEGER NOT NULL DEFAULT 0,
            ledger INTEGER NOT NULL DEFAULT 0,
            passes INTEGER NOT NULL DEFAULT 0,
            reorder INTEGER NOT NULL DEFAULT 0,
            listed_at INTEGER,
            checked_at INTEGER,
            progress BLOB,
            notes BLOB
        ) STRICT;
        CREATE TABLE items (
            id INTEGER PRIMARY KEY,
            feed INTEGER NOT NULL REFERENCES feeds (id),
            key BLOB NOT NULL CHECK (length(key) <= 1024),
            seq INTEGER,
            created_seq INTEGER NOT NULL,
            revived_seq INTEGER,
            txn INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            state INTEGER NOT NULL,
            sort BLOB NOT NULL,
            first_seen INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            missed INTEGER,
            listed_at INTEGER,
            checked_at INTEGER,
            version BLOB,
            hash BLOB NOT NULL,
            body BLOB,
            UNIQUE (feed, key),
            UNIQUE (feed, seq)
        ) STRICT;
        CREATE INDEX items_order ON items (feed, sort, created_seq) WHERE state = 0;
        CREATE INDEX items_gone ON items (feed, sort, created_seq) WHERE state >= 16;
        CREATE INDEX items_fading ON items (feed, changed_at) WHERE state >= 16;
        CREATE INDEX items_missed ON items (feed, missed) WHERE missed IS NOT NULL;
        CREATE INDEX items_tombstones ON items (feed, changed_at, state)
            WHERE state BETWEEN 1 AND 15 AND seq IS NOT NULL;
        CREATE INDEX items_ledger ON items (feed, changed_at) WHERE seq IS NULL
        """

    /// - `alias` is the key that a live item had before, and of one that was replaced the key that it has now.
    /// - `quiet` counts the changes of an item that only its content showed (refresh policy SC3).
    /// - A document's bytes stand in parts, so that none of them is ever held as a whole; those of the one before stay
    ///   for a while (`old`), for readers who are in the middle of it.
    private static let second = """
        ALTER TABLE items ADD COLUMN alias BLOB;
        ALTER TABLE items ADD COLUMN quiet INTEGER;
        CREATE TABLE documents (
            feed INTEGER PRIMARY KEY REFERENCES feeds (id),
            number INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            hash BLOB NOT NULL,
            type TEXT,
            tag TEXT,
            modified TEXT,
            has_stuck_tag INTEGER NOT NULL,
            old INTEGER,
            replaced_at INTEGER
        ) STRICT;
        CREATE TABLE document_parts (
            id INTEGER PRIMARY KEY,
            feed INTEGER NOT NULL REFERENCES feeds (id),
            number INTEGER NOT NULL,
            place INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (feed, number, place)
        ) STRICT
        """
}
