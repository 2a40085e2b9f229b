import RefreshCore

/// What a pass asks of each answer beside its records.
package struct ReadWish: Sendable, Equatable {
    /// Where a row says when it changed (`incremental.cursor`).
    package var cursor: BodyPath?
    /// Where a row says where it stands in the list's order (`keyset`).
    package var keyset: BodyPath?
    /// Where an answer lists the keys of deleted records.
    package var deleted: BodyPath?
    /// When the answer came.
    package var now: Timestamp

    package init(now: Timestamp) { self.now = now }
}

/// The records of one answer, and what the pass asked of them.
package struct Harvest: Sendable {
    package var page: RecordPage
    /// Rows as the upstream sent them, those that a filter left out and those refused included: a page is as long as
    /// that.
    package var count: Int
    /// The cursor of each row that was found, in order, of those too that were left out.
    package var cursors: [ScalarValue?] = []
    /// The place of the last row in the list's order.
    package var last: ScalarValue?
    /// Keys that the answer lists as deleted.
    package var deleted: [RecordKey] = []
    package var hints: FeedHints?
    package var isExpired = false
    /// Whether the answer shows a part of the list by its nature, so that absence means nothing.
    package var isWindow = false
    /// Of a syndication feed: what its entries were told apart by.
    package var keyLevel: KeyLevel?
    /// Of an opaque document: its bytes.
    package var document: ReceivedDocument?

    package init(page: RecordPage, count: Int? = nil) {
        self.page = page
        self.count = count ?? page.rows.count + page.rejected
    }

    /// Nothing: 204, or an error that counts as a page without rows.
    package static let empty = Harvest(page: RecordPage(text: [], rows: []))
}

/// An answer's body that was found to be of the right kind.
package protocol ReadDocument {
    /// The one value at `path`; nil where nothing is there, or something with parts.
    func value(at path: BodyPath) -> ScalarValue?

    func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest
}

/// Where a page's single values are read: its body, or its head.
package struct PageValues {
    private let document: (any ReadDocument)?
    let headers: HTTPHeaders

    /// - Parameter document: nil of an answer without a body.
    package init(_ document: (any ReadDocument)?, headers: HTTPHeaders) {
        self.document = document
        self.headers = headers
    }

    /// Null and nothing are the same here: neither asks for another page.
    package subscript(place: ReadPlace) -> ScalarValue? {
        switch place {
        case .body(let path):
            guard let value = document?.value(at: path), value.kind != .null else { return nil }
            return value
        case .header(let name): return headers.first(name).map { ScalarValue($0) }
        }
    }
}
