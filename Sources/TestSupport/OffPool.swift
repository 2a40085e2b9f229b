import CLinux
import RefreshCore

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}

/// Runs `work`, which may block, on a thread of its own, so that the pool's few threads stay free.
package func offPool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let box = unsafe Unmanaged.passRetained(Work { continuation.resume(returning: work()) })
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runWork, box.toOpaque())
        precondition(code == 0, "no thread can be started")
        _ = pthread_detach(thread)
    }
}
