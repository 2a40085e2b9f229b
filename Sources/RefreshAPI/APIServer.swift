import CLinux
import RefreshCore
import RefreshEngine
import RefreshStore

/// The socket at which programs ask for what is cached: a listener and the thread that serves it.
package final class APIServer: Sendable {
    /// What is made ready by `init` and moves to the thread at `start`.
    private struct Ready: ~Copyable {
        // In the order in which they may go: the daemon calls the loop and uses the listener.
        let daemons: HTTPDaemons
        let loop: APILoop
        let doors: [Door]
        let listener: Listener
        let controlListener: Listener?
    }

    private struct State: ~Copyable {
        var ready: Ready?
        var thread: ServerThread?
    }

    private let bell: Doorbell
    private let state: Locked<State>

    /// Binds the socket; nobody is answered before `start`.
    ///
    /// - Parameters:
    ///   - socket: where programs connect; nobody may do more than `level` there.
    ///   - controlSocket: where those connect who run the host; nil: nowhere.
    ///   - storeFolder: where the databases lie; read through a connection of its own.
    ///   - commits: of the store that writes there.
    ///   - counters: what `/metrics` shows of the engine and the store, and counts of the API itself.
    ///   - history: what the engine has noted of the refreshes.
    ///   - instance: new with each start of the daemon.
    package init(
        socket: SocketPlan, level: Right = .operate, controlSocket: SocketPlan? = nil, board: StatusBoard,
        control: any RefreshControl, daemon: any DaemonControl, storeFolder: String,
        commits: Pulse, time: any TimeSource, instance: String, version: String, log: Log,
        access: LiveAccess,
        admission: Admission = Admission(), streams: Int = 256, counters: Counters = Counters(),
        history: HistoryBoard = HistoryBoard()
    ) throws(APIFailure) {
        guard let bell = Doorbell() else { throw .server(reason: "no descriptor is left") }
        self.bell = bell
        let reader: StoreReader
        do {
            reader = try StoreReader(folder: storeFolder)
        } catch {
            throw .store(reason: error.detail)
        }
        let listener = try Listener.open(socket)
        var controlListener: Listener?
        if let controlSocket { controlListener = try Listener.open(controlSocket) }
        let facts = ServerFacts(
            version: version, instance: instance, started: time.now(), storeFolder: storeFolder)
        let loop = APILoop(
            endpoints: Endpoints(
                facts: facts, board: board, reader: reader, counters: counters, history: history),
            commits: commits,
            access: access,
            time: time, desk: ErrandDesk(refreshes: control, daemon: daemon, bell: bell), bell: bell,
            log: log,
            admission: APIServer.fitted(admission), streams: streams)
        let doors = [Door(to: loop, level: level), Door(to: loop, level: .control)]
        let api = try HTTPDaemon(listener: listener.descriptor, door: doors[0])
        var control: HTTPDaemon?
        if let descriptor = controlListener?.descriptor {
            control = try HTTPDaemon(listener: descriptor, door: doors[1])
        }
        let ready = Ready(
            daemons: HTTPDaemons(api: api, control: control), loop: loop, doors: doors, listener: listener,
            controlListener: controlListener)
        state = Locked(State(ready: ready, thread: nil))
    }

    /// Begins to answer, on a thread of its own that `stop` has to end.
    package func start() throws(APIFailure) {
        let started = state.withLock { state -> Bool in
            guard state.thread == nil else { return true }
            state.thread = ServerThread(name: "api") { [self] in serve() }
            return state.thread != nil
        }
        if !started { throw .server(reason: "the system starts no thread") }
    }

    /// How often the thread has come round since it started; after a `knock` it does so at least once more.
    package var turns: UInt64 { bell.turns }

    /// Makes the thread come round, also where nobody asks anything.
    package func knock() { bell.ring() }

    /// Answers those who wait with `stopping`, closes every connection and removes the socket; returns when all of it
    /// is done, within about a second. Safe to call more than once.
    package func stop() {
        bell.askForEnd()
        state.withLock { $0.thread.take() }?.join()
    }

    private static func fitted(_ admission: Admission) -> Admission {
        var limit = refreshd_limit()
        // Where the kernel does not say, what was configured holds.
        guard unsafe refreshd_get_descriptor_limit(&limit) == 0 else { return admission }
        return admission.fitting(descriptors: Int(clamping: limit.soft))
    }

    private func serve() {
        guard let ready = state.withLock({ $0.ready.take() }) else { return }
        let (loop, doors) = (ready.loop, ready.doors)
        loop.run(ready.daemons)
        loop.windDown(ready.daemons)
        APIServer.end(ready)
        // The end of the daemon tells the loop of every connection that it closes.
        withExtendedLifetime((loop, doors)) {}
    }

    private static func end(_ ready: consuming Ready) {}
}
