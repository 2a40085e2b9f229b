import RefreshCore

/// Performs requests over HTTP and HTTPS, any number at a time, all on one thread of its own.
///
/// How many run at once, and how many at one origin, is the caller's to decide: a slow one never delays another.
package final class TransferService: Sendable {
    private let multi: Multi
    private let inbox = Inbox()
    let buffers: BufferPool
    private let thread: Locked<TransferThread?>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - concurrency: about how many requests will run at once; as many handles and connections are
    ///     kept for reuse. No limit.
    ///   - addresses: `NAME:PORT:ADDRESS,…` of names that are not to be looked up.
    ///   - buffers: bytes that large answers hold together; who needs more waits.
    package init(
        concurrency: Int = 16, addresses: [String] = [], buffers: ByteCount = .mebibytes(64)
    ) throws(TransferFailure) {
        let spare = max(concurrency, 1)
        self.buffers = BufferPool(limit: buffers)
        multi = try Multi(pooled: spare, addresses: addresses)
        thread = try Locked(
            TransferThread { [multi, inbox, buffers = self.buffers] in
                TransferLoop(multi: multi, inbox: inbox, spare: spare, buffers: buffers).run()
            })
    }

    deinit { stop() }

    /// Forgets every open connection and every name looked up: after a suspend they lead nowhere. What is under way
    /// fails with `reset`.
    package func dropConnections() {
        if inbox.dropConnections() == .wake { multi.wake() }
    }

    /// A new bound of the bytes that answers hold together.
    package func limitBuffers(_ limit: ByteCount) { buffers.configure(limit: limit) }

    /// Ends the thread and returns when it has ended; what is under way, and whatever comes later, fails with
    /// `stopped`. May be called again; only the first call waits.
    package func stop() {
        buffers.close()
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
                let (content, lease) = try await content(of: raw, limit: request.limits.decoded)
                var answer = TransferAnswer(
                    status: raw.status, headers: raw.headers, body: PaddedBytes(content),
                    effectiveURL: policy.url, permanentTarget: policy.permanentTarget,
                    hops: policy.hops, cookies: cookies, wireBytes: raw.wireBytes,
                    duration: start.duration(to: .now))
                answer.lease = lease
                return answer
            }
        }
    }

    // MARK: - Pieces

    /// The content of an answer, and what it holds of the buffers.
    private func content(
        of answer: HopAnswer, limit: ByteCount
    ) async throws(TransferFailure) -> ([UInt8], BufferLease?) {
        guard (200..<300).contains(answer.status) else {
            // What a refusal says besides its status is a courtesy: it may be cut, and cannot fail the answer.
            let few = min(limit, .mebibytes(1))
            return ((try? ContentCoding(answer.headers).decode(answer.body, limit: few)) ?? [], nil)
        }
        let coding = try ContentCoding(answer.headers)
        guard coding.unpacks(answer.body) else {
            return (try coding.decode(answer.body, limit: limit), answer.lease)
        }
        return try await unpacked(answer, coding, limit: limit)
    }

    /// Unpacks into room that was reserved before; what claims to be smaller than it is has to begin again.
    private func unpacked(
        _ answer: HopAnswer, _ coding: ContentCoding, limit: ByteCount
    ) async throws(TransferFailure) -> ([UInt8], BufferLease?) {
        var room = min(max(Gunzip.claim(answer.body), BufferPool.free), limit.bytes)
        var lease = answer.lease
        while true {
            if room > BufferPool.free {
                let needed = lease ?? buffers.lease()
                lease = needed
                guard await needed.reserve(answer.body.count + room) else {
                    throw Task.isCancelled ? TransferFailure.cancelled : .stopped
                }
            }
            do {
                let content = try coding.decode(answer.body, limit: ByteCount(room))
                lease?.shrink(to: max(content.count, 1))
                return (content, lease)
            } catch {
                guard case .tooLargeDecoded = error, room < limit.bytes else { throw error }
                room = min(room * 4, limit.bytes)
            }
        }
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
