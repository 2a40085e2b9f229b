import Synchronization

/// How often the store has committed: as long as it stands still, nothing that was read has changed.
package final class CommitCount: Sendable {
    private let count = Atomic<UInt64>(0)

    package init() {}

    package var current: UInt64 { count.load(ordering: .acquiring) }

    /// After each commit, before anybody is told of it.
    package func advance() { count.add(1, ordering: .releasing) }
}
