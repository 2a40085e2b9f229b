import RefreshCore
import RefreshFormats

/// Items of a syndication feed that go on under other keys (refresh policy SK2, SK4).
extension PassWriter {
    /// Brings what is stored under the keys that the page goes by, before its records are taken.
    mutating func settleKeys(_ page: RecordPage, _ level: KeyLevel) throws(StoreFailure) {
        if level != feed.progress.entryKeys.level {
            try rekeyAll(to: level, page)
            feed.progress.entryKeys.level = level
        }
        guard commit.isList else { return }
        if try rekeyChurned(page) { marks.hasChurned = true }
        if case .last = commit.part { countChurn() }
    }

    /// One document under other ids may be the upstream's move to better ones; two in a row are not.
    private mutating func countChurn() {
        if marks.hasChurned {
            feed.progress.entryKeys.churns += 1
        } else if marks.records >= ChurnGuard().least, feed.progress.entryKeys.level == .id {
            feed.progress.entryKeys.churns = 0
        }
    }

    // MARK: - Another level

    private mutating func rekeyAll(to level: KeyLevel, _ page: RecordPage) throws(StoreFailure) {
        guard feed.items > 0 else { return }
        var stored = StoredEntries()
        for item in try liveOnes() { stored.add(item.key, body: try items.body(of: item.id)[...]) }
        try rekey(stored.rekeyings(to: level), page)
    }

    private func liveOnes() throws(StoreFailure) -> [ItemRanges.Kept] {
        var live: [ItemRanges.Kept] = []
        try ranges.liveOnes(feed: feed.id) { item in
            live.append(item)
            return true
        }
        return live
    }

    // MARK: - Other ids

    /// Finds stored items that the page lists under other ids; false where its ids are to be believed.
    private mutating func rekeyChurned(_ page: RecordPage) throws(StoreFailure) -> Bool {
        let churn = ChurnGuard()
        // Beyond what is kept nothing is known of an item but its key.
        let rows = page.rows.prefix(commit.retention.count)
        guard feed.items > 0, rows.count >= churn.least, try isMostlyUnknown(rows, churn) else {
            return false
        }
        let listed = rows.compactMap { row in
            StoredEntries.digest(page.body(of: row)).map { ChurnGuard.Entry(key: row.key, digest: $0) }
        }
        var stored: [ChurnGuard.Entry] = []
        for item in try liveOnes() where !marks.seen.isOfEarlierPage(item.id) {
            guard let digest = StoredEntries.digest(try items.body(of: item.id)[...]) else { continue }
            stored.append(ChurnGuard.Entry(key: item.key, digest: digest))
        }
        let rekeyings = churn.rekeyings(listed: listed, stored: stored)
        guard !rekeyings.isEmpty else { return false }
        try rekey(rekeyings, page)
        return true
    }

    /// A look at as few rows as will do: of nearly every page the first few are known.
    private func isMostlyUnknown(
        _ rows: ArraySlice<RecordPage.Row>, _ churn: ChurnGuard
    ) throws(StoreFailure) -> Bool {
        var known = 0
        for row in rows {
            guard let found = try items.find(row.key, feed: feed.id),
                found.state != .tombstone(.replaced)
            else { continue }
            known += 1
            if known * 100 > rows.count * (100 - churn.share) { return false }
        }
        return true
    }

    private mutating func rekey(
        _ rekeyings: [ChurnGuard.Rekeying], _ page: RecordPage
    ) throws(StoreFailure) {
        var places: [RecordKey: Int] = [:]
        for (index, row) in page.rows.enumerated() { places[row.key] = index }
        for rekeying in rekeyings {
            try rekey(rekeying, with: places[rekeying.to].map { (page, page.rows[$0]) })
        }
    }

    // MARK: - One item

    /// Gives a live item another key, and its new text where it has one: it keeps its place, and what is left under
    /// the old key tells of the new one.
    private mutating func rekey(
        _ rekeying: ChurnGuard.Rekeying, with new: (page: RecordPage, row: RecordPage.Row)?
    ) throws(StoreFailure) {
        guard let found = try items.find(rekeying.from, feed: feed.id), found.state == .live,
            try makeRoom(for: rekeying.to)
        else { return }
        let body: [UInt8]? = new == nil ? try items.body(of: found.id) : nil
        guard let text = new.map({ $0.page.body(of: $0.row) }) ?? body?[...],
            let hash = new?.row.hash ?? found.hash
        else { return }
        let copy = ItemTable.Copy(
            key: rekeying.to, body: text, hash: hash, version: nil, place: found.place, seq: nextSeq(),
            txn: txn, at: commit.at)
        try items.rekey(found, from: rekeying.from, copy)
        try items.insertReplaced(found, rekeying, seq: nextSeq(), txn: txn, at: commit.at, feed: feed.id)
        feed.tombstones += 1
        feed.bytes += text.count - found.bytes
        feed.digest.remove(rekeying.from, rev: found.rev)
        feed.digest.add(rekeying.to, rev: found.rev + 1)
        counts.changed += 1
    }

    /// Takes away what is left of an earlier item under `key`; false where one lives.
    private mutating func makeRoom(for key: RecordKey) throws(StoreFailure) -> Bool {
        guard let dead = try items.find(key, feed: feed.id) else { return true }
        switch dead.state {
        case .live: return false
        case .gone:
            feed.gone -= 1
            feed.bytes -= dead.bytes
        case .tombstone(let reason):
            if dead.seq != nil { feed.tombstones -= 1 }
            if reason == .retention {
                feed.ledger -= 1
                if dead.missed == nil { feed.listed -= 1 }
            }
        }
        try items.purge(dead.id)
        return true
    }
}
