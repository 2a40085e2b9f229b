import RefreshCore
import RefreshFormats

/// What becomes of the records of a page.
extension PassWriter {
    mutating func take(_ page: RecordPage) throws(StoreFailure) {
        let superseded = RepeatedRows(page.rows).superseded
        feed.notes.duplicates += superseded.count
        for number in page.rows.indices {
            // What is listed first then counts as seen last, so that retention keeps it (refresh policy ST1).
            let index = page.newestFirst ? page.rows.count - 1 - number : number
            if superseded.isEmpty || !superseded.contains(index) { try take(page, index) }
        }
    }

    private mutating func take(_ page: RecordPage, _ index: Int) throws(StoreFailure) {
        let row = page.rows[index]
        guard let found = isBegun ? try items.find(row.key, feed: feed.id) : nil else {
            if !row.isDeleted { try add(page, row) }
            return
        }
        if row.isDeleted { return try delete(found, row.key, version: row.version) }
        try mark(found)
        if isSettledLater(found) {
            counts.unchanged += 1
            return
        }
        if found.hash == row.hash, found.state == .live {
            try confirm(found, page, row)
        } else if let version = row.version, let kept = found.version, version.isOlder(than: kept) {
            // An older copy never overwrites a newer one (semantics C3).
            feed.notes.late += 1
            counts.unchanged += 1
        } else if found.state == .tombstone(.retention) {
            outsiders.append(Outsider(index: index, found: found, place: place(found, page, row)))
        } else {
            try change(found, page, row)
        }
    }

    /// A request for this very item has begun later and was answered before (semantics R19). Stamps that lie far ahead
    /// are those of a clock that has gone back, and say nothing.
    private func isSettledLater(_ found: ItemTable.Found) -> Bool {
        guard let checked = found.checkedAt else { return false }
        return checked > commit.at && checked - commit.at < .seconds(900)
    }

    private mutating func confirm(
        _ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row
    ) throws(StoreFailure) {
        counts.unchanged += 1
        if feed.reorders {
            let sort = sort(row, page, firstSeen: found.firstSeen)
            if sort != found.place.sort { try items.move(found.id, to: sort) }
        }
        if !commit.isList { try items.stamp(found.id, at: commit.at) }
    }

    private mutating func change(
        _ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row
    ) throws(StoreFailure) {
        let sort = sort(row, page, firstSeen: found.firstSeen)
        if found.state == .live {
            let before = try items.body(of: found.id)
            let body = page.body(of: row)
            if sort == found.place.sort, judge.isSame(before, body, commit) {
                try items.respell(found.id, body: body, hash: row.hash)
                feed.bytes += body.count - found.bytes
                counts.unchanged += 1
                if !commit.isList { try items.stamp(found.id, at: commit.at) }
                return
            }
            if try isHeldBack(found, before, body) {
                counts.unchanged += 1
                if commit.isList { judge.changed(found.id, feed: feed.id, from: before, to: body) }
                if !commit.isList { try items.stamp(found.id, at: commit.at) }
                return
            }
            if let version = row.version, version == found.version { feed.notes.sameVersion += 1 }
            if commit.isList, judge.isWatching(found.id, feed: feed.id) {
                judge.changed(found.id, feed: feed.id, from: before, to: body)
            }
            counts.changed += 1
        } else {
            counts.added += 1
        }
        try replace(found, page, row, sort)
        if !commit.isList { try items.stamp(found.id, at: commit.at) }
    }

    /// Whether a change that only the content shows is one too many; else it counts (refresh policy SC3).
    private mutating func isHeldBack(
        _ found: ItemTable.Found, _ before: [UInt8], _ body: ArraySlice<UInt8>
    ) throws(StoreFailure) -> Bool {
        guard commit.keyLevel != nil, StoredEntries.isQuietChange(from: before[...], to: body) else {
            return false
        }
        var changes = try items.quietChanges(of: found.id)
        guard changes.admits(at: commit.at) else {
            feed.progress.entryKeys.holdsBack = true
            return true
        }
        try items.setQuietChanges(changes, of: found.id)
        return false
    }

