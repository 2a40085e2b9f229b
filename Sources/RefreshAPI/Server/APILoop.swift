import CLinux
import RefreshCore
import RefreshStore

/// Everything that belongs to the API's thread: the connections, the requests that wait, and the cache's reader.
final class APILoop {
    let endpoints: Endpoints
    let commits: Pulse
    var kept = KeptAnswers<HTTPResponse>(capacity: 4 * 1_024 * 1_024)
    /// Read once a turn, before anything is read of the cache.
    var mark = WorldMark(board: 0, commits: 0)
    private let live: LiveAccess
    private(set) var access: Access
    private var accessVersion: UInt64
    private let time: any TimeSource
    let desk: ErrandDesk
    private let bell: Doorbell
    let log: Log
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private(set) var admission: Admission
    private var quotas = Quotas()
    var waiting = WaitingRoom<HTTPConnection>()
    /// Where the logs stood of which somebody waits to hear.
    var seen: [FeedID: FeedHead] = [:]
    /// When a reader has last caused a refresh that nobody waits for.
    var askedBehind: [FeedID: BootTime] = [:]
    var streams: [ObjectIdentifier: HTTPStream] = [:]
    /// Streams at a time.
    let streamsInAll: Int
    private var requests: UInt64 = 0
    private var lastSweep: BootTime
    private var lastLook: BootTime
    private(set) var isStopping = false
    /// Set when libmicrohttpd can accept nobody for want of descriptors, and knows no better than to try again.
    private var isShort = false
    private var restraint = Restraint()
    /// Whether anything came of the last turn.
    var hasWorked = false
    /// Read once a turn.
    private(set) var now: Moment

    init(
        endpoints: Endpoints, commits: Pulse, access: LiveAccess, time: any TimeSource, desk: ErrandDesk,
        bell: Doorbell,
        log: Log, admission: Admission, streams: Int
    ) {
        self.endpoints = endpoints
        self.commits = commits
        live = access
        accessVersion = access.pulse.current
        self.access = access.current
        self.time = time
        self.desk = desk
        self.bell = bell
        self.log = log
        self.admission = admission
        streamsInAll = streams
        now = time.now()
        lastSweep = now.boot
        lastLook = now.boot
        commits.tell { bell.ring() }
        endpoints.board.pulse.tell { bell.ring() }
    }

    // MARK: - Turns

    /// Serves until the bell says that it is to end.
    func run(_ daemon: borrowing HTTPDaemons) {
        while !bell.endIsWanted {
            rest(daemon)
            turn(daemon)
            bell.countTurn()
        }
    }

    /// Answers who waits and who has just come, lets answers under way reach their clients, and returns within a
    /// second. Whoever connects from here on waits at the socket for the next daemon, where the service manager has it.
    func windDown(_ daemon: borrowing HTTPDaemons) {
        isStopping = true
        daemon.quiesce()
        desk.close()
        sendEverybodyHome()
        // Counted in turns, since the clock may be one that does not move by itself.
        for _ in 0..<100 {
            turn(daemon)
            if connections.values.allSatisfy({ !$0.isBusy && $0.step != .arrived }) { return }
            pause(daemon, milliseconds: 10)
        }
    }

    private func turn(_ daemon: borrowing HTTPDaemons) {
        now = time.now()
        renewAccess()
        let before = mark
        mark = WorldMark(board: endpoints.board.pulse.current, commits: commits.current)
        collect(hasMoved: mark != before)
        if !daemon.run() { log(.warning, "libmicrohttpd met trouble") }
        endpoints.endRound()
        sweep()
    }

    /// Takes over rules that have changed, and lets go of what was made under the old ones.
    private func renewAccess() {
        let version = live.pulse.current
        guard version != accessVersion else { return }
        accessVersion = version
        access = live.current
        kept = KeptAnswers(capacity: 4 * 1_024 * 1_024)
        for stream in streams.values { stream.end() }
    }

