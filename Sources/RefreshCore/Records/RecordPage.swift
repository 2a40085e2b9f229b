/// The records that one answer of an upstream held: slices of one buffer, so that a body is copied only
/// on its way into the database.
package struct RecordPage: Sendable {
    package struct Row: Sendable, Equatable {
        package let key: RecordKey
        /// Where the record's JSON text stands in `text`.
        package let body: Range<Int>
        package let hash: ContentHash
        /// The record's place in the feed's order, highest first; no value sorts last. Of a syndication feed the
        /// published time, of which the store never takes more than its own now (refresh policy ST1).
        package let order: OrderValue
        /// Which copy of the record it is, where the upstream counts them (semantics C3).
        package var version: VersionValue?
        /// The row says of itself that its record is deleted (semantics U10).
        package var isDeleted: Bool

        package init(
            key: RecordKey, body: Range<Int>, hash: ContentHash, order: OrderValue = .null,
            version: VersionValue? = nil, isDeleted: Bool = false
        ) {
            self.key = key
            self.body = body
            self.hash = hash
            self.order = order
            self.version = version
            self.isDeleted = isDeleted
        }

        /// Of a feed that is sorted by time; nil sorts last.
        package init(key: RecordKey, body: Range<Int>, hash: ContentHash, order: Timestamp?) {
            self.init(key: key, body: body, hash: hash, order: order.map { .time($0) } ?? .null)
        }
    }

    /// A record that was refused, for the feed's status.
    package struct Rejection: Sendable, Equatable {
        /// Its place among the page's records, from 0.
        package let index: Int
        package let reason: String

        package init(index: Int, reason: String) {
            self.index = index
            self.reason = reason
        }
    }

    /// How many rejections are kept with their reason (semantics I5).
    package static let rejectionsKept = 10

    package let text: [UInt8]
    package let rows: [Row]
    /// Whether the first row is the newest: of rows seen at once it then counts as seen last (ST1).
    package let newestFirst: Bool
    package let rejected: Int
    /// The first few of the rejected.
    package let rejections: [Rejection]

    package init(
        text: [UInt8], rows: [Row], newestFirst: Bool = false, rejected: Int = 0, rejections: [Rejection] = []
    ) {
        self.text = text
        self.rows = rows
        self.newestFirst = newestFirst
        self.rejected = rejected
        self.rejections = rejections
    }

    package func body(of row: Row) -> ArraySlice<UInt8> { text[row.body] }
}
