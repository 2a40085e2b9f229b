import RefreshCore

/// The bytes of answers that all requests hold together, and their bound (threat T-U1): who needs more than is left
/// waits until others have let go of theirs.
///
/// Everybody who waits holds something that others wait for. So one at a time may exceed the bound, in the order of
/// asking, and that one always comes to its end. The most that is ever held is the bound and one answer's own limits.
final class BufferPool: Sendable {
    /// Answers that are not larger are not counted: there are as many as there are requests, and most are so small.
    static let free = 65_536

    private struct Starved {
        let number: UInt64
        /// Everything that it wants to hold, what it has included.
        let wanted: Int
    }

    private struct State {
        var limit: Int
        var used = 0
        var most = 0
        var lastNumber: UInt64 = 0
        var held: [UInt64: Int] = [:]
        /// Who waits, in the order of asking.
        var starved: [Starved] = []
        /// How each of them is told that there is room now, or that there never will be.
        var calls: [UInt64: @Sendable (Bool) -> Void] = [:]
        /// The one that may exceed the bound.
        var exempt: UInt64?
        var isClosed = false

        mutating func grant(_ number: UInt64, _ wanted: Int) -> Bool {
            let more = wanted - held[number, default: 0]
            if more <= 0 { return true }
            if used + more > limit {
                guard exempt == nil || exempt == number else { return false }
                exempt = number
            }
            held[number, default: 0] += more
            used += more
            most = max(most, used)
            return true
        }

        /// Whoever may go on now.
        mutating func settle() -> [@Sendable (Bool) -> Void] {
            var called: [@Sendable (Bool) -> Void] = []
            while let first = starved.first, grant(first.number, first.wanted) {
                starved.removeFirst()
                if let call = calls.removeValue(forKey: first.number) { called.append(call) }
            }
            return called
        }
    }

    private let state: Locked<State>

    init(limit: ByteCount) { state = Locked(State(limit: limit.bytes)) }

    /// The most that was held at a time since the start.
    var most: Int { state.withLock(\.most) }
    var used: Int { state.withLock(\.used) }

    /// A new bound, for whatever is asked for from now on.
    func configure(limit: ByteCount) {
        let called = state.withLock { state in
            state.limit = limit.bytes
            return state.settle()
        }
        for call in called { call(true) }
    }

    /// Nobody waits any more, and nobody gets anything.
    func close() {
        let called = state.withLock { state in
            state.isClosed = true
            state.starved = []
            let called = Array(state.calls.values)
            state.calls = [:]
            return called
        }
        for call in called { call(false) }
    }

    func lease() -> BufferLease {
        BufferLease(
            pool: self,
            number: state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            })
    }

    // MARK: - Leases

    /// True where it holds `bytes` now; otherwise `call` is called once, with whether it does.
    fileprivate func grow(
        _ number: UInt64, to bytes: Int, _ call: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        let isClosed = state.withLock { state -> Bool? in
            if state.isClosed { return true }
            if state.grant(number, bytes) { return nil }
            state.starved.append(Starved(number: number, wanted: bytes))
            state.calls[number] = call
            return false
        }
        if isClosed == true { call(false) }
        return isClosed == nil
    }

    /// Lets go of everything beyond `bytes`, and of the place in the line.
    fileprivate func shrink(_ number: UInt64, to bytes: Int) {
        let (called, dropped) = state.withLock { state in
            state.starved.removeAll { $0.number == number }
            let dropped = state.calls.removeValue(forKey: number)
            let held = state.held[number] ?? 0
            if held > bytes {
                state.used -= held - bytes
                state.held[number] = bytes == 0 ? nil : bytes
            }
            if state.exempt == number, bytes == 0 || state.used <= state.limit { state.exempt = nil }
            return (state.settle(), dropped)
        }
        dropped?(false)
        for call in called { call(true) }
    }
}

/// What one answer holds of the pool; given back when nobody holds the answer any more.
package final class BufferLease: Sendable {
    private let pool: BufferPool
    private let number: UInt64

    fileprivate init(pool: BufferPool, number: UInt64) {
        self.pool = pool
        self.number = number
    }

    deinit { pool.shrink(number, to: 0) }

    /// True where it holds `bytes` now; otherwise `call` is called once, when it does, or with false when it will not.
    func grow(to bytes: Int, _ call: @escaping @Sendable (Bool) -> Void) -> Bool {
        pool.grow(number, to: bytes, call)
    }

    /// Returns when it holds `bytes`; false where the task was cancelled or the pool is closed.
    func reserve(_ bytes: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let holds = pool.grow(number, to: bytes) { continuation.resume(returning: $0) }
                if holds {
                    continuation.resume(returning: true)
                } else if Task.isCancelled {
                    // The handler may have run before there was anything to forget.
                    pool.forget(number)
                }
            }
        } onCancel: {
            pool.forget(number)
        }
    }

    func shrink(to bytes: Int) { pool.shrink(number, to: bytes) }
}

extension BufferPool {
    /// Whoever waits for it is told that there will be nothing; what it holds stays.
    fileprivate func forget(_ number: UInt64) {
        let call = state.withLock { state in
            state.starved.removeAll { $0.number == number }
            return state.calls.removeValue(forKey: number)
        }
        call?(false)
    }
}
