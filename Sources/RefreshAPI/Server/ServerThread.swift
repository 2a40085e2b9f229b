import CLinux

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}

/// A thread that somebody joins.
struct ServerThread: Sendable {
    private let thread: pthread_t

    /// Nil where the system starts no thread.
    init?(name: String, _ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, runWork, work.toOpaque()) == 0 else {
            unsafe work.release()
            return nil
        }
        // A name is for people who look; without it everything works.
        _ = unsafe pthread_setname_np(thread, name)
        self.thread = thread
    }

    /// Returns when the thread has ended; called once.
    func join() {
        // It fails for a thread that is not there, and this one is.
        _ = pthread_join(thread, nil)
    }
}
