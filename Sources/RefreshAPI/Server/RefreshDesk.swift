import RefreshCore
import RefreshEngine
import Synchronization

/// The one bridge from the API's thread to the engine: it starts a task a wish and keeps what came of it until the
/// thread collects it.
final class RefreshDesk: Sendable {
    struct Result: Sendable, Equatable {
        let ticket: UInt64
        /// Nil where the engine knows no such feed.
        let outcome: RefreshOutcome?
    }

    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var results: [Result] = []
        var next: UInt64 = 0
        var isOpen = true
    }

    /// Wishes under way at most; more than this is no use of a daemon that merges them.
    static let capacity = 4_096

    private let control: any RefreshControl
    private let bell: Doorbell
    private let state = Mutex(State())

    init(control: any RefreshControl, bell: Doorbell) {
        self.control = control
        self.bell = bell
    }

    /// Hands `wish` to the engine; nil where too many are under way or the desk is closed.
    func start(_ wish: RefreshWish) -> UInt64? {
        state.withLock { state in
            guard state.isOpen, state.tasks.count < RefreshDesk.capacity else { return nil }
            state.next += 1
            let ticket = state.next
            state.tasks[ticket] = Task { [self] in
                finish(ticket, await control.refresh(wish.feed, mode: wish.mode, acceptDrop: wish.acceptDrop))
            }
            return ticket
        }
    }

    /// What has ended since the last call.
    func collect() -> [Result] {
        state.withLock { state in
            let results = state.results
            state.results = []
            return results
        }
    }

    /// Takes nothing any more and ends every wait; the refreshes themselves belong to the engine.
    func close() {
        let tasks = state.withLock { state in
            state.isOpen = false
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    private func finish(_ ticket: UInt64, _ outcome: RefreshOutcome?) {
        state.withLock { state in
            state.tasks[ticket] = nil
            state.results.append(Result(ticket: ticket, outcome: outcome))
        }
        bell.ring()
    }
}
