import RefreshCore

/// Applies one page of a pass to the tables, inside a transaction that is its caller's: dedupe, upserts, what is
/// missing, retention, purge of tombstones, floor, progress (semantics T10).
struct PassWriter {
    /// A listed record that retention keeps out.
    struct Outsider {
        let index: Int
        let found: ItemTable.Found
        let place: OrderPlace
    }

    /// The tables, and who judges what is a change.
    struct Tools {
        let items: ItemTable
        let ranges: ItemRanges
        let judge: RecordJudge
        let documents: DocumentTable
    }

    let commit: PassCommit
    let items: ItemTable
    let ranges: ItemRanges
    let judge: RecordJudge
    let documents: DocumentTable
    var feed: FeedRow
    var counts = RefreshCounts()
    /// Where the log stood before the page.
    let seqBefore: Seq
    /// The number of this transaction.
    let txn: Int64
    var marks: PassMarks
    var outsiders: [Outsider] = []
    /// Rows of this page that alone are larger than all bodies together may be.
    var oversized: [Int64] = []
    /// Records of this page that pages before it have held.
    var repeated = 0
    /// Whether the feed may have rows: before its log has begun there is nothing to look up.
    let isBegun: Bool
    private let isFirstPage: Bool
    private let stored: FeedProgress
    private let isOvertaken: Bool

    /// - Parameter marks: what the feed's latest pass has left; nil of none in this process.
    init(_ commit: PassCommit, feed: FeedRow, marks: PassMarks?, tools: Tools) {
        self.commit = commit
        self.feed = feed
        items = tools.items
        ranges = tools.ranges
        judge = tools.judge
        documents = tools.documents
        seqBefore = feed.seq
        isBegun = feed.seq > 0
        txn = feed.txn + 1
        stored = feed.progress
        let latest = marks?.pass ?? 0
        isOvertaken = commit.pass != 0 && commit.pass < latest && commit.page != nil
        if let marks, !commit.isList || isOvertaken || commit.pass != 0 && commit.pass == latest {
            self.marks = marks
            isFirstPage = false
        } else {
            isFirstPage = true
            // A note is no page: the pass begins with the first one, which alone knows whether it goes on with another.
            self.marks = PassMarks(
                pass: commit.isList ? commit.pass : 0, seqBefore: feed.seq,
                checkpoint: feed.progress.checkpoint,
                isWhole: !commit.isResumed)
            if commit.isList {
                judge.beginPass(feed: feed.id)
                self.feed.notes.rejections = []
            }
        }
    }

    /// Writes the items and returns the feed's row, still to be saved, and what came of it.
    mutating func run() throws(StoreFailure) -> (feed: FeedRow, outcome: CommitOutcome, marks: PassMarks) {
        if isOvertaken {
            var outcome = outcome()
            outcome.isOvertaken = true
            return (feed, outcome, marks)
        }
        feed.progress = commit.progress
        // The stored ones are the true ones: what the caller has may be older.
        feed.progress.suspect = stored.suspect
        feed.progress.entryKeys = stored.entryKeys
        try takeRecords()
        if case .last(let proof) = commit.part { try endPass(proof) }
        if commit.keepsDocument { try boundDocument() }
        try retain()
        if let page = commit.page { try readmit(page) }
        if commit.keepsDocument { try settleDocument() }
        try purge()
        if feed.seq != seqBefore { feed.txn = txn }
        feed.notes.flapping = judge.flapping(feed: feed.id)
        if case .last = commit.part {
            marks.seen = SeenRows()
            marks.isWhole = false
        }
        let outcome = outcome()
        return (feed, outcome, marks)
    }

    private mutating func outcome() -> CommitOutcome {
        feed.progress.lastChange = counts.isEmpty ? stored.lastChange : commit.at
        var outcome = CommitOutcome(counts: counts, progress: feed.progress, store: feed.counts)
        outcome.notes = feed.notes
        return outcome
    }

    private mutating func takeRecords() throws(StoreFailure) {
        if let page = commit.page {
            counts.rejected = page.rejected
            note(page)
            // What is held back is found anew by each pass.
            if commit.isList, isFirstPage { feed.progress.entryKeys.holdsBack = false }
            if let level = commit.keyLevel { try settleKeys(page, level) }
            try take(page)
            // With the hash of the body it would never be looked at again.
            if feed.progress.entryKeys.holdsBack { feed.progress.bodyHash = nil }
        }
        for key in commit.deleted { try delete(key, version: nil) }
        if case .byID(let gone) = commit.part {
            for key in gone { try settleGone(key) }
        }
        marks.seen.endPage()
        marks.repeated += max(0, repeated - commit.overlap)
        if commit.isConfirmation { confirm() }
    }

    private mutating func note(_ page: RecordPage) {
        marks.records += page.rows.count
        marks.rejected += page.rejected
        feed.notes.rejected += page.rejected
        let room = RecordPage.rejectionsKept - feed.notes.rejections.count
        feed.notes.rejections.append(contentsOf: page.rejections.prefix(max(0, room)))
    }

    // MARK: - The end of a pass

    private mutating func endPass(_ proof: PassCommit.Proof) throws(StoreFailure) {
        if commit.isDelta { feed.checkedAt = commit.at }
        // A document of which the newest is told first is a whole one, although what it lacks is not gone.
        guard proof == .complete || commit.page?.newestFirst == true, marks.isWhole else { return }
        try endListing()
        if proof == .complete { try sweep() }
        feed.listedAt = commit.at
        feed.checkedAt = commit.at
        feed.reorders = false
    }

    /// An answer that said that nothing is new: what the latest listing held, it still holds.
    private mutating func confirm() {
        feed.checkedAt = commit.at
        if feed.listedAt != nil { feed.listedAt = commit.at }
    }

    /// Keeps in the progress what a pass that was not believed must not lose: with its validators the next answer
    /// could be 304, and the doubt would never end; with its checkpoint what is missing would never be asked for.
    mutating func doubt(_ reason: String?) {
        feed.progress.suspect = reason
        feed.progress.validators = Validators()
        feed.progress.bodyHash = nil
        if reason != nil { feed.progress.checkpoint = marks.checkpoint }
    }
}

extension PassCommit {
    /// Whether it is a page of a list.
    var isList: Bool {
        switch part {
        case .page, .last: true
        case .note, .byID: false
        }
    }

    /// A pass that went well and had nothing to read.
    var isConfirmation: Bool { part == .note && progress.lastSuccess == at && progress.failure == nil }
}
