import RefreshCore

/// What the writer does when nobody waits for it.
extension Writer {
    /// Pages given back to the file system at a time: about 10 ms of work.
    private static let vacuumPages = 256
    /// Rows of a forgotten feed that one transaction takes.
    private static let rowsAtOnce = 2_000

    /// Brings the log into the database file; a reader that is in the way is not waited for.
    func checkpoint() throws(StoreFailure) {
        Failpoint.pass(.checkpointing)
        try noting { () throws(StoreFailure) in
            try connection.waitForLocks(milliseconds: 0)
            defer { try? connection.waitForLocks(milliseconds: DatabaseFile.patience) }
            try connection.checkpoint()
        }
    }

    /// The last that is done: notes a clean stop and brings everything into the database file.
    func finish() throws(StoreFailure) {
        Failpoint.pass(.stopping)
        try noting { () throws(StoreFailure) in
            try noteEnd()
            Failpoint.pass(.checkpointing)
            try connection.checkpoint()
            try connection.checkpointOnClose(true)
        }
    }

    /// Rows written since the start.
    var totalChanges: Int64 { connection.totalChanges }

    /// Makes sure that something can be stored again after the disk was full (operations 4.2).
    ///
    /// More than the bound on the file and the disk would have to fail here: it is written, committed and taken away.
    func probe() throws(StoreFailure) {
        try transaction { () throws(StoreFailure) in
            try connection.execute("INSERT OR REPLACE INTO probe VALUES (1, zeroblob(65536))")
            try room.check()
        }
        try noting { () throws(StoreFailure) in try connection.execute("DELETE FROM probe") }
    }

    /// Gives free pages back to the file system, a few at a time; false where there are none.
    func vacuum() throws(StoreFailure) -> Bool {
        var isMore = false
        try noting { () throws(StoreFailure) in
            isMore = try connection.number("PRAGMA freelist_count") > Int64(Writer.vacuumPages)
            if isMore { try connection.execute("PRAGMA incremental_vacuum(\(Writer.vacuumPages))") }
        }
        return isMore
    }

    /// Deletes some rows of a feed that was removed; false where there are none.
    func sweepRemoved() throws(StoreFailure) -> Bool {
        guard let feed = try feeds.disowned() else { return false }
        try transaction { () throws(StoreFailure) in
            let ids = try ranges.anyIDs(feed: feed, limit: Writer.rowsAtOnce)
            for id in ids { try connection.execute("DELETE FROM items WHERE id = \(id)") }
            if ids.count < Writer.rowsAtOnce {
                try documents.remove(feed: feed)
                try feeds.remove(feed)
            }
        }
        return true
    }
}
