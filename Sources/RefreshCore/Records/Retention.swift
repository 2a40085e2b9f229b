/// How much of a feed is kept, and how long its traces are (semantics T2–T8).
package struct Retention: Sendable, Equatable {
    /// Live items kept at most.
    package var count: Int
    /// Items older than this go, by the order value of a feed sorted by time, otherwise by when they were last seen.
    package var age: Duration?
    /// Bytes of bodies kept at most.
    package var bytes: ByteCount = .mebibytes(256)
    /// Whether what the latest listing holds stays, up to four times `count`.
    package var listed = false
    /// How long an item that is gone upstream is still shown as such.
    package var gone: Duration = .seconds(86_400)
    package var tombstoneAge: Duration = .seconds(30 * 86_400)
    package var tombstoneCount = 10_000
    package var tombstoneMinAge: Duration = .seconds(7 * 86_400)
    /// Beyond so many bytes of traces the least age no longer protects them.
    package var tombstoneHardBytes: ByteCount?
    /// How long an evicted key is remembered after it was listed last.
    package var ledger: Duration = .seconds(30 * 86_400)

    /// How many times `count` may be kept of what the latest listing holds (semantics T6).
    package static let listedFactor = 4

    package init(count: Int) { self.count = count }

    /// How many of `live` items have to go, from the end of the feed's order.
    package func excess(live: Int) -> Int { max(0, live - count) }
}
