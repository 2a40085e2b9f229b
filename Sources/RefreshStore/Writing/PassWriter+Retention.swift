import RefreshCore

/// What the cache's bounds put out, and what they let back in (semantics T3–T8).
extension PassWriter {
    private var retention: Retention { commit.retention }

    /// First what has been gone for long enough, then what is too old, then from the end of the feed's order until
    /// count and bytes hold.
    mutating func retain() throws(StoreFailure) {
        if feed.gone > 0 {
            for item in try ranges.goneOnes(feed: feed.id, before: commit.at + (.zero - retention.gone)) {
                try fade(item)
            }
        }
        if let age = retention.age { try evictOld(before: commit.at + (.zero - age)) }
        let excess = retention.excess(live: feed.items + feed.gone)
        if excess > 0 { try evict(excess) }
        try evictBytes()
    }

    /// What is gone becomes a tombstone; the log has told of it.
    private mutating func fade(_ item: ItemRanges.Kept) throws(StoreFailure) {
        try items.fade(item.id)
        feed.gone -= 1
        feed.tombstones += 1
        feed.bytes -= item.bytes
    }

    private mutating func evict(_ item: ItemRanges.Kept) throws(StoreFailure) {
        guard item.state == .live else { return try fade(item) }
        // Nobody has seen what came in this transaction: no row of the log tells of it (semantics T7).
        let isNew = item.place.createdSeq > seqBefore
        try items.bury(item.id, .retention, seq: isNew ? nil : nextSeq(), txn: txn, at: commit.at)
        if !isNew { feed.tombstones += 1 }
        feed.ledger += 1
        feed.items -= 1
        feed.bytes -= item.bytes
        feed.digest.remove(item.key, rev: item.rev)
        if item.missed == nil { marks.evicted += 1 }
        if isNew { counts.added -= 1 } else { counts.evicted += 1 }
    }

    // MARK: - By age

    private mutating func evictOld(before cutoff: Timestamp) throws(StoreFailure) {
        let isProtecting = retention.listed && feed.items <= retention.count * Retention.listedFactor
        for item in try ranges.olderOnes(feed: feed.id, than: cutoff, isAscending: commit.isAscending)
        where !(isProtecting && item.missed == nil) {
            try evict(item)
        }
        for item in try ranges.missedOnes(feed: feed.id, since: feed.passes)
        where item.order == nil && item.listedAt.map({ $0 < cutoff }) == true {
            try evict(item)
        }
    }

    private func isTooOld(_ place: OrderPlace) -> Bool {
        guard let age = retention.age, let time = OrderValue(stored: place.sort)?.timestamp else {
            return false
        }
        return commit.at - time > age
    }

    // MARK: - By count and bytes

    private mutating func evict(_ excess: Int) throws(StoreFailure) {
        var excess = excess
        if retention.listed {
            // The listed ones stay for a while; those that are not, few of them, go by their order.
            let others = try ranges.missedOnes(feed: feed.id, since: feed.passes).sorted {
                $0.place < $1.place
            }
            for item in others.prefix(excess) { try evict(item) }
            excess = max(0, feed.items + feed.gone - retention.count * Retention.listedFactor)
        }
        if excess > 0 { for item in try lastOnes(excess) { try evict(item) } }
    }

    private mutating func evictBytes() throws(StoreFailure) {
        // They must not push out all the others first.
        for id in oversized {
            if let item = try ranges.one(id), item.state == .live { try evict(item) }
        }
        while feed.bytes > retention.bytes.bytes, feed.items + feed.gone > 0 {
            var bytes = feed.bytes
            for item in try lastOnes(64) {
                if bytes <= retention.bytes.bytes { break }
                bytes -= item.bytes
                try evict(item)
            }
        }
    }

    /// Items from the end of the feed's order, those that are gone among them.
    private func lastOnes(_ count: Int) throws(StoreFailure) -> [ItemRanges.Kept] {
        var last: [ItemRanges.Kept] = []
        try ranges.liveOnes(feed: feed.id, limit: count) { item in
            last.append(item)
            return true
        }
        if feed.gone == 0 { return last }
        last.append(contentsOf: try ranges.goneOnes(feed: feed.id, limit: count))
        return Array(last.sorted { $0.place < $1.place }.prefix(count))
    }

