import CLinux
import RefreshCore

/// A thread that owns something which only one thread may use, and does to it what it is asked to, in order.
final class WorkThread<Owned>: Sendable {
    typealias Work = @Sendable (Owned) -> Void

    private struct Inbox {
        var work: [Work] = []
        var isClosed = false
    }

    // The claim holds because `init` hands it over before the thread exists, and only the thread's function
    // takes it out, once.
    private final class Handover: @unchecked Sendable {
        private var owned: Owned?
        init(_ owned: Owned) { self.owned = owned }
        func take() -> Owned? {
            defer { owned = nil }
            return owned
        }
    }

    private let inbox = Locked(Inbox())
    private let handover: Handover
    private let name: String
    private let atEnd: Work
    private let wake: CInt
    private let thread = Locked<pthread_t?>(nil)

    init(_ owned: Owned, name: String, atEnd: @escaping Work) throws(StoreFailure) {
        handover = Handover(owned)
        self.name = name
        self.atEnd = atEnd
        wake = eventfd(0, CInt(EFD_CLOEXEC))
        guard wake >= 0 else { throw .io(reason: "eventfd: error \(refreshd_errno())") }
    }

    deinit { _ = close(wake) }

    func start() throws(StoreFailure) {
        let runner = Runner { [self] in run() }
        let context = unsafe Unmanaged.passRetained(runner)
        var started = pthread_t()
        let code = unsafe pthread_create(&started, nil, runWorkThread, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw .io(reason: "no thread can be started: error \(code)")
        }
        thread.withLock { $0 = started }
    }

    /// False where the inbox is closed; the work was not taken then.
    func enqueue(_ work: @escaping Work) -> Bool {
        let isTaken = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.work.append(work) }
            return !inbox.isClosed
        }
        if isTaken { ring() }
        return isTaken
    }

    /// Lets the thread finish what waits, and returns when it has ended.
    func stop() {
        inbox.withLock { $0.isClosed = true }
        ring()
        guard let thread = thread.withLock({ $0.take() }) else { return }
        // Fails only for a thread that is none or was joined, and this one is taken out once.
        _ = pthread_join(thread, nil)
    }

    private func run() {
        // The name is for whoever looks at the process; nothing depends on it.
        _ = unsafe pthread_setname_np(pthread_self(), name)
        guard let owned = handover.take() else { return }
        while let work = next() {
            for one in work { one(owned) }
        }
        atEnd(owned)
    }

    private func next() -> [Work]? {
        while true {
            let (work, isClosed) = inbox.withLock { inbox -> ([Work], Bool) in
                defer { inbox.work = [] }
                return (inbox.work, inbox.isClosed)
            }
            if !work.isEmpty { return work }
            if isClosed { return nil }
            var count: UInt64 = 0
            // An interrupted read only makes one more turn.
            _ = unsafe read(wake, &count, MemoryLayout<UInt64>.size)
        }
    }

    private func ring() {
        var one: UInt64 = 1
        // It can only fail where the counter is at its end, and then the bell rings anyway.
        _ = unsafe write(wake, &one, MemoryLayout<UInt64>.size)
    }
}

private final class Runner: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runWorkThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Runner>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
