import CLinux

/// Work that waits for a disk, on a thread of its own: no thread of the pool may wait.
package enum BlockingWork {
    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func run() { body() }
    }

    /// Where no thread can be had the work is done at once, and the pool is one thread short meanwhile.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let job = Job { continuation.resume(returning: work()) }
            let own = unsafe Unmanaged.passRetained(job)
            var thread = pthread_t()
            if unsafe pthread_create(&thread, nil, runBlockingJob, own.toOpaque()) == 0 {
                // Nobody joins it; it ends by itself.
                _ = pthread_detach(thread)
            } else {
                unsafe own.takeRetainedValue().run()
            }
        }
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run()
    }
}

private func runBlockingJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe BlockingWork.run(context) }
    return nil
}
