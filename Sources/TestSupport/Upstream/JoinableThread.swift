import CLinux

/// A thread of the test's own: what it does may block without starving the concurrency pool.
struct JoinableThread: Sendable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Work(body))
        var started = pthread_t()
        let code = unsafe pthread_create(&started, nil, JoinableThread.run, box.toOpaque())
        precondition(code == 0, "no thread can be started")
        thread = started
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        context in
        if let context = unsafe context {
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
        return nil
    }

    /// Waits for the end; to be called once.
    func join() {
        let code = pthread_join(thread, nil)
        precondition(code == 0, "a thread cannot be joined")
    }
}
