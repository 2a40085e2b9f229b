import RefreshCore

/// What one page of a pass wants to have stored, all of it or nothing.
package struct PassCommit: Sendable {
    /// The page's place in its pass.
    package enum Part: Sendable, Equatable {
        /// No page of a list: a start, a failure, an answer that said that nothing is new.
        case note
        /// More pages of this pass will come.
        case page
        /// The last one of the pass.
        case last(Proof)
        /// Records that were asked for by their ids, and the ids that the upstream no longer has: each is settled by
        /// itself, and the list's stamps stay (semantics R15–R19). `at` is then the start of this request.
        case byID(gone: [RecordKey])
    }

    /// What the pass as a whole has shown.
    package enum Proof: Sendable, Equatable {
        /// Every page of the list, one after another, to its proven end: what none of them held is no longer listed.
        case complete
        /// Only a part: what is new, a window, or a list that was cut short.
        case partial
    }

    package let feed: FeedID
    /// The start of the pass.
    package let at: Timestamp
    /// Pages with the same number belong together. A number is never used twice by a running daemon, and a later pass
    /// has a greater one: pages of an earlier pass that come after it are dropped whole (semantics U17). 0 is a pass
    /// by itself.
    package var pass: UInt64 = 0
    /// The pass goes on where another process or a failed pass has stopped: what its pages hold is not the whole
    /// list, whatever its end proves (semantics U12).
    package var isResumed = false
    package var part: Part
    /// The epoch that the pass began in: where the feed has another one by now, its records have become others and the
    /// pass is refused whole (semantics K3). Nil is any.
    package var epoch: Epoch?
    /// As it is to be stored if everything else is; the store fills in `lastChange` and `suspect`.
    package let progress: FeedProgress
    /// The records; nil where there were none to read (304, equal body, failure).
    package let page: RecordPage?
    /// Keys that the upstream says are deleted, beside the rows that say so themselves.
    package var deleted: [RecordKey] = []
    package let retention: Retention
    package var deletes: DeletesPlan
    /// Paths that make no change, of JSON records (semantics C1).
    package var ignore: [JSONPath] = []
    package var unordered: [JSONPath] = []
    /// Whether the feed's order begins with the least value.
    package var isAscending = false
    /// Records that a page may repeat of the pages before it (semantics U15).
    package var overlap = 0
    /// The pass told all that is new since the last one: items that it does not name are confirmed as they are (F3).
    package var isDelta = false
    /// Of a syndication feed: what the records' keys are made of (refresh policy SK2).
    package var keyLevel: KeyLevel?
    /// Whether the feed's one item is a document whose bytes are kept.
    package var keepsDocument = false
    /// Its bytes, where they came with the page.
    package var document: ReceivedDocument?
    /// Why what the pass lacks is not to be believed, such as a total that changed under way (semantics U14).
    package var doubt: String?
    /// Keys that are not to be missed, however complete the pass is (semantics U16).
    package var exempt: Set<RecordKey> = []
    /// Delete what is absent however much it is.
    package let acceptDrop: Bool

    /// Whether `page` ends a proven whole list.
    package var complete: Bool { part == .last(.complete) }
    package var absent: Feed.AbsentMeans { deletes.absent }

    /// A pass of one page.
    package init(
        feed: FeedID, at: Timestamp, progress: FeedProgress, page: RecordPage? = nil, complete: Bool = false,
        absent: Feed.AbsentMeans = .keep, retention: Retention, acceptDrop: Bool = false
    ) {
        self.init(
            feed: feed, at: at, part: page == nil ? .note : .last(complete ? .complete : .partial),
            progress: progress, page: page, retention: retention, deletes: DeletesPlan(absent: absent),
            acceptDrop: acceptDrop)
    }

    package init(
        feed: FeedID, at: Timestamp, pass: UInt64 = 0, part: Part, progress: FeedProgress,
        page: RecordPage? = nil, retention: Retention, deletes: DeletesPlan, acceptDrop: Bool = false
    ) {
        self.feed = feed
        self.at = at
        self.pass = pass
        self.part = part
        self.progress = progress
        self.page = page
        self.retention = retention
        self.deletes = deletes
        self.acceptDrop = acceptDrop
    }
}

/// What came of it.
package struct CommitOutcome: Sendable, Equatable {
    package let counts: RefreshCounts
    package let progress: FeedProgress
    package let store: StoredCounts
    package var notes = PassNotes()
    /// The page belonged to a pass that another one has overtaken, and was dropped.
    package var isOvertaken = false

    package init(counts: RefreshCounts, progress: FeedProgress, store: StoredCounts) {
        self.counts = counts
        self.progress = progress
        self.store = store
    }
}

extension CommitOutcome {
    /// Of a page or a note that came too late: everything is as it was stored by others.
    init(overtakenIn feed: FeedRow) {
        self.init(counts: RefreshCounts(), progress: feed.progress, store: feed.counts)
        notes = feed.notes
        isOvertaken = true
    }
}

/// What was forgotten of a feed, and how it stands since.
package struct ClearedFeed: Sendable, Equatable {
    /// Live items that it had.
    package let items: Int
    package let store: StoredCounts

    package init(items: Int, store: StoredCounts) {
        self.items = items
        self.store = store
    }
}
