import CLinux
import RefreshAPI
import RefreshConfig
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer

/// Goes over to another configuration while everything runs: reads it, builds its plan, and hands it to the engine and
/// to the rules of the socket. Listeners stay as they are.
final class Reloader: Sendable {
    /// The configuration that the daemon runs with.
    struct Running: Sendable {
        var generation = 1
        var loadedAt: Timestamp
        var sources: ConfigSources
        var settings: DaemonSettings
    }

    private struct State {
        var isBusy = false
        var running: Running
    }

    let path: String
    private let engine: Engine
    private let access: LiveAccess
    private let notifier: ServiceNotifier
    private let counters: Counters
    private let board: StatusBoard
    private let threshold: LogThreshold
    private let log: Log
    private let time: any TimeSource
    private let state: Locked<State>

    /// - Parameters:
    ///   - running: what the daemon was started with.
    ///   - threshold: follows the file where that says something new.
    init(
        path: String, running: Running, engine: Engine, access: LiveAccess, notifier: ServiceNotifier,
        counters: Counters, board: StatusBoard, threshold: LogThreshold, log: Log, time: any TimeSource
    ) {
        self.path = path
        state = Locked(State(running: running))
        self.board = board
        self.threshold = threshold
        self.time = time
        self.engine = engine
        self.access = access
        self.notifier = notifier
        self.counters = counters
        self.log = log
    }

    var running: Running { state.withLock(\.running) }

    func reload() async -> ReloadOutcome {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { return .busy }
        notifier.reloading()
        let outcome = await goOver()
        tell(outcome, running.generation)
        // Status tells of it.
        board.touch()
        state.withLock { $0.isBusy = false }
        return outcome
    }

    // MARK: - Pieces

    private func goOver() async -> ReloadOutcome {
        let path = path
        // It waits for the disk, which no thread of the pool may.
        let result = await BlockingWork.run { ConfigReader.read(path: path, mode: .reload, checkers: .all) }
        guard let plan = result.plan else { return .refused(result.errors.map(Reloader.fault)) }
        do {
            let change = try await engine.apply(plan)
            access.replace(by: Access(plan, owner: geteuid(), log: log))
            let now = time.now().wall
            let (before, generation) = state.withLock { state in
                let before = state.running
                state.running = Running(
                    generation: before.generation + 1, loadedAt: now, sources: result.sources,
                    settings: plan.daemon)
                return (before, state.running.generation)
            }
            if plan.daemon.logLevel != before.settings.logLevel {
                _ = threshold.change(to: plan.daemon.logLevel)
            }
            return .applied(
                ReloadReport(
                    generation: generation, added: change.added,
                    changed: change.changed,
                    removed: change.removed, unchanged: change.unchanged,
                    warnings: result.warnings.map(Reloader.fault)))
        } catch {
            return .failed(error.detail)
        }
    }

    private func tell(_ outcome: ReloadOutcome, _ generation: Int) {
        switch outcome {
        case .applied(let report):
            counters.configuration(isGood: true, generation: generation)
            log(
                .notice,
                "reloaded: generation \(generation), \(report.added.count) feeds added, \(report.changed.count) changed, \(report.removed.count) removed, \(report.unchanged) unchanged"
            )
            notifier.ready("generation \(generation)")
        case .refused(let faults):
            counters.configuration(isGood: false, generation: generation)
            for fault in faults { log(.error, Reloader.text(fault)) }
            let first = faults.first.map(Reloader.text) ?? ""
            notifier.ready("generation \(generation); reload failed: \(first)")
        case .failed(let reason):
            counters.configuration(isGood: false, generation: generation)
            log(.error, "reload failed: \(reason)")
            notifier.ready("generation \(generation); reload failed: \(reason)")
        case .busy: break
        }
    }

    private static func text(_ fault: ReloadFault) -> String {
        "\(fault.file):\(fault.line):\(fault.column): \(fault.code): \(fault.detail)"
    }

    static func fault(_ problem: ConfigProblem) -> ReloadFault {
        let keys = problem.path.isEmpty ? "" : "\(problem.path): "
        return ReloadFault(
            file: problem.file, line: problem.line, column: problem.column, code: problem.code.rawValue,
            detail: keys + problem.message)
    }
}
