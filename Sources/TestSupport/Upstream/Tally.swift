import RefreshCore

/// A count that only grows, and that tests can wait for without a clock.
final class Tally: Sendable {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var count = 0
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    var count: Int { state.withLock(\.count) }

    func add() {
        let reached = state.withLock { state -> [Waiter] in
            state.count += 1
            let count = state.count
            let reached = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return reached
        }
        for waiter in reached { waiter.continuation.resume() }
    }

    /// Returns once the count has reached `count`.
    func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state -> Bool in
                if state.count >= count { return true }
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
