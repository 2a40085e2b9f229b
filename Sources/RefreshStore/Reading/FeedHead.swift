import RefreshCore

/// Where a feed's change log stands, and how much is cached of it.
package struct FeedHead: Sendable, Equatable {
    package let epoch: Epoch
    /// The newest place in the log.
    package let seq: Seq
    /// The highest seq of a tombstone that was purged: keys before it cannot be answered (semantics K4).
    package let floor: Seq
    /// Live items, and the bytes of their bodies.
    package let items: Int
    package let bytes: Int
}
