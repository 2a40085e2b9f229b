import RefreshCore

/// The wall clock was set, or the host slept.
extension Engine {
    /// After a resume networks take their time.
    static let restAfterSleep: Duration = .seconds(10)

    /// Looks at the clocks; to be called whenever one may have changed.
    package func clockChanged() {
        guard !stopping else { return }
        lookAtClock()
        let now = time.now()
        startWhatMay(at: now)
        arm()
    }

    func lookAtClock() {
        let now = time.now()
        switch clock.look(now, slept: time.slept()) {
        case .none: break
        case .stepped(let step):
            log(.notice, "the wall clock was set by \(DurationText.format(step))")
            followClock(at: now)
        case .resumed(let sleep):
            log(.notice, "the host slept for \(DurationText.format(sleep))")
            offline.resumed(at: now.boot)
            // Connections from before the sleep are dead, and only time would tell.
            for entry in entries.values {
                guard let flight = entry.activity?.flight else { continue }
                entry.activity?.cut = .slept
                flight.cancel()
            }
            credentials.dropConnections()
            followClock(at: now)
            releaseOverdue(at: now, after: Engine.restAfterSleep)
        }
    }

    /// What is left to wait stays as it is; what is shown and kept moves along.
    private func followClock(at now: Moment) {
        for entry in entries.values {
            let due = entry.machine.due
            entry.machine.clockStepped(at: now)
            if entry.machine.due != due { schedule(entry) }
            post(entry)
        }
    }
}
