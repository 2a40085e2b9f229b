import Synchronization

/// A count that grows whenever something happens, and somebody who can be told: as long as it stands still, what was
/// read is still true.
package final class Pulse: Sendable {
    private let count = Atomic<UInt64>(0)
    private let isWatched = Atomic(false)
    private let watcher = Locked<(@Sendable () -> Void)?>(nil)

    package init() {}

    package var current: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Something has happened, and can be seen by whoever looks.
    package func beat() {
        count.add(1, ordering: .sequentiallyConsistent)
        guard isWatched.load(ordering: .sequentiallyConsistent) else { return }
        let watcher = watcher.withLock { $0 }
        watcher?()
    }

    /// Names the one who is called after a beat while he watches; from any thread, so he does little.
    package func tell(_ watcher: @escaping @Sendable () -> Void) {
        self.watcher.withLock { $0 = watcher }
    }

    /// Who looks at `current` after this has missed nothing: a later beat calls him.
    package func watch(_ isWatched: Bool) {
        if self.isWatched.load(ordering: .relaxed) != isWatched {
            self.isWatched.store(isWatched, ordering: .sequentiallyConsistent)
        }
    }
}
