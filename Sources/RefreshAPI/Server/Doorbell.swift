import CLinux
import Synchronization

/// Wakes a thread that polls `descriptor`, and tells it when to end; rung from any thread, any number of times.
final class Doorbell: Sendable {
    let descriptor: Int32
    private let end = Atomic(false)
    private let count = Atomic<UInt64>(0)

    /// Nil where the system has no descriptor left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit { _ = close(descriptor) }

    func ring() {
        var one: UInt64 = 1
        // It fails only where the count is at its end, and then the bell rings already.
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Whether the thread is to end.
    var endIsWanted: Bool { end.load(ordering: .acquiring) }

    func askForEnd() {
        end.store(true, ordering: .releasing)
        ring()
    }

    /// How often the thread has come round; it stands still where the thread does.
    var turns: UInt64 { count.load(ordering: .relaxed) }

    /// The thread has come round once more.
    func countTurn() { count.add(1, ordering: .relaxed) }

    /// Makes it quiet until the next ring.
    func hush() {
        var count: UInt64 = 0
        // It fails only where nobody has rung.
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
