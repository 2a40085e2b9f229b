import CLinux
import RefreshCore

/// The thread that writes: it takes what waits, stores it together, and tells those who wait.
final class StoreThread: Sendable {
    enum Job {
        case apply(PassCommit, CheckedContinuation<Result<CommitOutcome, StoreFailure>, Never>)
        /// Anything else that the writer is asked to do.
        case work(@Sendable (Result<Writer, StoreFailure>) -> Void)
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
    }

    /// A writer that only one thread uses at a time.
    // The claim holds because `init` hands it over before the thread exists, and only the thread's function
    // takes it out, once.
    private final class Handover: @unchecked Sendable {
        private var writer: Writer?
        init(_ writer: Writer) { self.writer = writer }
        func take() -> Writer? {
            defer { writer = nil }
            return writer
        }
    }

    /// Rows of one transaction, beyond its first pass: about 100 ms of work.
    private static let rowsTogether = 20_000
    /// Readers come first where the processor is short.
    private static let niceness: CInt = 10

    private let highWater: HighWater?
    let commits = Pulse()
    private let inbox = Locked(Inbox())
    private let handover: Handover
    private let open: WriterSeat.Opening
    private let wake: CInt
    private let thread = Locked<pthread_t?>(nil)

    /// - Parameter open: opens the database anew after a failure of the disk.
    init(
        _ writer: Writer, highWater: HighWater? = nil, open: @escaping WriterSeat.Opening
    ) throws(StoreFailure) {
        self.highWater = highWater
        self.open = open
        handover = Handover(writer)
        wake = eventfd(0, CInt(EFD_CLOEXEC))
        guard wake >= 0 else { throw .io(reason: "eventfd: error \(refreshd_errno())") }
    }

    deinit { _ = close(wake) }

    func start() throws(StoreFailure) {
        let context = unsafe Unmanaged.passRetained(self)
        var started = pthread_t()
        let code = unsafe pthread_create(&started, nil, runStoreThread, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw .io(reason: "no thread can be started: error \(code)")
        }
        thread.withLock { $0 = started }
    }

    /// False where the inbox is closed; the job was not taken then.
    func enqueue(_ job: Job) -> Bool {
        let wasEmpty: Bool? = inbox.withLock { inbox in
            if inbox.isClosed { return nil }
            inbox.jobs.append(job)
            return inbox.jobs.count == 1
        }
        // Whoever made it not empty has rung the bell already.
        if wasEmpty == true { ring() }
        return wasEmpty != nil
    }

    /// Lets the thread finish what waits, and returns when it has ended.
    func stop() {
        inbox.withLock { $0.isClosed = true }
        ring()
        guard let thread = thread.withLock({ $0.take() }) else { return }
        // Fails only for a thread that is none or was joined, and this one is taken out once.
        _ = pthread_join(thread, nil)
    }

    // MARK: - The thread

    fileprivate func run() {
        // The name is for whoever looks at the process; it may fail to stand, and nothing depends on it.
        _ = unsafe pthread_setname_np(pthread_self(), "store")
        // Being nice needs no permission; not being nice costs readers a little, nothing else.
        _ = refreshd_set_thread_nice(StoreThread.niceness)
        guard var seat = handover.take().map({ WriterSeat($0, open: open) }) else { return }
        var upkeep = Upkeep(highWater: highWater)
        while let jobs = next(atMost: upkeep.patience) { turn(jobs, &seat, &upkeep) }
        if case .success(let writer) = seat.writer(at: .now) { upkeep.finish(writer) }
    }

    /// No writer outlives it but that of the seat.
    private func turn(_ jobs: [Job], _ seat: inout WriterSeat, _ upkeep: inout Upkeep) {
        switch seat.writer(at: .now) {
        case .success(let writer):
            perform(jobs, writer)
            upkeep.turn(writer, hadWork: !jobs.isEmpty, now: .now)
        case .failure(let failure): refuse(jobs, failure)
        }
    }

    private func refuse(_ jobs: [Job], _ failure: StoreFailure) {
        for job in jobs {
            switch job {
            case .apply(_, let waiter): waiter.resume(returning: .failure(failure))
            case .work(let work): work(.failure(failure))
            }
        }
    }

    private func perform(_ jobs: [Job], _ writer: Writer) {
        var group: [Job] = []
        var rows = 0
        for job in jobs {
            switch job {
            case .apply(let pass, _):
                let more = pass.page?.rows.count ?? 0
                if !group.isEmpty, rows + more > StoreThread.rowsTogether {
                    perform(&group, writer)
                    rows = 0
                }
                group.append(job)
                rows += more
            case .work(let work):
                perform(&group, writer)
                work(.success(writer))
                commits.beat()
            }
        }
        perform(&group, writer)
    }

    /// Waits for work and takes all of it: nothing after `patience`, and nil where there will be none any more.
    private func next(atMost patience: Duration?) -> [Job]? {
        while true {
            let (jobs, isClosed) = inbox.withLock { inbox -> ([Job], Bool) in
                defer { inbox.jobs = [] }
                return (inbox.jobs, inbox.isClosed)
            }
            if !jobs.isEmpty { return jobs }
            if isClosed { return nil }
            if !waitForBell(patience) { return [] }
        }
    }

    /// False where nobody has rung in time.
    private func waitForBell(_ patience: Duration?) -> Bool {
        var bell = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        let milliseconds = patience.map { CInt(clamping: $0.inMicroseconds / 1_000) } ?? -1
        let ready = unsafe poll(&bell, 1, milliseconds)
        if ready == 0 { return false }
        var count: UInt64 = 0
        // An interrupted wait only makes one more turn.
        if ready > 0 { _ = unsafe read(wake, &count, MemoryLayout<UInt64>.size) }
        return true
    }

    private func perform(_ group: inout [Job], _ writer: Writer) {
        var passes: [PassCommit] = []
        var waiters: [CheckedContinuation<Result<CommitOutcome, StoreFailure>, Never>] = []
        for case .apply(let pass, let waiter) in group {
            passes.append(pass)
            waiters.append(waiter)
        }
        group = []
        guard !passes.isEmpty else { return }
        let results = writer.perform(passes)
        commits.beat()
        for (waiter, result) in zip(waiters, results) { waiter.resume(returning: result) }
    }

    private func ring() {
        var one: UInt64 = 1
        // It can only fail where the counter is at its end, and then the bell rings anyway.
        _ = unsafe write(wake, &one, MemoryLayout<UInt64>.size)
    }
}

private func runStoreThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<StoreThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
