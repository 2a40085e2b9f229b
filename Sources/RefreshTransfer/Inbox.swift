import RefreshCore
import Synchronization

/// One hop's claim to an answer; its wish to be forgotten may come at any time, even before the hop itself.
final class Ticket: Sendable {
    let id: UInt64
    private let cancelled = Atomic(false)

    init(id: UInt64) { self.id = id }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// A hop that somebody waits for.
struct Submission: Sendable {
    let ticket: Ticket
    let hop: Hop
    let continuation: CheckedContinuation<HopResult, Never>
}

/// What the transfer thread is told to do, from any thread.
final class Inbox: Sendable {
    struct Orders {
        var submissions: [Submission] = []
        var cancelled: [UInt64] = []
        /// There is room for more of their answers.
        var resumed: [UInt64] = []
        /// Comes before the submissions, which were made later or do not mind.
        var dropsConnections = false
        var isStopping = false

        fileprivate var isEmpty: Bool {
            submissions.isEmpty && cancelled.isEmpty && resumed.isEmpty && !dropsConnections && !isStopping
        }
    }

    enum Reply: Equatable {
        /// The thread has to be woken.
        case wake
        /// It has been woken already.
        case noted
        /// It stops, and takes nothing more.
        case refused
    }

    private struct State {
        var orders = Orders()
        var isClosed = false
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    func newTicket() -> Ticket {
        Ticket(
            id: state.withLock { state in
                state.lastID += 1
                return state.lastID
            })
    }

    func submit(_ submission: Submission) -> Reply { note { $0.submissions.append(submission) } }

    func cancel(_ ticket: Ticket) -> Reply {
        ticket.cancel()
        return note { $0.cancelled.append(ticket.id) }
    }

    func resume(_ id: UInt64) -> Reply { note { $0.resumed.append(id) } }

    func dropConnections() -> Reply { note { $0.dropsConnections = true } }

    /// The last order that is taken.
    func stop() -> Reply {
        note(closing: true) { $0.isStopping = true }
    }

    /// Everything since the last call.
    func take() -> Orders {
        state.withLock { state in
            let orders = state.orders
            state.orders = Orders()
            return orders
        }
    }

    private func note(closing: Bool = false, _ change: (inout Orders) -> Void) -> Reply {
        state.withLock { state in
            if state.isClosed { return .refused }
            state.isClosed = closing
            let wasEmpty = state.orders.isEmpty
            change(&state.orders)
            return wasEmpty ? .wake : .noted
        }
    }
}
