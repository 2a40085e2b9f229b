import RefreshCore

/// Requests that wait, for the end of a refresh or for news.
extension APILoop {
    func start(
        _ errand: Errand, wait: Duration?, _ id: String, on connection: HTTPConnection
    ) throws(Problem) -> Bool {
        let ticket = try desk.start(errand)
        let who = connection.peer.map { "user \($0.user), process \($0.process)" } ?? "somebody unknown"
        log(.info, "\(id): \(errand.text), wanted by \(who)")
        guard let wait else {
            let answer = OutcomeText.accepted(
                feed: errand.feed, batch: ticket, instance: endpoints.facts.instance)
            return send(answer, on: connection)
        }
        park(connection, for: .errand(ticket), of: errand.feed, atMost: wait)
        return true
    }

    /// Asks the upstream first; when that has ended, or after so long, the request is looked at again.
    func fetch(
        _ feed: FeedID, atMost longest: Duration, _ id: String, on connection: HTTPConnection
    ) throws(Problem) -> Bool {
        // Who joins a refresh under way causes none.
        if endpoints.board.status(of: feed)?.inFlight != true { try spendQuota(of: connection) }
        let ticket = try desk.start(.refresh(feed, RefreshWish(.ifStale, maxAge: .zero)))
        log(.debug, "\(id): a reader wants the network first for \(feed)")
        park(connection, for: .fetch(ticket), of: feed, atMost: longest)
        return true
    }

    /// Asks for a refresh that nobody waits for, at most once a second.
    func refreshBehind(_ feed: FeedID) {
        if let last = askedBehind[feed], now.boot - last < .seconds(1) { return }
        askedBehind[feed] = now.boot
        // Where too many are under way the next reader asks.
        _ = try? desk.start(.refresh(feed, .background))
    }

    func wait(for feed: FeedID, atMost longest: Duration, on connection: HTTPConnection) -> Bool {
        park(connection, for: .change(feed), of: feed, atMost: longest)
        return true
    }

    /// Whoever is woken for nothing waits again, and no longer than it wanted to in all.
    private func park(
        _ connection: HTTPConnection, for event: WaitingRoom<HTTPConnection>.Event, of feed: FeedID?,
        atMost longest: Duration
    ) {
        let deadline = connection.waitsUntil ?? now.boot + longest
        connection.waitsUntil = deadline
        waiting.enter(connection, for: event, of: feed, until: deadline)
        connection.go(to: .waiting, at: now.boot)
        connection.suspend()
    }

    /// Answers who has waited long enough or got what it waited for.
    ///
    /// - Parameter hasMoved: whether anything was stored or posted since the last turn.
    func collect(hasMoved: Bool) {
        for result in desk.collect() {
            for seat in waiting.leave(for: .errand(result.ticket)) {
                answer(seat) { OutcomeText.answer(result.outcome, to: result.errand, instance: $0) }
            }
            for seat in waiting.leave(for: .fetch(result.ticket)) {
                // The time is over: what there is now is the answer.
                seat.guest.waitsUntil = now.boot
                seat.guest.hasFetched = result.outcome.isNew
                seat.guest.resume()
            }
        }
        for seat in waiting.leave(at: now.boot) { timeOut(seat) }
        if hasMoved { wakeForNews() }
        if !streams.isEmpty {
            for stream in streams.values { stream.look(endpoints, at: now) }
        }
    }

    /// Everybody who waits for a change of a feed whose log has grown asks again, and hears of it.
    private func wakeForNews() {
        let feeds = waiting.feeds
        if seen.count > feeds.count { seen = seen.filter { feeds.contains($0.key) } }
        for feed in feeds {
            let head = endpoints.board.status(of: feed).flatMap { try? endpoints.head(of: $0) }
            guard head.map({ seen[feed] != $0 }) ?? true else { continue }
            seen[feed] = head
            for seat in waiting.leave(for: .change(feed)) { seat.guest.resume() }
        }
    }

    private func timeOut(_ seat: WaitingRoom<HTTPConnection>.Seat) {
        switch seat.event {
        case .errand: answer(seat) { _ in OutcomeText.timeout(feed: seat.feed) }
        // It asks again and is told that there is nothing.
        case .change, .fetch: seat.guest.resume()
        }
    }

    /// libmicrohttpd does not notice when a client leaves whose connection sleeps.
    func lookForLeavers() {
        for seat in waiting.leave(where: { $0.guest.isGone }) { timeOut(seat) }
        for stream in streams.values where stream.isIdle && stream.client.isGone { stream.wake() }
    }

    func sendEverybodyHome() {
        let problem = Problem(.stopping, "the daemon stops; what was asked for may go on")
        for seat in waiting.leave(where: { _ in true }) {
            answer(seat) { problem.answer(instance: $0) }
        }
        for stream in streams.values { stream.end() }
    }

    private func answer(
        _ seat: WaitingRoom<HTTPConnection>.Seat, _ make: (_ instance: String) -> Answer
    ) {
        seat.guest.answer = make(seat.guest.request?.id ?? "")
        seat.guest.resume()
    }

    // MARK: - Streams

    func begin(_ source: any StreamSource, on connection: HTTPConnection) throws(Problem) -> Bool {
        guard streams.count < streamsInAll else {
            throw Problem(.tooManyStreams, "\(streamsInAll) streams are open already")
        }
        let stream = HTTPStream(source, on: connection, of: self)
        streams[ObjectIdentifier(connection)] = stream
        connection.go(to: .streaming, at: now.boot)
        if stream.begin() {
            endpoints.counters.answered(status: 200)
            return true
        }
        streams[ObjectIdentifier(connection)] = nil
        return false
    }

    /// A client that takes nothing although there is something for it is let go.
    func sweepStreams() {
        for stream in streams.values where stream.isStuck(at: now) { stream.client.shut() }
    }
}
