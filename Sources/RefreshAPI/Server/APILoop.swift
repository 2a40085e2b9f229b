import CLinux
import RefreshCore
import RefreshStore

/// Everything that belongs to the API's thread: the connections, the requests that wait, and the cache's reader.
final class APILoop {
    /// A client that waits for the end of a refresh.
    private struct Waiting {
        let connection: HTTPConnection
        let feed: FeedID
        let deadline: BootTime
    }

    private let endpoints: Endpoints
    private let commits: CommitCount
    private var kept = KeptAnswers<HTTPResponse>(capacity: 4 * 1_024 * 1_024)
    /// Read once a turn, before anything is read of the cache.
    private var mark = WorldMark(board: 0, commits: 0)
    private let access: Access
    private let time: any TimeSource
    private let desk: RefreshDesk
    private let bell: Doorbell
    private let log: Log
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private(set) var admission: Admission
    private var waiting: [UInt64: Waiting] = [:]
    private var requests: UInt64 = 0
    private var lastSweep: BootTime
    private var lastLook: BootTime
    private var isStopping = false
    /// Set when libmicrohttpd can accept nobody for want of descriptors, and knows no better than to try again.
    private var isShort = false
    /// Read once a turn.
    private(set) var now: Moment

    init(
        endpoints: Endpoints, commits: CommitCount, access: Access, time: any TimeSource, desk: RefreshDesk,
        bell: Doorbell,
        log: Log, admission: Admission
    ) {
        self.endpoints = endpoints
        self.commits = commits
        self.access = access
        self.time = time
        self.desk = desk
        self.bell = bell
        self.log = log
        self.admission = admission
        now = time.now()
        lastSweep = now.boot
        lastLook = now.boot
    }

    // MARK: - Turns

    /// Serves until the bell says that it is to end.
    func run(_ daemon: borrowing HTTPDaemon) {
        while !bell.endIsWanted {
            rest(daemon)
            turn(daemon)
        }
    }

    /// Answers who waits, lets answers under way reach their clients, and returns within a second.
    func windDown(_ daemon: borrowing HTTPDaemon) {
        isStopping = true
        daemon.quiesce()
        desk.close()
        let problem = Problem(.stopping, "the daemon stops; the refresh may go on")
        for ticket in Array(waiting.keys) {
            answer(ticket) { problem.answer(instance: $0) }
        }
        // Counted in turns, since the clock may be one that does not move by itself.
        for _ in 0..<100 {
            turn(daemon)
            if connections.values.allSatisfy({ !$0.isBusy }) { return }
            pause(daemon, milliseconds: 10)
        }
    }

    private func turn(_ daemon: borrowing HTTPDaemon) {
        now = time.now()
        mark = WorldMark(board: endpoints.board.version, commits: commits.current)
        collect()
        if !daemon.run() { log(.warning, "libmicrohttpd met trouble") }
        endpoints.endRound()
        sweep()
    }

    private func rest(_ daemon: borrowing HTTPDaemon) {
        if isShort {
            // New connections stay readable in the epoll set: without a pause this would spin.
            isShort = false
            return pause(daemon, milliseconds: 100, bellOnly: true)
        }
        var wait = daemon.timeout ?? -1
        if !connections.isEmpty { wait = wait < 0 ? 1_000 : min(wait, 1_000) }
        if let deadline = waiting.values.map(\.deadline).min() {
            // Rounded up, or the last fraction of a millisecond would be spent spinning.
            let left = max(0, (deadline - time.now().boot).inMicroseconds + 999) / 1_000
            wait = min(wait < 0 ? 1_000 : wait, Int(left))
        }
        pause(daemon, milliseconds: Int32(wait))
    }

