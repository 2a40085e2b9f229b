import CLinux
import RefreshCore

/// Work that runs on the pool while the main thread, which is none of the pool's, waits for it.
///
/// A `main` that is itself asynchronous would start the pool, which opens files and takes signals, before its first
/// line runs.
package final class Background<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let descriptor: Int32

    /// Starts `work`.
    package init(_ work: @escaping @Sendable () async -> Value) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        precondition(descriptor >= 0, "the process has no descriptor left to wait with")
        Task.detached { self.finish(await work()) }
    }

    deinit { _ = close(descriptor) }

    /// The work's result, or nil where it is not there after `limit`; it then goes on.
    package func wait(atMost limit: Duration) -> Value? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let value = value.withLock({ $0 }) { return value }
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return nil }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // An interrupted or early return is looked at again above.
            _ = unsafe poll(&entry, 1, Int32(min(left.rounded(.up), 60_000)))
        }
    }

    /// The work's result.
    package func wait() -> Value {
        while true {
            if let value = wait(atMost: .seconds(3_600)) { return value }
        }
    }

    private func finish(_ result: Value) {
        value.withLock { $0 = result }
        var one: UInt64 = 1
        // A counter that stands at 0 takes one (eventfd(2)).
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