    // MARK: - Back in

    /// Lets those back in that would stay: the best ones while there is room, then those before the last items.
    mutating func readmit(_ page: RecordPage) throws(StoreFailure) {
        guard !outsiders.isEmpty else { return }
        outsiders.sort { $0.place > $1.place }
        for outsider in outsiders {
            let row = page.rows[outsider.index]
            guard !isTooOld(outsider.place), try makeRoom(for: row.body.count, at: outsider.place) else {
                marks.evicted += 1
                continue
            }
            try replace(outsider.found, page, row, outsider.place.sort)
            counts.added += 1
        }
    }

    /// Puts out what stands behind `place`, but only if that is enough.
    private mutating func makeRoom(for bytes: Int, at place: OrderPlace) throws(StoreFailure) -> Bool {
        let count = retention.listed ? retention.count * Retention.listedFactor : retention.count
        var items = feed.items + feed.gone + 1 - count
        var bytes = feed.bytes + bytes - retention.bytes.bytes
        if items <= 0, bytes <= 0 { return true }
        if count == 0 { return false }
        var doomed: [ItemRanges.Kept] = []
        for item in try lastOnes(bytes > 0 ? 64 : items) {
            if items <= 0, bytes <= 0 { break }
            guard item.place < place else { return false }
            doomed.append(item)
            items -= 1
            bytes -= item.bytes
        }
        guard items <= 0, bytes <= 0 else { return false }
        for item in doomed { try evict(item) }
        return true
    }

    // MARK: - Forgetting

    /// Purges tombstones and raises the floor with them, and forgets lines of the ledger (semantics T2, T8).
    mutating func purge() throws(StoreFailure) {
        if feed.tombstones > 0 { try purgeTombstones() }
        if feed.ledger > 0 { try purgeLedger() }
    }

    private mutating func purgeTombstones() throws(StoreFailure) {
        let bytes =
            retention.tombstoneHardBytes == nil ? 0 : try ranges.tombstoneBytes(feed: feed.id)
        var rule = TombstonePurge(retention, tombstones: feed.tombstones, bytes: bytes, now: commit.at)
        var doomed: [ItemRanges.Dead] = []
        try ranges.tombstones(feed: feed.id, limit: TombstonePurge.atOnce) { dead in
            guard rule.verdict(deadSince: dead.at, keyBytes: dead.keyBytes) == .purge else { return false }
            doomed.append(dead)
            return true
        }
        let memory = LedgerPurge(retention: retention, now: commit.at, passes: feed.passes)
        for dead in doomed {
            feed.tombstones -= 1
            feed.floor = max(feed.floor, dead.seq ?? 0)
            if dead.isEvicted, !memory.isForgotten(missed: dead.missed, listedAt: dead.listedAt) {
                try items.unlog(dead.id)
            } else {
                try forget(dead)
            }
        }
    }

    private mutating func purgeLedger() throws(StoreFailure) {
        let memory = LedgerPurge(retention: retention, now: commit.at, passes: feed.passes)
        let last = feed.passes - LedgerPurge.listings + 1
        for line in try ranges.ledger(feed: feed.id, missedSince: last, limit: TombstonePurge.atOnce)
        where memory.isForgotten(missed: line.missed, listedAt: line.listedAt) {
            try forget(line)
        }
        // While a pass is under way it is not known how long its listing is.
        if case .last = commit.part, feed.ledger > LedgerPurge.count { try boundLedger() }
    }

    private mutating func boundLedger() throws(StoreFailure) {
        var excess = LedgerPurge.excess(lines: feed.ledger, listed: marks.seen.count)
        guard excess > 0 else { return }
        var doomed: [ItemRanges.Dead] = []
        let seen = marks.seen
        try ranges.ledger(feed: feed.id) { line in
            if !seen.contains(line.id) {
                doomed.append(line)
                excess -= 1
            }
            return excess > 0 && doomed.count < TombstonePurge.atOnce
        }
        for line in doomed { try forget(line) }
    }

    private mutating func forget(_ dead: ItemRanges.Dead) throws(StoreFailure) {
        try items.purge(dead.id)
        guard dead.isEvicted else { return }
        feed.ledger -= 1
        if dead.missed == nil { feed.listed -= 1 }
    }
}
