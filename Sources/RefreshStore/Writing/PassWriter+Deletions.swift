import RefreshCore

/// What is no longer there: what the upstream says is deleted, what a whole list lacks, what a request by id misses.
extension PassWriter {
    // MARK: - Said to be deleted

    mutating func delete(_ key: RecordKey, version: VersionValue?) throws(StoreFailure) {
        guard let found = try items.find(key, feed: feed.id) else { return }
        try delete(found, key, version: version)
    }

    mutating func delete(
        _ found: ItemTable.Found, _ key: RecordKey, version: VersionValue?
    ) throws(StoreFailure) {
        guard found.state == .live else { return }
        if let version, let kept = found.version, version.isOlder(than: kept) {
            feed.notes.late += 1
            return
        }
        try remove(found.kept(key), .upstream)
    }

    /// A request for `key` was told that there is none (semantics R16).
    mutating func settleGone(_ key: RecordKey) throws(StoreFailure) {
        guard let found = try items.find(key, feed: feed.id), found.state == .live else { return }
        if let checked = found.checkedAt, checked > commit.at { return }
        try items.stamp(found.id, at: commit.at)
        try remove(found.kept(key), .upstream)
    }

    /// Takes the item out of the live ones and tells the log; a last copy is kept for a while (semantics T5).
    mutating func remove(_ item: ItemRanges.Kept, _ reason: DeleteReason) throws(StoreFailure) {
        let seq = nextSeq()
        if commit.retention.gone > .zero {
            try items.vanish(item.id, reason, seq: seq, txn: txn, at: commit.at)
            feed.gone += 1
        } else {
            try items.bury(item.id, reason, seq: seq, txn: txn, at: commit.at)
            feed.tombstones += 1
            feed.bytes -= item.bytes
        }
        feed.items -= 1
        if item.missed == nil { feed.listed -= 1 }
        feed.digest.remove(item.key, rev: item.rev)
        counts.removed += 1
    }

    // MARK: - Missing

    /// Notes which rows the listing that has just ended was the first not to hold. When it held as many as the one
    /// before it, it held the same ones, and nothing is read or written.
    mutating func endListing() throws(StoreFailure) {
        feed.passes += 1
        let most = commit.retention.count * (commit.retention.listed ? Retention.listedFactor : 1)
        feed.notes.isTrimmed = marks.evicted > 0 || marks.seen.count > most
        guard feed.listed != marks.seen.count else { return }
        var unseen: [Int64] = []
        let seen = marks.seen
        try ranges.listableIDs(feed: feed.id, hasLedger: feed.ledger > 0) { id in
            if !seen.contains(id) { unseen.append(id) }
        }
        for id in unseen {
            guard let item = try ranges.one(id), item.missed == nil, !isSpared(item) else { continue }
            try items.miss(id, pass: feed.passes, at: feed.listedAt)
            feed.listed -= 1
        }
    }

    /// What came or was confirmed by itself while the pass was under way, and what must not be missed (semantics U16).
    private func isSpared(_ item: ItemRanges.Kept) -> Bool {
        if item.place.createdSeq > marks.seqBefore { return true }
        if let checked = item.checkedAt, checked >= commit.at { return true }
        return !commit.exempt.isEmpty && commit.exempt.contains(item.key)
    }

    /// Removes what the complete pass lacks, if it is believed and enough passes have lacked it (semantics U12, U14).
    mutating func sweep() throws(StoreFailure) {
        guard commit.absent == .gone else {
            feed.progress.suspect = nil
            return
        }
        let missing = try ranges.missedOnes(feed: feed.id, since: feed.passes).filter { !isSpared($0) }
        let confirm = Int64(max(commit.deletes.confirm, 1))
        let due = missing.filter { item in item.missed.map { feed.passes - $0 + 1 >= confirm } ?? false }
        let drop = SweepGuard(
            live: marks.seenBefore + missing.count, missing: missing.count, records: marks.records,
            rejected: marks.rejected, repeated: marks.repeated, doubt: commit.doubt,
            dropGuard: commit.deletes.dropGuard)
        let doomed: [ItemRanges.Kept]
        var reason: String?
        switch drop.verdict() {
        case _ where commit.acceptDrop: doomed = missing
        case .believed: doomed = due
        case .withheld(let why):
            // Passes that agree release what one alone would not be believed.
            doomed = confirm > 1 ? due : []
            reason = doomed.count < missing.count ? why : nil
        }
        for item in doomed { try remove(item, .missing) }
        if doomed.count < missing.count { doubt(reason) } else { feed.progress.suspect = nil }
    }
}

extension ItemTable.Found {
    /// The same row, as the ranges have it.
    func kept(_ key: RecordKey) -> ItemRanges.Kept {
        ItemRanges.Kept(
            id: id, key: key, rev: rev, state: state, place: place, bytes: bytes, missed: missed,
            listedAt: nil,
            checkedAt: checkedAt, seq: seq)
    }
}