    private mutating func add(_ page: RecordPage, _ row: RecordPage.Row) throws(StoreFailure) {
        let sort = sort(row, page, firstSeen: commit.at)
        var copy = copy(row, page, OrderPlace(sort: sort, createdSeq: nextSeq()), seq: feed.seq)
        if !commit.isList {
            copy.missed = feed.passes + 1
            copy.checkedAt = commit.at
        }
        let id = try items.insert(copy, feed: feed.id)
        if commit.isList {
            marks.seen.insert(id)
            feed.listed += 1
        }
        if copy.body.count > commit.retention.bytes.bytes { oversized.append(id) }
        feed.items += 1
        feed.bytes += copy.body.count
        feed.digest.add(row.key, rev: 1)
        counts.added += 1
    }

    /// Gives a row the record's text; what is not live comes to life.
    mutating func replace(
        _ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row, _ sort: [UInt8]
    ) throws(StoreFailure) {
        let place = OrderPlace(sort: sort, createdSeq: found.place.createdSeq)
        var copy = copy(row, page, place, seq: nextSeq())
        // What only its id was asked for is as much in the list as it was before.
        if !commit.isList { copy.missed = found.state.isListable ? found.missed : feed.passes + 1 }
        try items.replace(found, copy)
        if copy.body.count > commit.retention.bytes.bytes { oversized.append(found.id) }
        switch found.state {
        case .live: feed.digest.remove(row.key, rev: found.rev)
        case .gone: feed.gone -= 1
        case .tombstone(let reason):
            if found.seq != nil { feed.tombstones -= 1 }
            if reason == .retention { feed.ledger -= 1 }
        }
        if found.state != .live { feed.items += 1 }
        // A line of the ledger was among those that a listing is compared with already.
        if !found.state.isListable, commit.isList { feed.listed += 1 }
        feed.bytes += copy.body.count - found.bytes
        feed.digest.add(row.key, rev: found.rev + 1)
    }

    private func copy(
        _ row: RecordPage.Row, _ page: RecordPage, _ place: OrderPlace, seq: Seq
    ) -> ItemTable.Copy {
        ItemTable.Copy(
            key: row.key, body: page.body(of: row), hash: row.hash, version: row.version, place: place,
            seq: seq,
            txn: txn, at: commit.at)
    }

    mutating func nextSeq() -> Seq {
        feed.seq += 1
        return feed.seq
    }

    // MARK: - Marks

    /// Notes that the list holds the row's record.
    private mutating func mark(_ found: ItemTable.Found) throws(StoreFailure) {
        guard commit.isList else { return }
        if marks.seen.isOfEarlierPage(found.id) {
            repeated += 1
        } else if found.state == .live, found.place.createdSeq <= marks.seqBefore {
            marks.seenBefore += 1
        }
        marks.seen.insert(found.id)
        if found.missed != nil, found.state.isListable {
            try items.list(found.id)
            feed.listed += 1
        }
    }

    // MARK: - Order

    /// The order value's bytes: a time never in the future, and of a document that is read from its top never after
    /// the record was first seen (refresh policy ST1).
    func sort(_ row: RecordPage.Row, _ page: RecordPage, firstSeen: Timestamp) -> [UInt8] {
        let latest = page.newestFirst ? firstSeen : commit.at
        switch row.orderValue {
        case .null where page.newestFirst: return stored(.time(firstSeen))
        case .time(let time): return stored(.time(min(time, latest)))
        case let value: return stored(value)
        }
    }

    private func stored(_ value: OrderValue) -> [UInt8] { value.stored(isDescending: !commit.isAscending) }

    /// Where a record that retention has put out would stand: in its old place, so that an edit alone does not bring
    /// it back, unless the upstream itself orders by a value that has moved (semantics T8).
    private func place(_ found: ItemTable.Found, _ page: RecordPage, _ row: RecordPage.Row) -> OrderPlace {
        let keepsPlace =
            page.newestFirst || row.orderValue == .null || found.hash == row.hash && !feed.reorders
        let sort = keepsPlace ? found.place.sort : sort(row, page, firstSeen: found.firstSeen)
        return OrderPlace(sort: sort, createdSeq: found.place.createdSeq)
    }
}
