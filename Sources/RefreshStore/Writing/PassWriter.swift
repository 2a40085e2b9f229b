import RefreshCore

/// Applies one pass to the tables, inside a transaction that is its caller's: dedupe, upserts, what is missing,
/// retention, purge of tombstones, floor, progress (semantics T10).
struct PassWriter {
    /// A listed record that retention keeps out.
    private struct Outsider {
        let index: Int
        let found: ItemTable.Found
        let place: OrderPlace
    }

    private let commit: PassCommit
    private let items: ItemTable
    private var feed: FeedRow
    private var counts = RefreshCounts()
    /// Where the log and the number of live items stood before the pass.
    private let seqBefore: Seq
    private let liveBefore: Int
    private var seen = SeenRows()
    private var seenLive = 0
    private var outsiders: [Outsider] = []

    init(_ commit: PassCommit, feed: FeedRow, items: ItemTable) {
        self.commit = commit
        self.feed = feed
        self.items = items
        seqBefore = feed.seq
        liveBefore = feed.items
    }

    /// Writes the items and returns the feed's row, still to be saved, and what came of it.
    mutating func run() throws(StoreFailure) -> (FeedRow, CommitOutcome) {
        let stored = feed.progress
        feed.progress = commit.progress
        // The stored ones are the true ones: what the caller has may be older.
        feed.progress.suspect = stored.suspect
        if let page = commit.page {
            counts.rejected = page.rejected
            try take(page)
            try removeMissing(page)
            try evict()
            try readmit(page)
            try purge(page)
        }
        feed.progress.lastChange = counts.isEmpty ? stored.lastChange : commit.at
        return (feed, CommitOutcome(counts: counts, progress: feed.progress, store: feed.counts))
    }

    // MARK: - Records

    private mutating func take(_ page: RecordPage) throws(StoreFailure) {
        let superseded = RepeatedRows(page.rows).superseded
        for number in page.rows.indices {
            // What is listed first then counts as seen last, so that retention keeps it (refresh policy ST1).
            let index = page.newestFirst ? page.rows.count - 1 - number : number
            if superseded.isEmpty || !superseded.contains(index) { try take(page, index) }
        }
    }

    private mutating func take(_ page: RecordPage, _ index: Int) throws(StoreFailure) {
        let row = page.rows[index]
        guard let found = try items.find(row.key, feed: feed.id) else { return try add(page, row) }
        seen.insert(found.id)
        switch found.deleted {
        case nil:
            seenLive += 1
            if found.hash == row.hash {
                counts.unchanged += 1
            } else {
                try replace(found, page, row, sort(row, page, firstSeen: found.firstSeen))
                counts.changed += 1
            }
        case .retention:
            outsiders.append(Outsider(index: index, found: found, place: place(found, page, row)))
        default:
            try replace(found, page, row, sort(row, page, firstSeen: found.firstSeen))
            counts.added += 1
        }
    }

    private mutating func add(_ page: RecordPage, _ row: RecordPage.Row) throws(StoreFailure) {
        let place = OrderPlace(sort: sort(row, page, firstSeen: commit.at), createdSeq: nextSeq())
        let body = page.body(of: row)
        let id = try items.insert(row, body: body, feed: feed.id, place: place, at: commit.at)
        seen.insert(id)
        feed.items += 1
        feed.bytes += body.count
        counts.added += 1
    }

    private mutating func replace(
        _ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row, _ sort: Int64
    ) throws(StoreFailure) {
        let body = page.body(of: row)
        try items.replace(found, hash: row.hash, body: body, seq: nextSeq(), sort: sort, at: commit.at)
        if found.deleted != nil {
            feed.items += 1
            feed.traces -= 1
        }
        feed.bytes += body.count - found.bytes
    }

    private mutating func nextSeq() -> Seq {
        feed.seq += 1
        return feed.seq
    }

    /// The order value: never in the future, and of a document that is read from its top never after the record
    /// was first seen (refresh policy ST1).
    private func sort(_ row: RecordPage.Row, _ page: RecordPage, firstSeen: Timestamp) -> Int64 {
        let latest = page.newestFirst ? firstSeen : commit.at
        guard let order = row.order else { return OrderPlace.sort(of: page.newestFirst ? firstSeen : nil) }
        return OrderPlace.sort(of: min(order, latest))
    }