    private func rest(_ daemon: borrowing HTTPDaemons) {
        if isShort {
            // New connections stay readable in the epoll set: without a pause this would spin.
            isShort = false
            return pause(daemon, milliseconds: 100, bellOnly: true)
        }
        var wait = restraint.wait(daemon.timeout ?? -1, hasWorked: hasWorked)
        hasWorked = false
        if !connections.isEmpty { wait = wait < 0 ? 1_000 : min(wait, 1_000) }
        // Whoever waits for news is told of what comes from here on; what came before is seen in the next turn.
        let isWatching = !streams.isEmpty || !waiting.isEmpty
        commits.watch(isWatching)
        endpoints.board.pulse.watch(isWatching)
        if isWatching, mark != WorldMark(board: endpoints.board.pulse.current, commits: commits.current) {
            wait = 0
        }
        if let deadline = waiting.deadline {
            // Rounded up, or the last fraction of a millisecond would be spent spinning.
            let left = max(0, (deadline - time.now().boot).inMicroseconds + 999) / 1_000
            wait = min(wait < 0 ? 1_000 : wait, Int(left))
        }
        pause(daemon, milliseconds: Int32(wait))
    }

    private func pause(_ daemon: borrowing HTTPDaemons, milliseconds: Int32, bellOnly: Bool = false) {
        var looks = [
            pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: daemon.api.epoll, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is passed over.
            pollfd(fd: daemon.controlEpoll, events: Int16(POLLIN), revents: 0),
        ]
        // A signal ends it early, which costs one idle turn.
        _ = unsafe poll(&looks, bellOnly ? 1 : 3, milliseconds)
        if looks[0].revents != 0 { bell.hush() }
    }

    // MARK: - Connections

    func opened(_ connection: HTTPConnection) {
        hasWorked = true
        connections[ObjectIdentifier(connection)] = connection
        endpoints.counters.clientCame()
        guard let user = connection.peer?.user, admission.enter(user) else {
            connection.isRefused = true
            connection.sendRaw(APILoop.refusal)
            return connection.shut()
        }
    }

    func closed(_ connection: HTTPConnection) {
        hasWorked = true
        connections[ObjectIdentifier(connection)] = nil
        endpoints.counters.clientLeft()
        if !connection.isRefused, let user = connection.peer?.user { admission.leave(user) }
    }

    func completed(_ connection: HTTPConnection) {
        hasWorked = true
        connection.request = nil
        connection.answer = nil
        connection.kept = nil
        connection.waitsUntil = nil
        connection.hasFetched = false
        if streams.removeValue(forKey: ObjectIdentifier(connection)) != nil, streams.isEmpty {
            endpoints.pieces.clear()
        }
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
        sweepStreams()
        guard now.boot - lastLook >= Patience.lookAfter else { return }
        lastLook = now.boot
        lookForLeavers()
    }

    /// Takes an upstream request off the quota of the user at the other end.
    func spendQuota(of connection: HTTPConnection) throws(Problem) {
        guard let rate = access.quota, let user = connection.peer?.user,
            let wait = quotas.spend(by: user, of: rate, at: now.boot)
        else { return }
        throw Problem(
            .quotaExceeded,
            "the programs of user \(user) have caused \(rate.count) upstream requests in "
                + "\(DurationText.format(rate.per)), which is all they may; what is cached can be read",
            retryAfter: wait)
    }

    // MARK: - Requests

    /// Takes a request on by one step: its head, a piece of its body, its end, the end of its wait; false where the
    /// connection has to be closed.
    func handle(_ connection: HTTPConnection, method: String, chunk: [UInt8]) -> Bool {
        hasWorked = true
        if connection.step == .waiting {
            if let answer = connection.answer { return send(answer, on: connection) }
            if let request = connection.request,
                let response = keptAnswer(to: connection, request.method, request.head)
            {
                return send(kept: response, on: connection)
            }
            return answer(connection, hasWaited: connection.waitsUntil.map { $0 <= now.boot } ?? true)
        }
        if let response = connection.kept {
            connection.kept = nil
            return send(kept: response, on: connection)
        }
        guard connection.request != nil else { return begin(connection, method) }
        guard chunk.isEmpty else {
            connection.take(chunk)
            return true
        }
        return answer(connection, hasWaited: false)
    }

