import RefreshCore
import RefreshEngine
import RefreshStore
import Synchronization

/// The socket at which programs ask for what is cached: a listener and the thread that serves it.
package final class APIServer: Sendable {
    /// What is made ready by `init` and moves to the thread at `start`.
    private struct Ready: ~Copyable {
        // In the order in which they may go: the daemon calls the loop and uses the listener.
        let daemon: HTTPDaemon
        let loop: APILoop
        let listener: Listener
    }

    private struct State: ~Copyable {
        var ready: Ready?
        var thread: ServerThread?
    }

    private let bell: Doorbell
    private let state: Mutex<State>

    /// Binds the socket; nobody is answered before `start`.
    ///
    /// - Parameters:
    ///   - storeFolder: where the databases lie; read through a connection of its own.
    ///   - commits: of the store that writes there.
    ///   - instance: new with each start of the daemon.
    package init(
        socket: SocketPlan, board: StatusBoard, control: any RefreshControl, storeFolder: String,
        commits: CommitCount, time: any TimeSource, instance: String, version: String, log: Log,
        access: Access,
        admission: Admission = Admission()
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
        let facts = ServerFacts(
            version: version, instance: instance, started: time.now(), storeFolder: storeFolder)
        let loop = APILoop(
            endpoints: Endpoints(facts: facts, board: board, reader: reader), commits: commits,
            access: access,
            time: time, desk: RefreshDesk(control: control, bell: bell), bell: bell, log: log,
            admission: admission)
        let daemon = try HTTPDaemon(listener: listener.descriptor, loop: loop)
        state = Mutex(State(ready: Ready(daemon: daemon, loop: loop, listener: listener), thread: nil))
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

    /// Answers those who wait with `stopping`, closes every connection and removes the socket; returns when all of it
    /// is done, within about a second. Safe to call more than once.
    package func stop() {
        bell.askForEnd()
        state.withLock { $0.thread.take() }?.join()
    }

    private func serve() {
        guard let ready = state.withLock({ $0.ready.take() }) else { return }
        let loop = ready.loop
        loop.run(ready.daemon)
        loop.windDown(ready.daemon)
        APIServer.end(ready)
        // The end of the daemon tells the loop of every connection that it closes.
        withExtendedLifetime(loop) {}
    }

    private static func end(_ ready: consuming Ready) {}
}
