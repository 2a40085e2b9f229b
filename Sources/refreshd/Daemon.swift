import CLinux
import RefreshAPI
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer

/// Everything that runs, started from the bottom up and stopped from the top down.
struct Daemon {
    private struct Failure: Error {
        let status: Int32
        let message: String

        init(_ message: String, status: Int32 = Program.Exit.failure) {
            self.status = status
            self.message = message
        }
    }

    private let plan: Plan
    private let socket: String
    private let state: String
    private let inherited: Result<InheritedSockets, InheritedSockets.Failure>
    private let watchdogLimit: Duration?
    private let records: StandardErrorLog
    private let log: Log
    private let notifier: ServiceNotifier
    private let time = SystemTime()
    private let board = StatusBoard()

    init(_ plan: Plan, _ options: Options, _ environment: Environment) {
        self.plan = plan
        socket = options.socket ?? plan.daemon.socketPath ?? environment.places.socket
        state = options.state ?? plan.daemon.stateFolder ?? environment.places.state
        inherited = environment.inherited
        watchdogLimit = environment.watchdogLimit
        records = StandardErrorLog(format: plan.daemon.logFormat, journal: environment.journal, time: time)
        log = records.log(level: plan.daemon.logLevel)
        notifier = ServiceNotifier(socket: environment.notifySocket)
    }

    /// Runs until a signal ends it; the exit status.
    func run(until signals: Signals) -> Int32 {
        defer { records.finish() }
        do {
            try serve(until: signals)
            return Program.Exit.ok
        } catch {
            log(.error, error.message)
            notifier.status(error.message)
            return error.status
        }
    }

    private func serve(until signals: Signals) throws(Failure) {
        let sockets = try chooseSockets()
        let start = LongStart(notifier)
        defer { start.end() }
        let store = try openStore()
        let transfer = try startTransfer()
        let engine = try makeEngine(store, transfer)
        let api = try startAPI(engine, store, sockets)
        // Reading a large configuration leaves much freed memory behind that nobody will need again.
        _ = malloc_trim(0)
        let running = Background { await engine.run() }
        start.end()
        let feeds = plan.feeds.count == 1 ? "1 feed" : "\(plan.feeds.count) feeds"
        notifier.ready(feeds)
        log(.info, "ready: \(feeds), \(sockets.text)")
        var vigil = Vigil(
            over: engine, store, api, limit: watchdogLimit, records: records, log: log, notifier: notifier,
            time: time)
        waitForEnd(signals, &vigil)
        notifier.stopping(within: plan.daemon.drain + .seconds(10))
        api.stop()
        Background { await engine.stop() }.wait()
        transfer.stop()
        if running.wait(atMost: plan.daemon.drain) == nil {
            log(.warning, "a refresh did not end within \(plan.daemon.drain); it is given up")
        }
        store.stop()
        log(.info, "stopped")
    }

    // MARK: - Parts

    private func chooseSockets() throws(Failure) -> DaemonSockets {
        do {
            return try DaemonSockets(plan.daemon, path: socket, inherited: try inherited.get())
        } catch let failure as InheritedSockets.Failure {
            throw Failure(failure.message, status: Program.Exit.configuration)
        } catch let failure as DaemonSockets.Failure {
            throw Failure(failure.message, status: Program.Exit.configuration)
        } catch {
            preconditionFailure("nothing else is thrown above")
        }
    }

    private func openStore() throws(Failure) -> Store {
        do {
            let store = try Store(folder: state, random: Randomness(), now: time.now().wall)
            if let aside = store.openReport.quarantine {
                log(
                    .error,
                    "the cache was damaged (\(aside.reason)) and lies at \(aside.path); a new one is filled")
            }
            if store.openReport.mayHaveLostCommits {
                log(.notice, "the machine went down while the daemon ran; programs are told to list anew")
            }
            return store
        } catch {
            // Only another program or another folder helps against a newer schema: trying again does not.
            if case .newerSchema = error { throw Failure(error.detail, status: Program.Exit.configuration) }
            throw Failure(error.detail)
        }
    }

    private func startTransfer() throws(Failure) -> TransferService {
        do {
            return try TransferService(concurrency: plan.daemon.concurrency)
        } catch {
            throw Failure("the network library does not start: \(error.failure.detail)")
        }
    }

    /// The engine, with what the store knows of its feeds.
    private func makeEngine(_ store: Store, _ transfer: TransferService) throws(Failure) -> Engine {
        let (plan, time, board, log) = (plan, time, board, log)
        let made = Background { () async -> Result<Engine, StoreFailure> in
            do throws(StoreFailure) {
                let engine = try await Engine(
                    plan: plan, store: store, transfer: transfer, time: time, random: Randomness(),
                    board: board,
                    log: log)
                return .success(engine)
            } catch {
                return .failure(error)
            }
        }.wait()
        switch made {
        case .success(let engine): return engine
        case .failure(let failure): throw Failure(failure.detail)
        }
    }

    /// The sockets, answering.
    private func startAPI(
        _ engine: Engine, _ store: Store, _ sockets: DaemonSockets
    ) throws(Failure) -> APIServer {
        do {
            let server = try APIServer(
                socket: sockets.api, controlSocket: sockets.control, board: board, control: engine,
                storeFolder: state, commits: store.commits, time: time,
                instance: String(UInt64.random(in: .min ... .max), radix: 16),
                version: Version.text, log: log, access: LiveAccess(Access(plan, owner: geteuid(), log: log)),
                admission: Admission(
                    inAll: plan.daemon.connections, ofOneUser: plan.daemon.connectionsPerUser))
            try server.start()
            return server
        } catch {
            throw Failure(error.detail)
        }
    }

    private func waitForEnd(_ signals: Signals, _ vigil: inout Vigil) {
        while let signal = vigil.signal(signals) {
            if signal != SIGHUP { return }
            log(
                .notice,
                "SIGHUP: this version reads its configuration at start only; restart it to apply changes")
        }
    }
}
