import RefreshCore

/// Answers that were made before.
extension APILoop {
    /// The answer to a plain question that was asked before, where it is still true. What was kept for its target has
    /// passed every rule about targets and needs no more than the right to read.
    func keptAnswer(to connection: HTTPConnection, _ method: String, _ head: RequestHead)
        -> HTTPResponse?
    {
        guard method == "GET", head.isPlain, !isStopping, connection.headLength <= RequestRules.longestHead,
            RequestRules.isAllowed(head), StreamFormat(accept: head.accept) == nil,
            access.right(of: connection.peer, at: connection.level) != nil
        else { return nil }
        return kept.answer(
            to: connection.rawTarget, at: now, mark: mark, stands: { endpoints.stands($0) })
    }

    /// Sends an answer off and keeps it for the next one who asks the same.
    func keep(
        _ answer: Answer, of dependence: Dependence, for hold: Hold, of request: HTTPConnection.Request,
        on connection: HTTPConnection
    ) -> Bool {
        guard request.method == "GET", request.head.isPlain, !isStopping,
            let response = HTTPResponse(toKeep: answer)
        else { return send(answer, on: connection) }
        kept.keep(
            response, bytes: answer.body.count, to: connection.rawTarget, of: dependence, for: hold,
            mark: mark)
        return send(kept: response, on: connection)
    }

    func send(kept response: HTTPResponse, on connection: HTTPConnection) -> Bool {
        connection.go(to: .answering, at: now.boot)
        endpoints.counters.answered(status: response.status)
        return connection.send(response)
    }
}
