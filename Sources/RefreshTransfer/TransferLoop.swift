import CCurl
import CLinux

/// The life of the transfer thread: take orders, let libcurl work, answer what has ended, sleep.
final class TransferLoop {
    /// Between orders nothing has to be looked at, so any long time will do.
    private static let longest: Duration = .seconds(3_600)

    private let multi: Multi
    private let inbox: Inbox
    /// Free slots kept for the next transfers.
    private let spare: Int
    private let buffers: BufferPool
    private var active: [UInt64: Slot] = [:]
    private var free: [Slot] = []

    init(multi: Multi, inbox: Inbox, spare: Int, buffers: BufferPool) {
        self.buffers = buffers
        self.multi = multi
        self.inbox = inbox
        self.spare = spare
    }

    /// Returns when it is told to stop.
    func run() {
        while true {
            let orders = inbox.take()
            // Whoever has left need not be told that its connection was dropped.
            for id in orders.cancelled { end(id, .cancelled) }
            if orders.dropsConnections { renew() }
            for submission in orders.submissions { begin(submission) }
            for id in orders.resumed { resume(id) }
            if orders.isStopping { return endAll(.stopped) }
            let code = multi.perform()
            if code != CURLM_OK { endAll(.internal("libcurl stopped working: \(code.rawValue)")) }
            settleEnded()
            let next = settleStalled()
            // Whoever called meanwhile has woken a handle that is gone.
            if !orders.dropsConnections { sleep(until: next) }
        }
    }

    // MARK: - Steps

    /// Starts again with no connection and no name known.
    private func renew() {
        for (id, slot) in active {
            guard let place = slot.submission?.hop.url.place else { continue }
            end(id, .reset(at: place))
        }
        do throws(TransferFailure) {
            try multi.renew()
        } catch {
            // Without memory for a new handle the old one goes on; dead connections then end by their time limits.
            return
        }
    }

    private func begin(_ submission: Submission) {
        guard !submission.ticket.isCancelled else {
            submission.continuation.resume(returning: .failure(.cancelled))
            return
        }
        do throws(TransferFailure) {
            let slot = if let used = free.popLast() { used } else { try Slot() }
            let (id, inbox, multi) = (submission.ticket.id, inbox, multi)
            let room = BufferRoom(pool: buffers) {
                if inbox.resume(id) == .wake { multi.wake() }
            }
            try slot.begin(submission, on: multi, room)
            active[id] = slot
        } catch {
            submission.continuation.resume(returning: .failure(error))
        }
    }

    /// There is room for more of an answer that was held back.
    private func resume(_ id: UInt64) {
        guard let slot = active[id], !slot.resume() else { return }
        end(id, .internal("libcurl does not go on with a transfer"))
    }

    private func settleEnded() {
        while let (slot, code) = Slot.ended(on: multi) {
            guard let id = slot.submission?.ticket.id else { continue }
            slot.end(code, on: multi)
            release(id)
        }
    }

    /// Gives up on answers that have come to a halt; returns when to look again.
    private func settleStalled() -> SuspendingClock.Instant {
        let now = SuspendingClock.now
        var earliest = now.advanced(by: TransferLoop.longest)
        var stalled: [UInt64] = []
        for (id, slot) in active {
            if slot.isStalled(at: now) {
                stalled.append(id)
            } else if let next = slot.nextLook(at: now) {
                earliest = min(earliest, next)
            }
        }
        for id in stalled {
            guard let place = active[id]?.submission?.hop.url.place else { continue }
            end(id, .stalled(at: place))
        }
        return earliest
    }

    private func end(_ id: UInt64, _ failure: TransferFailure) {
        guard let slot = active[id] else { return }
        slot.end(failure, on: multi)
        release(id)
    }

    private func endAll(_ failure: TransferFailure) {
        for id in Array(active.keys) { end(id, failure) }
    }

    private func release(_ id: UInt64) {
        guard let slot = active.removeValue(forKey: id), free.count < spare, slot.isReusable else { return }
        free.append(slot)
    }

    private func sleep(until deadline: SuspendingClock.Instant) {
        let left = max(SuspendingClock.now.duration(to: deadline), .zero)
        let code = multi.wait(milliseconds: Int32(left.wholeMilliseconds))
        guard code != CURLM_OK else { return }
        endAll(.internal("libcurl cannot wait: \(code.rawValue)"))
        // A fault that lasts must not become a busy loop.
        _ = poll(nil, 0, 100)
    }
}
