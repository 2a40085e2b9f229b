import RefreshCore

/// What has come back of one hop so far, within its bounds.
struct Reception: Sendable {
    /// Bytes kept of the body of an answer other than 2xx: a message for people at most.
    private static let explanation = 65_536

    let hop: Hop
    private(set) var head: ResponseHead
    private(set) var wireBytes = 0
    /// Why the answer was broken off.
    private(set) var verdict: TransferFailure?
    /// An address that was not connected to.
    private(set) var refusedAddress: String?
    private(set) var isConnected = false
    /// It waits for room.
    private(set) var isHeldBack = false
    private let room: BufferRoom
    private var lease: BufferLease?
    private var watch: StallWatch?
    private var body: GrowingBytes

    init(_ hop: Hop, _ room: BufferRoom) {
        self.room = room
        self.hop = hop
        head = ResponseHead(mayStartAgain: hop.digest != nil)
        body = GrowingBytes(limit: hop.limits.wire.bytes)
    }

    /// Whether records will be read from this answer.
    var isSuccess: Bool { (200..<300).contains(head.status) }

    // MARK: - What arrives

    /// Whether a connection to `address` may be made or used.
    mutating func judge(_ address: PeerAddress) -> Bool {
        if address.isAllowed(to: hop) { return true }
        refusedAddress = address.text
        return false
    }

    mutating func connected() { isConnected = true }

    /// A line of a head; false where the transfer has to end.
    @unsafe mutating func take(line: UnsafeRawBufferPointer) -> Bool {
        watch?.received(line.count)
        let ends = unsafe head.take(line)
        guard head.bytes <= hop.limits.head.bytes else {
            verdict = .headTooLarge(limit: hop.limits.head)
            return false
        }
        return ends ? prepareBody() : true
    }

    private mutating func prepareBody() -> Bool {
        // What a challenge said besides its head is of no use.
        wireBytes = 0
        guard isSuccess else {
            body = GrowingBytes(limit: min(Reception.explanation, hop.limits.wire.bytes))
            return true
        }
        if hop.digest != nil { body = GrowingBytes(limit: hop.limits.wire.bytes) }
        guard hop.method != "HEAD", let length = head.headers.first("content-length").flatMap({ Int($0) })
        else { return true }
        guard length <= hop.limits.wire.bytes else {
            verdict = .tooLarge(limit: hop.limits.wire)
            return false
        }
        body.expect(length)
        return true
    }

    /// What became of a piece of the body.
    enum Taking {
        case taken
        /// The transfer has to wait until there is room, and offer the piece again.
        case heldBack
        /// The transfer has to end.
        case refused
    }

    @unsafe mutating func take(body piece: UnsafeRawBufferPointer) -> Taking {
        guard hasRoom(for: body.count + piece.count) else {
            isHeldBack = true
            return .heldBack
        }
        wireBytes += piece.count
        watch?.received(piece.count)
        guard unsafe body.append(piece) else {
            // Of an answer that says no, the beginning is enough.
            if isSuccess { verdict = .tooLarge(limit: hop.limits.wire) }
            return .refused
        }
        return .taken
    }

    private mutating func hasRoom(for bytes: Int) -> Bool {
        // What exceeds its own limit is refused anyhow.
        guard bytes > BufferPool.free, bytes <= body.limit else { return true }
        let lease = self.lease ?? room.pool.lease()
        self.lease = lease
        let call = room.call
        // In steps: few questions, and little that is held and not needed.
        let step = BufferPool.free * 4
        let wanted = min((bytes + step - 1) / step * step, max(body.limit, bytes))
        return lease.grow(to: wanted) { if $0 { call() } }
    }

    /// There may be room again; false where it was not held back.
    mutating func resume() -> Bool {
        defer { isHeldBack = false }
        return isHeldBack
    }

    // MARK: - Time

    /// When the flow of bytes has to be looked at; nil before the connection is made.
    mutating func nextLook(at now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        if isHeldBack {
            watch = nil
            return nil
        }
        if isConnected && watch == nil {
            watch = StallWatch(window: hop.limits.stall, rate: hop.limits.stallRate, at: now)
        }
        return watch?.next
    }

    mutating func isStalled(at now: SuspendingClock.Instant) -> Bool {
        isHeldBack ? false : watch?.isStalled(at: now) ?? false
    }

    // MARK: - The end

    /// The transfer went to its end; `cookies` is what libcurl then holds.
    mutating func finish(cookies: [String]?) -> HopResult {
        // To libcurl a connection that closes within the head has brought an answer.
        guard head.isComplete else { return .failure(.cut(at: hop.url.place, received: wireBytes)) }
        return .success(
            HopAnswer(
                status: head.status, headers: head.headers, body: body.take(), wireBytes: wireBytes,
                cookies: cookies, lease: lease))
    }

    /// The transfer broke off; an answer that says no says it in its head, whole body or not.
    mutating func finish(_ failure: TransferFailure, cookies: [String]?) -> HopResult {
        switch failure {
        case .cancelled, .stopped: break
        default: if verdict == nil && head.isComplete && !isSuccess { return finish(cookies: cookies) }
        }
        return .failure(verdict ?? failure)
    }
}

/// Where a reception gets room for its body.
struct BufferRoom: Sendable {
    let pool: BufferPool
    /// Called from any thread when there is room for who was held back.
    let call: @Sendable () -> Void
}