    private func pause(_ daemon: borrowing HTTPDaemon, milliseconds: Int32, bellOnly: Bool = false) {
        var looks = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: daemon.epoll, events: Int16(POLLIN), revents: 0),
        ]
        // A signal ends it early, which costs one idle turn.
        _ = unsafe poll(&looks, bellOnly ? 1 : 2, milliseconds)
        if looks[0].revents != 0 { bell.hush() }
    }

    // MARK: - Connections

    func opened(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
        guard let user = connection.peer?.user, admission.enter(user) else {
            connection.isRefused = true
            connection.sendRaw(APILoop.refusal)
            return connection.shut()
        }
    }

    func closed(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if !connection.isRefused, let user = connection.peer?.user { admission.leave(user) }
    }

    func completed(_ connection: HTTPConnection) {
        connection.request = nil
        connection.answer = nil
        connection.kept = nil
        connection.go(to: .between, at: now.boot)
    }

    /// libmicrohttpd has something to say.
    func heard(_ line: String) {
        let isLimit = line.utf8.firstRange(of: Array("resource limit".utf8)) != nil
        // With connections open it stops to accept by itself; without any it would try again at once, for ever.
        if isLimit, connections.isEmpty { isShort = true }
        log(isLimit ? .warning : .debug, "libmicrohttpd: \(line)")
    }

    /// What one connection too many is told, past libmicrohttpd.
    private static let refusal: String = {
        let answer = Problem(.tooManyConnections, "too many connections, in all or of this user")
            .answer(instance: "req-0")
        let body = String(decoding: answer.body, as: UTF8.self)
        let fields = answer.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return
            "HTTP/1.1 503 Service Unavailable\r\n\(fields)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }()

    private func sweep() {
        guard now.boot - lastSweep >= .seconds(1) else { return }
        lastSweep = now.boot
        for connection in connections.values
        where Patience.isOver(connection.step, for: now.boot - connection.since) {
            connection.shut()
        }
        guard now.boot - lastLook >= Patience.lookAfter else { return }
        lastLook = now.boot
        for (ticket, held) in waiting where held.connection.isGone {
            answer(ticket) { _ in OutcomeText.timeout(feed: held.feed) }
        }
    }

    // MARK: - Requests

    /// Takes a request on by one step: its head, a piece of its body, its end, the end of its wait; false where the
    /// connection has to be closed.
    func handle(_ connection: HTTPConnection, method: String, chunk: [UInt8]) -> Bool {
        if connection.step == .waiting {
            guard let answer = connection.answer else { return false }
            return send(answer, on: connection)
        }
        if let response = connection.kept {
            connection.kept = nil
            connection.go(to: .answering, at: now.boot)
            return connection.send(response)
        }
        guard connection.request != nil else { return begin(connection, method) }
        guard chunk.isEmpty else {
            connection.take(chunk)
            return true
        }
        guard let request = connection.request else { return false }
        // Nothing may be queued while pieces still come, so that a body too large is refused at its end.
        if request.isTooLarge {
            return send(RequestRules.tooLarge.answer(instance: request.id), on: connection, closes: true)
        }
        do {
            return try perform(request, on: connection)
        } catch {
            return send(error.answer(instance: request.id), on: connection)
        }
    }

    /// The head has come. What is answered here ends the connection, so only what is not to be trusted is.
    private func begin(_ connection: HTTPConnection, _ method: String) -> Bool {
        requests += 1
        let head = connection.head()
        if let response = keptAnswer(to: connection, method, head) {
            connection.kept = response
            connection.go(to: .body, at: now.boot)
            return true
        }
        let id = "req-\(endpoints.facts.instance)-\(String(requests, radix: 16))"
        let target = try? RequestTarget(connection.rawTarget)
        let refusal = RequestRules.refusal(
            method: method, target: target, targetLength: connection.rawTarget.count,
            headLength: connection.headLength, head: head)
        guard refusal == nil, let target else {
            let problem = refusal ?? Problem(.badTarget, "the target cannot be read")
            connection.request = nil
            return send(problem.answer(instance: id), id: id, on: connection, closes: true)
        }
        connection.request = HTTPConnection.Request(id: id, method: method, target: target, head: head)
        connection.go(to: .body, at: now.boot)
        return true
    }

    private func perform(_ request: HTTPConnection.Request, on connection: HTTPConnection) throws(Problem)
        -> Bool
    {
        if isStopping { throw Problem(.stopping, "the daemon stops") }
        let route = try RouteTable.route(request.method, request.target.segments)
        guard access.allows(route.right, to: connection.peer) else {
            throw Problem(.forbidden, "this needs the right to \(route.right.name)")
        }
        let call = try Call(
            route: route, target: request.target, ifNoneMatch: request.head.ifNoneMatch, body: request.body,
            now: now)
        switch try endpoints.reply(to: call) {
        case .answer(let answer): return send(answer, on: connection)
        case .lasting(let answer, let dependence, let hold):
            return keep(answer, of: dependence, for: hold, of: request, on: connection)
        case .refresh(let wish): return try start(wish, request.id, on: connection)
        }
    }

    // MARK: - Kept answers

    /// The answer to a plain question that was asked before, where it is still true. What was kept for its target has
    /// passed every rule about targets and needs no more than the right to read.
    private func keptAnswer(to connection: HTTPConnection, _ method: String, _ head: RequestHead)
        -> HTTPResponse?
    {
        guard method == "GET", head.isPlain, !isStopping, connection.headLength <= RequestRules.longestHead,
            RequestRules.isAllowed(head), access.allows(.read, to: connection.peer)
        else { return nil }
        return kept.answer(
            to: connection.rawTarget, at: now, mark: mark, stands: { endpoints.stands($0) })
    }

    /// Sends an answer off and keeps it for the next one who asks the same.
    private func keep(
        _ answer: Answer, of dependence: Dependence, for hold: Hold, of request: HTTPConnection.Request,
        on connection: HTTPConnection
    ) -> Bool {
        guard request.method == "GET", request.head.isPlain, !isStopping,
            let response = HTTPResponse(toKeep: answer)
        else { return send(answer, on: connection) }
        kept.keep(
            response, bytes: answer.body.count, to: connection.rawTarget, of: dependence, for: hold,
            mark: mark)
        connection.go(to: .answering, at: now.boot)
        return connection.send(response)
    }

    private func send(
        _ answer: Answer, id: String? = nil, on connection: HTTPConnection, closes: Bool = false
    )
        -> Bool
    {
        var answer = answer
        answer.closes = closes || isStopping
        answer.addVersion()
        if let id = id ?? connection.request?.id { answer.add("Refreshd-Request-Id", id) }
        connection.go(to: .answering, at: now.boot)
        return connection.send(answer)
    }

    // MARK: - Waiting

    private func start(_ wish: RefreshWish, _ id: String, on connection: HTTPConnection) throws(Problem)
        -> Bool
    {
        guard let ticket = desk.start(wish) else {
            throw Problem(.busy, "\(RefreshDesk.capacity) refreshes are wanted already")
        }
        let who = connection.peer.map { "user \($0.user), process \($0.process)" } ?? "somebody unknown"
        log(.info, "\(id): refresh of \(wish.feed), \(wish.mode.rawValue), wanted by \(who)")
        guard let wait = wish.wait else {
            let answer = OutcomeText.accepted(
                feed: wish.feed, batch: ticket, instance: endpoints.facts.instance)
            return send(answer, on: connection)
        }
        waiting[ticket] = Waiting(connection: connection, feed: wish.feed, deadline: now.boot + wait)
        connection.go(to: .waiting, at: now.boot)
        connection.suspend()
        return true
    }

    /// Answers who has waited long enough or got what it waited for.
    private func collect() {
        for result in desk.collect() {
            guard let feed = waiting[result.ticket]?.feed else { continue }
            answer(result.ticket) { id in
                result.outcome.map { OutcomeText.answer($0, feed: feed) }
                    ?? Problem(.feedNotFound, "there is no feed \"\(feed)\" any more").answer(instance: id)
            }
        }
        for (ticket, held) in waiting where held.deadline <= now.boot {
            answer(ticket) { _ in OutcomeText.timeout(feed: held.feed) }
        }
    }

    private func answer(_ ticket: UInt64, _ make: (_ instance: String) -> Answer) {
        guard let connection = waiting.removeValue(forKey: ticket)?.connection else { return }
        connection.answer = make(connection.request?.id ?? "")
        connection.resume()
    }
}
