/// How a list goes on after its first page.
package struct PagingPlan: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// One answer holds the whole list.
        case none
        /// RFC 8288.
        case linkHeader(rel: String)
        case link(next: ReadPlace)
        /// `alone`: parameters that only the first page sends.
        case cursor(next: ReadPlace, to: SendPlace?, alone: [String])
        case page(to: SendPlace?, start: Int, totalPages: ReadPlace?)
        case offset(to: SendPlace?, start: Int, total: ReadPlace?)
        /// The value at `from` of the last row asks for what comes after it.
        case keyset(from: BodyPath, to: SendPlace?)

        /// Whether a place in the list is a number, so that rows slip past it when others come or go.
        package var isShifting: Bool {
            switch self {
            case .page, .offset: true
            case .none, .linkHeader, .link, .cursor, .keyset: false
            }
        }
    }

    package var kind = Kind.none
    /// Records a page.
    package var size: Int?
    package var sizeTo: SendPlace?
    /// False ends the pass.
    package var more: ReadPlace?
    package var maxPages = 1_000
    package var maxRecords: Int?
    /// Empty pages in a row that are followed.
    package var maxEmpty = 3
    /// Statuses that mean the end, after the first page.
    package var endOn: [Int] = []
    /// Records by which an offset page starts early (semantics U15).
    package var overlap = 0
    /// An interrupted pass younger than this goes on at its page.
    package var resume: Duration = .seconds(600)
    /// Whether a next link has to stay at the feed's origin.
    package var sameOrigin = true

    package init() {}
}

/// How only what is new is asked for.
package struct IncrementalPlan: Sendable, Equatable {
    package enum ValueKind: String, Sendable, CaseIterable {
        case rfc3339, date, epoch, epochMilliseconds = "epoch_ms", int, text, format
    }
    package enum Order: String, Sendable, CaseIterable { case none, asc, desc }
    package enum Bound: String, Sendable, CaseIterable { case inclusive, exclusive }
    package enum Missing: String, Sendable, CaseIterable { case keep, skip, fail }

    /// A moment or value to begin with.
    package enum Start: Sendable, Equatable {
        /// As it is sent.
        case value(String)
        /// So long before now.
        case ago(Duration)
    }

    package struct Field: Sendable, Equatable {
        package var cursor: BodyPath
        package var kind = ValueKind.rfc3339
        /// strptime's letters, for `kind: format`.
        package var format: String?
        /// Of times without one; nil is UTC.
        package var zone: Zone?
        package var to: SendPlace?
        package var untilTo: SendPlace?
        package var start: Start?
        package var overlap: Duration = .seconds(5)
        package var order = Order.none
        package var bound = Bound.inclusive
        /// Windows of this length, one after another.
        package var step: Duration?
        package var missing = Missing.keep

        package init(cursor: BodyPath) { self.cursor = cursor }
    }

    package struct Token: Sendable, Equatable {
        package var next: ReadPlace
        package var to: SendPlace?
        package var resetOn: [Int] = [410]

        package init(next: ReadPlace) { self.next = next }
    }

    package struct ServerTime: Sendable, Equatable {
        package var next: ReadPlace
        package var kind = ValueKind.rfc3339
        package var to: SendPlace?
        package var overlap: Duration = .seconds(5)
        package var start: Start?

        package init(next: ReadPlace) { self.next = next }
    }

    package enum Kind: Sendable, Equatable {
        case field(Field)
        case token(Token)
        case serverTime(ServerTime)
    }

    package var kind: Kind
    /// A whole pass at least this often; nil is never.
    package var fullEvery: Duration?

    package init(kind: Kind, fullEvery: Duration? = .seconds(86_400)) {
        self.kind = kind
        self.fullEvery = fullEvery
    }
}

/// How deletions are told, and when they are believed.
package struct DeletesPlan: Sendable, Equatable {
    /// Rows for which it holds are deletions.
    package var when: JSONFilter?
    /// Where an answer lists the keys of deleted records.
    package var list: BodyPath?
    /// What an absent record means after a proven complete pass.
    package var absent: Feed.AbsentMeans
    /// Complete passes that have to lack a record.
    package var confirm = 1
    /// The share of missing items beyond which a pass is not believed (semantics U14).
    package var dropGuard = 0.3

    package init(absent: Feed.AbsentMeans) { self.absent = absent }
}

/// One sub-pass for each item of another feed.
package struct ParentPlan: Sendable, Equatable {
    package let feed: FeedID
    package var filter: JSONFilter?
    /// Fields of the parent's item that are copied into the rows and offered as `$(parent.FIELD)`.
    package var with: [String] = []
    package var concurrent = 1
    /// Only for items that changed since their last sub-pass.
    package var changedOnly = true

    package init(feed: FeedID) { self.feed = feed }
}
