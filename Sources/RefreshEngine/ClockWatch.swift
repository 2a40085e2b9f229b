import CLinux
import Glibc
import RefreshCore

/// Waits on a thread of its own for the wall clock to be set and for the host to wake up, and says so.
///
/// The kernel cancels a timer that asks for it at both (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`); nothing is
/// polled, and no time passes on the thread otherwise.
package final class ClockWatch: Sendable {
    private let timer: Int32
    private let bell: Int32
    private let thread: Locked<pthread_t?>

    /// Nil where the kernel refuses; steps are then seen at the next due time.
    package init?(changed: @escaping @Sendable () -> Void) {
        timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        bell = eventfd(0, Int32(EFD_CLOEXEC))
        thread = Locked(nil)
        guard timer >= 0, bell >= 0, ClockWatch.arm(timer) else {
            closeBoth()
            return nil
        }
        let watch = Watching(timer: timer, bell: bell, changed: changed)
        let context = unsafe Unmanaged.passRetained(watch).toOpaque()
        var id = pthread_t()
        guard unsafe pthread_create(&id, nil, runClockWatch, context) == 0 else {
            unsafe Unmanaged<Watching>.fromOpaque(context).release()
            closeBoth()
            return nil
        }
        thread.withLock { $0 = id }
    }

    deinit { stop() }

    /// Ends the thread and returns when it has ended.
    package func stop() {
        let ending = thread.withLock { thread -> pthread_t? in
            defer { thread = nil }
            return thread
        }
        guard let ending else { return }
        // It cannot fail: a counter of 64 bits takes a one.
        _ = eventfd_write(bell, 1)
        // A thread that was never detached can be joined once.
        _ = pthread_join(ending, nil)
        closeBoth()
    }

    private func closeBoth() {
        // Nothing was written that a failing close could lose.
        if timer >= 0 { _ = close(timer) }
        if bell >= 0 { _ = close(bell) }
    }

    /// Sets the timer to a time that never comes, to be cancelled by a change of the clock.
    fileprivate static func arm(_ timer: Int32) -> Bool {
        var never = itimerspec()
        never.it_value.tv_sec = time_t(Int32.max) * 4
        let flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
        return unsafe timerfd_settime(timer, Int32(flags), &never, nil) == 0
    }

    fileprivate final class Watching: Sendable {
        private let timer: Int32
        private let bell: Int32
        private let changed: @Sendable () -> Void

        init(timer: Int32, bell: Int32, changed: @escaping @Sendable () -> Void) {
            self.timer = timer
            self.bell = bell
            self.changed = changed
        }

        func run() {
            while true {
                var places = [
                    pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
                ]
                let count = unsafe poll(&places, 2, -1)
                if count < 0, errno == EINTR { continue }
                guard count > 0, places[1].revents == 0 else { return }
                var expirations: UInt64 = 0
                // A cancelled timer says so once, when it is read.
                guard unsafe read(timer, &expirations, 8) < 0, errno == ECANCELED else { return }
                guard ClockWatch.arm(timer) else { return }
                changed()
            }
        }
    }
}

private func runClockWatch(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ClockWatch.Watching>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
