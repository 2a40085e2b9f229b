import RefreshCore

/// Time that moves when told.
package final class ManualTime: TimeSource {
    private struct Sleeper {
        let deadline: BootTime
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Moment
        var slept: Duration = .zero
        var next: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        /// Sleepers whose task was cancelled before they lay down.
        var cancelled: Set<UInt64> = []
    }

    private let state: Locked<State>

    /// Starts at 2026-01-01T00:00:00Z, an hour after boot.
    package init(wall: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        state = Locked(State(now: Moment(wall: wall, boot: BootTime(.seconds(3_600)))))
    }

    package func now() -> Moment { state.withLock(\.now) }

    /// Moves both clocks and wakes whoever is due, earliest first.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = state.now + duration
            let now = state.now.boot
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Sets the wall clock alone, as an administrator does.
    package func stepWall(by duration: Duration) {
        state.withLock { $0.now = Moment(wall: $0.now.wall + duration, boot: $0.now.boot) }
    }

    /// The host sleeps: both clocks move, and whoever is due wakes up after it.
    package func suspend(for duration: Duration) {
        state.withLock { $0.slept += duration }
        advance(by: duration)
    }

    package func slept() -> Duration { state.withLock(\.slept) }

    /// The earliest deadline that somebody sleeps for.
    package var earliest: BootTime? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    package func sleep(until deadline: BootTime) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lieDown(id, until: deadline, continuation)
            }
        } onCancel: {
            wakeCancelled(id)
        }
    }

    private func lieDown(
        _ id: UInt64, until deadline: BootTime, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        enum Answer { case sleep, past, cancelled }
        let answer = state.withLock { state -> Answer in
            if state.cancelled.remove(id) != nil { return .cancelled }
            if deadline <= state.now.boot { return .past }
            state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
            return .sleep
        }
        switch answer {
        case .sleep: break
        case .past: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
    }

    private func wakeCancelled(_ id: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
            state.cancelled.insert(id)
            return nil
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
