/// The records that one answer of an upstream held: slices of one buffer, so that a body is copied only
/// on its way into the database.
package struct RecordPage: Sendable {
    package struct Row: Sendable, Equatable {
        package let key: RecordKey
        /// Where the record's JSON text stands in `text`.
        package let body: Range<Int>
        package let hash: ContentHash
        /// What the feed's order sorts the record by. Of a syndication feed the published time, of which the store
        /// never takes more than its own now (refresh policy ST1).
        package let orderValue: OrderValue
        /// Which of two copies is the newer (semantics C3).
        package let version: VersionValue?
        /// Whether the row says that the record is deleted (semantics U10).
        package let isDeleted: Bool

        /// The record's place in an order by time, highest first; nil sorts last.
        package var order: Timestamp? { orderValue.timestamp }

        package init(key: RecordKey, body: Range<Int>, hash: ContentHash, order: Timestamp? = nil) {
            self.init(key: key, body: body, hash: hash, orderValue: order.map { .time($0) } ?? .null)
        }

        package init(
            key: RecordKey, body: Range<Int>, hash: ContentHash, orderValue: OrderValue,
            version: VersionValue? = nil, isDeleted: Bool = false
        ) {
            self.key = key
            self.body = body
            self.hash = hash
            self.orderValue = orderValue
            self.version = version
            self.isDeleted = isDeleted
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
