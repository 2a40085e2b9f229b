import RefreshCore
import RefreshStore

/// The disk takes nothing: refreshes wait until it does.
extension Engine {
    /// A refresh could not be stored. Nothing starts until a small write works, and who waits is told now.
    func storageFailed(_ failure: RefreshFailure, at now: Moment) {
        guard !stopping else { return }
        if storage.failed(failure, at: now.boot) {
            log(.error, "nothing can be stored: \(failure.detail); no refresh starts until a write works")
        }
        board.setAlarm("storage", "\(failure.code): \(failure.detail)")
        for entry in entries.values where !entry.machine.isFlying {
            guard let activity = entry.activity else { continue }
            let waiters = activity.waiters
            activity.waiters = []
            for waiter in waiters { waiter.resume(returning: .failed(failure)) }
        }
    }

    /// Tries a write where it is time for one.
    func probeStorage(at now: Moment) {
        guard storage.probe(at: now.boot) else { return }
        probing = Task {
            var isStored = true
            do throws(StoreFailure) {
                try await self.store.probe()
            } catch {
                isStored = false
            }
            self.probedStorage(isStored)
        }
    }

    private func probedStorage(_ isStored: Bool) {
        probing = nil
        guard !stopping else { return }
        let now = time.now()
        if storage.probed(isStored, at: now.boot) {
            board.setAlarm("storage", nil)
            if isStored { log(.notice, "storing works again") }
            for entry in entries.values where entry.machine.progress.failure?.failure.isStorage == true {
                entry.machine.forgive(at: now)
                schedule(entry)
                post(entry)
            }
            releaseOverdue(at: now, after: .zero)
            startWhatMay(at: now)
        }
        arm()
    }
}
