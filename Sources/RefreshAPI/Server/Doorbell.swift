import CLinux
import Synchronization

/// Wakes a thread that polls `descriptor`, and tells it when to end; rung from any thread, any number of times.
final class Doorbell: Sendable {
    let descriptor: Int32
    private let end = Atomic(false)

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

    /// Makes it quiet until the next ring.
    func hush() {
        var count: UInt64 = 0
        // It fails only where nobody has rung.
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
