import RefreshCore

/// Performs requests over HTTP and HTTPS, any number at a time, all on one thread of its own.
///
/// How many run at once, and how many at one origin, is the caller's to decide: a slow one never delays another.
package final class TransferService: Sendable {
    private let multi: Multi
    private let inbox = Inbox()
    private let thread: Locked<TransferThread?>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - concurrency: about how many requests will run at once; as many handles and connections are
    ///     kept for reuse. No limit.
    ///   - addresses: `NAME:PORT:ADDRESS,…` of names that are not to be looked up.
    package init(concurrency: Int = 16, addresses: [String] = []) throws(TransferFailure) {
        let spare = max(concurrency, 1)
        multi = try Multi(pooled: spare, addresses: addresses)
        thread = try Locked(
            TransferThread { [multi, inbox] in
                TransferLoop(multi: multi, inbox: inbox, spare: spare).run()
            })
    }

    deinit { stop() }

    /// Forgets every open connection and every name looked up: after a suspend they lead nowhere. What is under way
    /// fails with `reset`.
    package func dropConnections() {
        if inbox.dropConnections() == .wake { multi.wake() }
    }

    /// Ends the thread and returns when it has ended; what is under way, and whatever comes later, fails with
    /// `stopped`. May be called again; only the first call waits.
    package func stop() {
        if inbox.stop() == .wake { multi.wake() }
        let ending = thread.withLock { thread -> TransferThread? in
            defer { thread = nil }
            return thread
        }
        ending?.join()
    }

    /// Asks, follows redirects, and returns the final answer, decoded, whatever its status.
    ///
    /// Cancelling the task ends the transfer.
    package func perform(_ request: TransferRequest) async throws(TransferFailure) -> TransferAnswer {
        let start = SuspendingClock.now
        var policy = RedirectPolicy(request)
        var cookies = request.cookies
        while true {
            let left = request.limits.total - start.duration(to: .now)
            guard left > .zero else { throw .timeout(at: policy.url.place) }
            let hop = try Hop(request, policy, cookies: cookies, remaining: left)
            let raw = try await exchange(hop).get()
            if let kept = raw.cookies { cookies?.replace(kept, for: policy.url.origin) }
            let location = raw.headers.first("location")
            switch policy.judge(status: raw.status, location: location, cookies: cookies) {
            case .follow: continue
            case .refuse(let failure): throw failure
            case .answer:
                return TransferAnswer(
                    status: raw.status, headers: raw.headers,
                    body: PaddedBytes(try TransferService.content(of: raw, limit: request.limits.decoded)),
                    effectiveURL: policy.url, permanentTarget: policy.permanentTarget,
                    hops: policy.hops, cookies: cookies, wireBytes: raw.wireBytes,
                    duration: start.duration(to: .now))
            }
        }
    }

    // MARK: - Pieces

    private static func content(
        of answer: HopAnswer, limit: ByteCount
    ) throws(TransferFailure) -> [UInt8] {
        if (200..<300).contains(answer.status) {
            return try ContentCoding(answer.headers).decode(answer.body, limit: limit)
        }
        // What a refusal says besides its status is a courtesy: it may be cut, and cannot fail the answer.
        return (try? ContentCoding(answer.headers).decode(answer.body, limit: limit)) ?? []
    }

    private func exchange(_ hop: Hop) async -> HopResult {
        let ticket = inbox.newTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let submission = Submission(ticket: ticket, hop: hop, continuation: continuation)
                switch inbox.submit(submission) {
                case .wake: multi.wake()
                case .noted: break
                case .refused: continuation.resume(returning: .failure(.stopped))
                }
            }
        } onCancel: {
            if inbox.cancel(ticket) == .wake { multi.wake() }
        }
    }
}