    /// Where a record that retention has put out would stand: in its old place, so that an edit alone does not bring
    /// it back, unless the upstream itself orders by a value that has moved (semantics T8).
    private func place(_ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row) -> OrderPlace {
        let keepsPlace = page.newestFirst || row.order == nil || found.hash == row.hash
        let sort = keepsPlace ? found.place.sort : sort(row, page, firstSeen: found.firstSeen)
        return OrderPlace(sort: sort, createdSeq: found.place.createdSeq)
    }

    // MARK: - Missing ones

    private mutating func removeMissing(_ page: RecordPage) throws(StoreFailure) {
        guard commit.complete else { return }
        guard commit.absent == .gone else {
            feed.progress.suspect = nil
            return
        }
        let missing = liveBefore - seenLive
        let drop = SweepGuard(
            live: liveBefore, missing: missing, records: page.rows.count, rejected: page.rejected)
        switch drop.verdict(acceptDrop: commit.acceptDrop) {
        case .believed:
            feed.progress.suspect = nil
            if missing > 0 { try removeUnseen() }
        case .withheld(let reason):
            feed.progress.suspect = reason
            // With them the next answer could be 304, and the doubt would never end (semantics U14).
            feed.progress.validators = Validators()
        }
    }

    private mutating func removeUnseen() throws(StoreFailure) {
        var unseen: [ItemTable.Live] = []
        var seen = seen
        try items.fromTheEnd(feed: feed.id) { item in
            if !seen.contains(item.id) { unseen.append(item) }
            return true
        }
        for item in unseen {
            try bury(item, reason: .missing, seq: nextSeq())
            counts.removed += 1
        }
    }

    // MARK: - Retention

    private mutating func evict() throws(StoreFailure) {
        let excess = commit.retention.excess(live: feed.items)
        if excess > 0 { try evict(excess) }
    }

    private mutating func evict(_ count: Int) throws(StoreFailure) {
        for item in try lastItems(count) {
            // Nobody has seen what came in this pass: no row of the log tells of it (semantics T7).
            let isNew = item.place.createdSeq > seqBefore
            try bury(item, reason: .retention, seq: isNew ? nil : nextSeq())
            if isNew { counts.added -= 1 } else { counts.evicted += 1 }
        }
    }

    private mutating func bury(
        _ item: ItemTable.Live, reason: DeleteReason, seq: Seq?
    ) throws(StoreFailure) {
        try items.bury(item.id, reason: reason, seq: seq, at: commit.at)
        feed.items -= 1
        feed.traces += 1
        feed.bytes -= item.bytes
    }

    private func lastItems(_ count: Int) throws(StoreFailure) -> [ItemTable.Live] {
        var last: [ItemTable.Live] = []
        try items.fromTheEnd(feed: feed.id, limit: count) { item in
            last.append(item)
            return true
        }
        return last
    }

    /// Lets those back in that would stay: the best ones while there is room, then those before the last live item.
    private mutating func readmit(_ page: RecordPage) throws(StoreFailure) {
        guard !outsiders.isEmpty, commit.retention.count > 0 else { return }
        outsiders.sort { $0.place > $1.place }
        for outsider in outsiders {
            if feed.items >= commit.retention.count {
                guard let last = try lastItems(1).first, last.place < outsider.place else { return }
                try evict(1)
            }
            try replace(outsider.found, page, page.rows[outsider.index], outsider.place.sort)
            counts.added += 1
        }
    }

    // MARK: - Tombstones

    private mutating func purge(_ page: RecordPage) throws(StoreFailure) {
        var rule = TombstonePurge(traces: feed.traces, listed: page.rows.count, now: commit.at)
        var seen = seen
        var doomed: [ItemTable.Trace] = []
        try items.deadOnes(feed: feed.id) { trace in
            switch rule.verdict(
                deadSince: trace.at, isLogged: trace.seq != nil, isListed: seen.contains(trace.id))
            {
            case .stop: return false
            case .keep: return true
            case .purge:
                doomed.append(trace)
                return doomed.count < TombstonePurge.atOnce
            }
        }
        for trace in doomed {
            try items.purge(trace.id)
            feed.traces -= 1
            feed.floor = max(feed.floor, trace.seq ?? 0)
        }
    }
}
