import CLinux

/// Where an answer of the scripted upstream waits until the test lets it go on.
package final class UpstreamGate: Sendable {
    /// A semaphore that can stand in a `poll`.
    let descriptor: Int32
    private let arrived = Tally()

    package init() {
        descriptor = eventfd(0, Int32(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "no eventfd can be made")
    }

    deinit { _ = close(descriptor) }

    /// Lets everybody through, now and later.
    package func open() { pass(UInt64(1) << 62) }

    /// Lets `count` waits through; a dripped answer waits before each of its pieces.
    package func step(_ count: Int = 1) { pass(UInt64(count)) }

    /// Returns once `count` answers have come to wait here since the gate was made.
    package func arrivals(_ count: Int) async { await arrived.reaches(count) }

    private func pass(_ count: UInt64) {
        let code = eventfd_write(descriptor, count)
        precondition(code == 0, "a gate is opened once")
    }

    /// Somebody begins to wait.
    func arrive() { arrived.add() }

    /// Takes one passage where there is one; another thread may have been quicker.
    func takePassage() -> Bool {
        var count: UInt64 = 0
        return unsafe eventfd_read(descriptor, &count) == 0
    }
}
