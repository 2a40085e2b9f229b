import CLinux
import RefreshAPI
import RefreshConfig
import RefreshCore
import RefreshEngine
import RefreshStore

/// Goes over to another configuration while everything runs: reads it, builds its plan, and hands it to the engine and
/// to the rules of the socket. Listeners stay as they are.
final class Reloader: DaemonControl {
    private struct State {
        var generation = 1
        var isBusy = false
        var lastFault: String?
    }

    private let path: String
    private let engine: Engine
    private let access: LiveAccess
    private let notifier: ServiceNotifier
    private let counters: Counters
    private let log: Log
    private let state = Locked(State())

    init(
        path: String, engine: Engine, access: LiveAccess, notifier: ServiceNotifier, counters: Counters,
        log: Log
    ) {
        self.path = path
        self.engine = engine
        self.access = access
        self.notifier = notifier
        self.counters = counters
        self.log = log
    }

    func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool { await engine.pause(feed, isPaused) }

    func reload() async -> ReloadOutcome {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { return .busy }
        notifier.reloading()
        let outcome = await goOver()
        let generation = state.withLock { state in
            state.isBusy = false
            if case .applied(let report) = outcome { state.generation = report.generation }
            return state.generation
        }
        tell(outcome, generation)
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
            return .applied(
                ReloadReport(
                    generation: state.withLock(\.generation) + 1, added: change.added,
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
            counters.configuration(isGood: true)
            log(
                .notice,
                "reloaded: generation \(generation), \(report.added.count) feeds added, \(report.changed.count) changed, \(report.removed.count) removed, \(report.unchanged) unchanged"
            )
            notifier.ready("generation \(generation)")
        case .refused(let faults):
            counters.configuration(isGood: false)
            for fault in faults { log(.error, Reloader.text(fault)) }
            let first = faults.first.map(Reloader.text) ?? ""
            notifier.ready("generation \(generation); reload failed: \(first)")
        case .failed(let reason):
            counters.configuration(isGood: false)
            log(.error, "reload failed: \(reason)")
            notifier.ready("generation \(generation); reload failed: \(reason)")
        case .busy: break
        }
    }

    private static func text(_ fault: ReloadFault) -> String {
        "\(fault.file):\(fault.line):\(fault.column): \(fault.code): \(fault.detail)"
    }

    private static func fault(_ problem: ConfigProblem) -> ReloadFault {
        let keys = problem.path.isEmpty ? "" : "\(problem.path): "
        return ReloadFault(
            file: problem.file, line: problem.line, column: problem.column, code: problem.code.rawValue,
            detail: keys + problem.message)
    }
}
