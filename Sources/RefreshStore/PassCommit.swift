import RefreshCore

/// What one pass wants to have stored, all of it or nothing.
package struct PassCommit: Sendable {
    package let feed: FeedID
    /// The start of the pass.
    package let at: Timestamp
    /// As it is to be stored if everything else is; the store fills in `lastChange` and `suspect`.
    package let progress: FeedProgress
    /// The records; nil where there were none to read (304, equal body, failure).
    package let page: RecordPage?
    /// Whether `page` is the whole list, so that what it lacks is no longer listed.
    package let complete: Bool
    package let absent: Feed.AbsentMeans
    package let retention: Retention
    /// Delete what is absent however much it is.
    package let acceptDrop: Bool

    package init(
        feed: FeedID, at: Timestamp, progress: FeedProgress, page: RecordPage? = nil, complete: Bool = false,
        absent: Feed.AbsentMeans = .keep, retention: Retention, acceptDrop: Bool = false
    ) {
        self.feed = feed
        self.at = at
        self.progress = progress
        self.page = page
        self.complete = complete
        self.absent = absent
        self.retention = retention
        self.acceptDrop = acceptDrop
    }
}

/// What came of it.
package struct CommitOutcome: Sendable, Equatable {
    package let counts: RefreshCounts
    package let progress: FeedProgress
    package let store: StoredCounts

    package init(counts: RefreshCounts, progress: FeedProgress, store: StoredCounts) {
        self.counts = counts
        self.progress = progress
        self.store = store
    }
}
