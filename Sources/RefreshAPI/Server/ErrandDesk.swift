import RefreshCore
import RefreshEngine

/// The one bridge from the API's thread to the engine: it starts a task an errand and keeps what came of it until the
/// thread collects it.
final class ErrandDesk: Sendable {
    struct Result: Sendable, Equatable {
        let ticket: UInt64
        let errand: Errand
        let outcome: ErrandResult
    }

    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        /// Kinds of errands of which one is under way.
        var kinds: Set<String> = []
        var results: [Result] = []
        var next: UInt64 = 0
        var isOpen = true
    }

    /// Errands under way at most; more than this is no use of a daemon that merges them.
    static let capacity = 4_096

    private let refreshes: any RefreshControl
    private let daemon: any DaemonControl
    private let bell: Doorbell
    private let state = Locked(State())

    init(refreshes: any RefreshControl, daemon: any DaemonControl, bell: Doorbell) {
        self.refreshes = refreshes
        self.daemon = daemon
        self.bell = bell
    }

    /// Hands `errand` over, unless too many are under way, or one of its kind.
    func start(_ errand: Errand) throws(Problem) -> UInt64 {
        let started: Swift.Result<UInt64, Problem> = state.withLock { state in
            guard state.isOpen, state.tasks.count < ErrandDesk.capacity else {
                return .failure(Problem(.busy, "\(ErrandDesk.capacity) refreshes are wanted already"))
            }
            if let kind = errand.kind, !state.kinds.insert(kind).inserted {
                return .failure(Problem(.controlBusy, "another \(kind) is under way"))
            }
            state.next += 1
            let ticket = state.next
            state.tasks[ticket] = Task { [self] in
                finish(ticket, errand, await run(errand))
            }
            return .success(ticket)
        }
        return try started.get()
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

    private func run(_ errand: Errand) async -> ErrandResult {
        switch errand {
        case .refresh(let feed, let wish): .refresh(await refreshes.refresh(feed, wish))
        case .reload: .reload(await daemon.reload())
        case .pause(let feed, let isPaused): .pause(await daemon.pause(feed, isPaused))
        case .clear(let feed, let clearing): .clear(await daemon.clear(feed, clearing))
        case .backup: .backup(await daemon.backup())
        case .logLevel(let level): .logLevel(await daemon.logLevel(level))
        case .checkConfiguration: .checkConfiguration(await daemon.checkConfiguration())
        case .configuration(let wish): .configuration(await daemon.configuration(wish))
        }
    }

    private func finish(_ ticket: UInt64, _ errand: Errand, _ outcome: ErrandResult) {
        state.withLock { state in
            state.tasks[ticket] = nil
            if let kind = errand.kind { state.kinds.remove(kind) }
            state.results.append(Result(ticket: ticket, errand: errand, outcome: outcome))
        }
        bell.ring()
    }
}
