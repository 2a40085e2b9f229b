import RefreshCore

/// A syndication feed as read: its entries as records, and what it says of itself.
package struct SyndicationDocument: Sendable {
    package let page: RecordPage
    /// The feed's own members as JSON text (refresh policy 2.8).
    package let meta: [UInt8]
    package let hints: SyndicationHints
    package let warnings: [SyndicationWarning]
    /// Entries of the document; the page lacks those that say nothing, or repeat another one.
    package let entries: Int
    /// Entries that the upstream says are gone.
    package let deletions: [DeletedEntry]
    /// All entries that there are stand in the document, so that absence means something (RFC 5005, 2). Never of
    /// one without entries, or that may be cut off (ST5).
    package let isComplete: Bool

    /// What keys were made of, to be kept with the feed: lower than the policy's where that did not do.
    package let keyLevel: KeyLevel

    init(
        _ shelved: ItemShelf.Shelved, feed: FeedDraft, entries: Int, deletions: [DeletedEntry],
        warnings: [SyndicationWarning]
    ) {
        page = shelved.page
        keyLevel = shelved.level
        meta = feed.json(warnings: warnings)
        hints = feed.hints
        self.warnings = warnings
        self.entries = entries
        self.deletions = deletions
        let isWhole = !warnings.contains { $0.code == .illFormed || $0.code == .cutOff }
        isComplete = feed.isComplete && isWhole && entries > 0
    }
}

/// Something that was put up with while reading a feed.
package struct SyndicationWarning: Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        /// Ill-formed XML was mended, or what stood behind the fault is missing.
        case illFormed = "ill-formed"
        /// A prefix without a declaration was taken for what it usually means.
        case undeclaredPrefix = "undeclared-prefix"
        /// A date that no reader understands.
        case badDate = "bad-date"
        /// Ids that several entries share, which are therefore not used.
        case sharedIDs = "shared-ids"
        /// An entry that the end of the document cut off; it is left out.
        case cutOff = "cut-off"
        /// Entries that say nothing; they are left out.
        case emptyEntry = "empty-entry"
    }

    package let code: Code
    /// From 1; nil where no line can be named.
    package let line: Int?

    package init(_ code: Code, line: Int? = nil) {
        self.code = code
        self.line = line
    }
}