    private func answer(_ connection: HTTPConnection, hasWaited: Bool) -> Bool {
        guard let request = connection.request else { return false }
        // Nothing may be queued while pieces still come, so that a body too large is refused at its end.
        if request.isTooLarge {
            return send(RequestRules.tooLarge.answer(instance: request.id), on: connection, closes: true)
        }
        do {
            return try perform(request, on: connection, hasWaited: hasWaited)
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
            target: target, targetLength: connection.rawTarget.count, headLength: connection.headLength,
            head: head)
        guard refusal == nil, let target else {
            let problem = refusal ?? Problem(.badTarget, "the target cannot be read")
            connection.request = nil
            return send(problem.answer(instance: id), id: id, on: connection, closes: true)
        }
        connection.request = HTTPConnection.Request(id: id, method: method, target: target, head: head)
        connection.go(to: .body, at: now.boot)
        return true
    }

    private func perform(
        _ request: HTTPConnection.Request, on connection: HTTPConnection, hasWaited: Bool
    ) throws(Problem) -> Bool {
        let route = try RouteTable.route(request.method, request.target.segments)
        connection.request?.isControl = route.right == .control
        let viewer = Viewer(access: access, peer: connection.peer, level: connection.level)
        guard let right = viewer.right else { throw Problem(.forbidden, "this user may do nothing here") }
        // What a feed's own list allows is seen when the feed is known.
        guard right >= route.right || (route.right == .operate && route.namesFeed) else {
            throw Problem(.forbidden, "this needs the right to \(route.right.name)")
        }
        if route.method == .post, let refusal = RequestRules.refusal(ofBody: request.head) { throw refusal }
        var call = try Call(
            route: route, target: request.target, head: request.head, body: request.body, viewer: viewer,
            now: now)
        call.hasFetched = connection.hasFetched
        let reply = try endpoints.reply(to: call, hasWaited: hasWaited)
        if !isStopping, let feed = endpoints.feedToRefresh(behind: call) { refreshBehind(feed) }
        // What is cached is still told: whoever connected before the stop does not learn of it.
        if isStopping, reply.takesTime { throw Problem(.stopping, "the daemon stops") }
        switch reply {
        case .answer(let answer): return send(answer, on: connection)
        case .lasting(let answer, let dependence, let hold):
            return keep(answer, of: dependence, for: hold, of: request, on: connection)
        case .document(let head, let document): return send(document, head: head, on: connection)
        case .errand(let errand, let wait):
            return try start(errand, wait: wait, request.id, on: connection)
        case .wait(let feed, let longest): return wait(for: feed, atMost: longest, on: connection)
        case .stream(let source): return try begin(source, on: connection)
        case .fetchFirst(let feed, let wait): return try fetch(feed, atMost: wait, request.id, on: connection)
        }
    }

    func send(
        _ answer: Answer, id: String? = nil, on connection: HTTPConnection, closes: Bool = false
    )
        -> Bool
    {
        connection.send(complete(answer, id: id, on: connection, closes: closes))
    }

    private func send(_ document: StoredDocument, head: Answer, on connection: HTTPConnection) -> Bool {
        let head = complete(head, on: connection)
        return HTTPDocument.response(document, head: head, of: self).map(connection.send) ?? false
    }

    /// Adds what goes with every answer, and counts it.
    private func complete(
        _ answer: Answer, id: String? = nil, on connection: HTTPConnection, closes: Bool = false
    ) -> Answer {
        var answer = answer
        answer.closes = closes || isStopping
        answer.addVersion()
        if let id = id ?? connection.request?.id { answer.add("Refreshd-Request-Id", id) }
        if let request = connection.request, request.isControl { logControl(request, answer, connection) }
        connection.go(to: .answering, at: now.boot)
        endpoints.counters.answered(status: answer.status)
        return answer
    }

    /// Who asked to control the daemon, for what, and what came of it.
    private func logControl(
        _ request: HTTPConnection.Request, _ answer: Answer, _ connection: HTTPConnection
    ) {
        let path = SafeText.short(String(decoding: connection.rawTarget, as: UTF8.self))
        let who = connection.peer.map { "user \($0.user), process \($0.process)" } ?? "somebody unknown"
        log(.notice, "\(request.id): \(request.method) \(path) of \(who): \(answer.status)")
    }
}
