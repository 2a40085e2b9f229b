import CLinux

/// The one thread that libcurl runs on.
struct TransferThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread that does `work`; it is to be joined once.
    init(_ work: @escaping @Sendable () -> Void) throws(TransferFailure) {
        let box = unsafe Unmanaged.passRetained(Work(work))
        var started = pthread_t()
        let code = unsafe pthread_create(&started, nil, runWork, box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw .internal("no thread for transfers: error \(code)")
        }
        thread = started
        // Only a name for whoever looks at the process.
        _ = unsafe pthread_setname_np(started, "transfer")
    }

    /// Waits for the end of the work.
    func join() {
        // It fails only for a thread that has been joined, or for the caller's own.
        _ = pthread_join(thread, nil)
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // TLS libraries write to sockets that the other side has closed; the error code is enough.
    var pipe = sigset_t()
    _ = unsafe sigemptyset(&pipe)
    _ = unsafe sigaddset(&pipe, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &pipe, nil)
    if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
