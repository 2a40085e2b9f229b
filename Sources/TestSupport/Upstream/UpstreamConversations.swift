import CLinux
import RefreshCore

/// The threads of a scripted upstream, and what they have seen.
final class UpstreamConversations: Sendable {
    private struct State {
        var requests: [UpstreamRequest] = []
        var connections = 0
        var threads: [JoinableThread] = []
        var isStopped = false
    }

    let socket: UpstreamSocket
    let received = Tally()
    let left = Tally()
    /// Becomes readable, for good, when the upstream stops.
    private let stopped: Int32
    private let handler: @Sendable (UpstreamRequest) -> UpstreamAnswer
    private let state = Locked(State())

    init(on socket: UpstreamSocket, _ handler: @escaping @Sendable (UpstreamRequest) -> UpstreamAnswer) {
        self.socket = socket
        self.handler = handler
        stopped = eventfd(0, Int32(EFD_CLOEXEC))
        precondition(stopped >= 0, "no eventfd can be made")
    }

    deinit {
        _ = close(stopped)
    }

    var requests: [UpstreamRequest] { state.withLock(\.requests) }
    var connections: Int { state.withLock(\.connections) }

    func start() {
        let thread = JoinableThread { self.acceptAll() }
        state.withLock { $0.threads.append(thread) }
    }

    func stop() {
        let threads = state.withLock { state -> [JoinableThread] in
            state.isStopped = true
            let threads = state.threads
            state.threads = []
            return threads
        }
        // The counter cannot overflow by the few stops that a test calls.
        _ = eventfd_write(stopped, 1)
        for thread in threads { thread.join() }
        // The first call alone has threads to join; from here on connections are refused.
        if !threads.isEmpty { _ = close(socket.descriptor) }
    }

    // MARK: - Threads

    private func acceptAll() {
        while hasConnection() {
            guard let descriptor = socket.accepted() else { continue }
            let isWelcome = state.withLock { state -> Bool in
                guard !state.isStopped else { return false }
                state.connections += 1
                let number = state.connections
                state.threads.append(
                    JoinableThread {
                        self.converse(
                            UpstreamConnection(descriptor: descriptor, stop: self.stopped), number: number)
                    })
                return true
            }
            if !isWelcome { _ = close(descriptor) }
        }
    }

    private func hasConnection() -> Bool {
        var polled = [
            pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&polled, nfds_t(polled.count), -1)
        return polled[1].revents == 0
    }

    private func converse(_ connection: consuming UpstreamConnection, number: Int) {
        while let (head, body) = connection.next() {
            let request = note(head, body, connection: number)
            received.add()
            let answer = handler(request)
            if let ending = connection.perform(answer.steps(method: request.method)) {
                if ending == .peerLeft { left.add() }
                return
            }
            if answer.closes { return }
        }
        left.add()
    }

    private func note(_ head: UpstreamRequestHead, _ body: [UInt8], connection: Int) -> UpstreamRequest {
        state.withLock { state in
            let request = UpstreamRequest(
                method: head.method, target: head.target, headers: head.headers, body: body,
                connection: connection, order: state.requests.count + 1)
            state.requests.append(request)
            return request
        }
    }
}
