import CLinux
import RefreshAPI
import RefreshAdapters
import RefreshConfig
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
    private let sources: ConfigSources
    private let config: String
    private let socket: String
    private let state: String
    private let boot: String?
    private let inherited: Result<InheritedSockets, InheritedSockets.Failure>
    private let watchdogLimit: Duration?
    private let records: StandardErrorLog
    private let threshold: LogThreshold
    private let log: Log
    private let notifier: ServiceNotifier
    private let time = SystemTime()
    private let board = StatusBoard()
    private let counters = Counters()
    private let history = HistoryBoard()

    init(_ plan: Plan, _ sources: ConfigSources, _ options: Options, _ environment: Environment) {
        self.plan = plan
        self.sources = sources
        config = options.config ?? environment.places.config
        socket = options.socket ?? plan.daemon.socketPath ?? environment.places.socket
        state = options.state ?? plan.daemon.stateFolder ?? environment.places.state
        boot = environment.boot
        inherited = environment.inherited
        watchdogLimit = environment.watchdogLimit
        records = StandardErrorLog(format: plan.daemon.logFormat, journal: environment.journal, time: time)
        threshold = LogThreshold(plan.daemon.logLevel)
        log = records.log(threshold)
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
        let durable = try openDurable()
        let transfer = try startTransfer()
        let credentials = makeCredentials(durable, transfer)
        let engine = try makeEngine(store, durable, transfer, credentials)
        let access = LiveAccess(Access(plan, owner: geteuid(), log: log))
        let reloader = Reloader(
            path: config,
            running: Reloader.Running(loadedAt: time.now().wall, sources: sources, settings: plan.daemon),
            engine: engine, access: access, notifier: notifier, counters: counters, board: board,
            threshold: threshold, log: log, time: time)
        let room = ControlRoom(
            engine: engine, reloader: reloader, store: store, durable: durable, state: state,
            threshold: threshold, log: log, time: time)
        let api = try startAPI(sockets, engine, room, access, store)
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
        waitForEnd(signals, &vigil, reloader)
        notifier.stopping(within: plan.daemon.drain + .seconds(10))
        api.stop()
        Background {
            await engine.stop()
            // A token that an upstream has just rotated must not be lost.
            await credentials.close()
        }.wait()
        transfer.stop()
        if running.wait(atMost: plan.daemon.drain) == nil {
            log(.warning, "a refresh did not end within \(plan.daemon.drain); it is given up")
        }
        store.stop()
        durable.stop()
        log(.info, "stopped")
    }

    // MARK: - Parts

    private func chooseSockets() throws(Failure) -> DaemonSockets {
        do {
            return try DaemonSockets(plan.daemon, path: socket, inherited: inherited)
        } catch {
            throw Failure(error.message, status: Program.Exit.configuration)
        }
    }

    private func openStore() throws(Failure) -> Store {
        do {
            let store = try Store(
                folder: state, random: Randomness(), now: time.now().wall, boot: boot,
                limit: plan.daemon.disk,
                counters: counters)
            if let aside = store.openReport.quarantine {
                log(
                    .error,
                    "the cache was damaged (\(aside.reason)) and lies at \(aside.path); a new one is filled")
            }
            tellOfMigration(store.openReport, "the cache")
            if store.openReport.mayHaveLostCommits {
                log(.notice, "the machine went down while the daemon ran; programs are told to list anew")
            }
            if !store.openReport.rolledBack.isEmpty {
                let feeds = store.openReport.rolledBack.map(\.name).joined(separator: ", ")
                log(.notice, "the cache was put back from a copy; programs are told to list anew: \(feeds)")
            }
            return store
        } catch {
            // Only another program or another folder helps against a newer schema: trying again does not.
            if case .newerSchema = error { throw Failure(error.detail, status: Program.Exit.configuration) }
            throw Failure(error.detail)
        }
    }

    private func openDurable() throws(Failure) -> DurableStore {
        do {
            let store = try DurableStore(folder: state, now: time.now().wall)
            if let aside = store.openReport.quarantine {
                log(
                    .error,
                    "the database of tokens and pauses was damaged (\(aside.reason)) and lies at \(aside.path); \(aside.salvaged ?? 0) of its rows were saved; sign in again where a feed fails to"
                )
            }
            tellOfMigration(store.openReport, "the database of tokens and pauses")
            let doubt = Background { () async -> Result<String?, StoreFailure> in
                do throws(StoreFailure) {
                    return .success(try await store.doubt()?.text)
                } catch {
                    return .failure(error)
                }
            }.wait()
            board.setAlarm("durable", try doubt.get())
            return store
        } catch {
            if case .newerSchema = error { throw Failure(error.detail, status: Program.Exit.configuration) }
            throw Failure(error.detail)
        }
    }

    private func tellOfMigration(_ report: OpenReport, _ what: String) {
        guard let version = report.migratedFrom else { return }
        let copy =
            report.schemaBackup.map { "a copy from before is at \($0)" }
            ?? "there was no room for a copy from before"
        log(.notice, "\(what) was brought up from schema version \(version); \(copy)")
    }

    private func startTransfer() throws(Failure) -> TransferService {
        do {
            return try TransferService(
                concurrency: plan.daemon.concurrency, buffers: plan.daemon.buffers)
        } catch {
            throw Failure("the network library does not start: \(error.failure.detail)")
        }
    }

    /// What proves to upstreams who asks; rotated tokens are kept where nothing is ever lost.
    private func makeCredentials(_ durable: DurableStore, _ transfer: TransferService) -> CredentialService {
        let log = log
        return CredentialService(
            transfer: transfer, secrets: Secrets(warn: { log(.warning, $0) }), reader: JSONTokenReader(),
            store: DurableTokens(durable, time: time), time: time)
    }

    /// The engine, with what the store knows of its feeds.
    private func makeEngine(
        _ store: Store, _ durable: DurableStore, _ transfer: TransferService, _ credentials: CredentialService
    ) throws(Failure) -> Engine {
        let (plan, time, board, log, state) = (plan, time, board, log, state)
        let (counters, history) = (counters, history)
        let memory = DurableMemory(durable, time: time, log: log)
        let made = Background { () async -> Result<Engine, StoreFailure> in
            do throws(StoreFailure) {
                let engine = try await Engine(
                    plan: plan, store: store, transfer: transfer, time: time, random: Randomness(),
                    board: board, log: log, parents: StoredParents(folder: state),
                    credentials: credentials, origins: memory,
                    pauses: memory, counters: counters, history: history)
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
        _ sockets: DaemonSockets, _ engine: Engine, _ room: ControlRoom, _ access: LiveAccess, _ store: Store
    ) throws(Failure) -> APIServer {
        do {
            let server = try APIServer(
                socket: sockets.api, controlSocket: sockets.control,
                board: board, control: engine, daemon: room, storeFolder: state, commits: store.commits,
                time: time,
                instance: String(UInt64.random(in: .min ... .max), radix: 16),
                version: Version.text, log: log, access: access,
                admission: Admission(
                    inAll: plan.daemon.connections, ofOneUser: plan.daemon.connectionsPerUser),
                streams: plan.daemon.streams, counters: counters, history: history)
            try server.start()
            return server
        } catch {
            throw Failure(error.detail)
        }
    }

    private func waitForEnd(_ signals: Signals, _ vigil: inout Vigil, _ reloader: Reloader) {
        while let signal = vigil.signal(signals) {
            if signal != SIGHUP { return }
            // What came of it is in the log.
            _ = Background { await reloader.reload() }.wait()
        }
    }
}
