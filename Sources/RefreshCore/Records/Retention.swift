/// How much of a feed is kept.
package struct Retention: Sendable, Equatable {
    /// Live items kept at most.
    package let count: Int

    package init(count: Int) { self.count = count }

    /// How many of `live` items have to go, from the end of the feed's order.
    package func excess(live: Int) -> Int { max(0, live - count) }
}
