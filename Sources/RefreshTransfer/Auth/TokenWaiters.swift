import RefreshCore

/// Tasks that wait for a token; each is answered once, or cancelled, from any thread.
final class TokenWaiters: Sendable {
    private typealias Waiter = TokenMachine.Waiter

    private struct State {
        var waiting: [Waiter: CheckedContinuation<TokenMachine.Outcome, Never>] = [:]
        /// Cancelled before they came to wait.
        var cancelled: Set<Waiter> = []
    }

    private let state = Locked(State())

    func add(
        _ waiter: TokenMachine.Waiter, _ continuation: CheckedContinuation<TokenMachine.Outcome, Never>
    ) {
        let isCancelled = state.withLock { state in
            if state.cancelled.remove(waiter) != nil { return true }
            state.waiting[waiter] = continuation
            return false
        }
        if isCancelled { continuation.resume(returning: .failure(TransferFailure.cancelled.failure)) }
    }

    /// Those who wait no longer are passed over.
    func answer(_ answered: [TokenMachine.Waiter], _ outcome: TokenMachine.Outcome) {
        let waiting = state.withLock { state in
            answered.compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    func answerAll(_ outcome: TokenMachine.Outcome) {
        answer(state.withLock { Array($0.waiting.keys) }, outcome)
    }

    func cancel(_ waiter: TokenMachine.Waiter) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: waiter)
            if continuation == nil { state.cancelled.insert(waiter) }
            return continuation
        }
        continuation?.resume(returning: .failure(TransferFailure.cancelled.failure))
    }
}
