import CCurl
import RefreshCore

/// A place for one transfer at a time: a libcurl handle and what it has received. Lives on the transfer thread.
final class Slot {
    private var easy: EasyHandle
    fileprivate(set) var reception: Reception?
    private(set) var submission: Submission?
    /// Whether the handle may serve another feed: `curl_easy_reset` keeps cookies, so one that has met any may not
    /// (threat T-U7).
    private(set) var isReusable = true

    init() throws(TransferFailure) { easy = try EasyHandle() }

    /// Puts the transfer of `submission` under way; throws where libcurl refuses, and the slot is then free again.
    func begin(
        _ submission: Submission, on multi: Multi, _ room: BufferRoom
    ) throws(TransferFailure) {
        let hop = submission.hop
        reception = Reception(hop, room)
        easy.configure(hop)
        if !multi.addresses.isEmpty { easy.setAddresses(multi.addresses) }
        if hop.cookies != nil { isReusable = false }
        guard easy.fault == CURLE_OK else {
            reception = nil
            throw .internal("libcurl refuses an option: \(easy.reason(easy.fault))")
        }
        // Given back in `end`, or right here.
        let context = unsafe Unmanaged.passRetained(self)
        unsafe easy.setCallbacks(slotCallbacks, context: context.toOpaque())
        let code = easy.join(multi)
        guard easy.fault == CURLE_OK, code == CURLM_OK else {
            if code == CURLM_OK { _ = easy.leave(multi) }
            unsafe context.release()
            reception = nil
            throw .internal("libcurl takes no transfer: \(code.rawValue), \(easy.fault.rawValue)")
        }
        self.submission = submission
    }

    /// The slot whose transfer has ended by itself.
    static func ended(on multi: Multi) -> (slot: Slot, code: CURLcode)? {
        guard let ended = unsafe multi.nextEnded() else { return nil }
        return (unsafe Unmanaged<Slot>.fromOpaque(ended.context).takeUnretainedValue(), unsafe ended.code)
    }

    /// Takes the transfer out and answers who asked; the slot is free afterwards.
    func end(_ code: CURLcode, on multi: Multi) {
        let (osError, reason) = code == CURLE_OK ? (0, "") : (easy.osError, easy.reason(code))
        let cookies = cookies
        settle(on: multi, reception?.finish(code, osError: osError, reason: reason, cookies: cookies))
    }

    /// The same for a transfer that is given up.
    func end(_ failure: TransferFailure, on multi: Multi) {
        let cookies = cookies
        settle(on: multi, reception?.finish(failure, cookies: cookies))
    }

    private var cookies: [String]? { reception?.hop.cookies == nil ? nil : easy.cookies() }

    private func settle(on multi: Multi, _ result: HopResult?) {
        guard let submission, let result else { return }
        self.submission = nil
        reception = nil
        // It can only fail for a handle that is not in there, which `begin` has ruled out.
        _ = easy.leave(multi)
        unsafe Unmanaged.passUnretained(self).release()
        submission.continuation.resume(returning: result)
    }

    /// Goes on with an answer that was held back for want of room; false where libcurl will not.
    func resume() -> Bool {
        guard reception?.resume() == true else { return true }
        return easy.resume() == CURLE_OK
    }

    // MARK: - Time

    func nextLook(at now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        reception?.nextLook(at: now)
    }

    func isStalled(at now: SuspendingClock.Instant) -> Bool { reception?.isStalled(at: now) ?? false }
}

// MARK: - Called by libcurl, on the transfer thread, during `perform` and `add`

private let slotCallbacks = unsafe TransferCallbacks(
    body: takeBody, line: takeLine, openSocket: openSocket, connected: connected)

private func slot(_ context: UnsafeMutableRawPointer?) -> Slot? {
    unsafe context.map { unsafe Unmanaged<Slot>.fromOpaque($0).takeUnretainedValue() }
}

/// What is left unread makes libcurl end the transfer.
private func takeBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch unsafe slot(context)?.reception?.take(body: piece) {
    case .taken: piece.count
    // It is offered again, whole, when the transfer goes on.
    case .heldBack: Int(CURL_WRITEFUNC_PAUSE)
    case .refused, nil: 0
    }
}

private func takeLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe slot(context)?.reception?.take(line: line) == true ? line.count : 0
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    let refused: curl_socket_t = -1
    guard let slot = unsafe slot(context), let address = unsafe address,
        slot.reception?.judge(unsafe PeerAddress(address)) == true
    else { return refused }
    return unsafe refreshd_open_socket(address)
}

/// The second look: a pooled connection may have been opened by a feed that is allowed more.
private func connected(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
    _ ownAddress: UnsafeMutablePointer<CChar>?, _ port: Int32, _ ownPort: Int32
) -> Int32 {
    guard let slot = unsafe slot(context) else { return Int32(CURL_PREREQFUNC_ABORT) }
    let text = unsafe address.map { unsafe String(cString: $0) } ?? ""
    guard slot.reception?.judge(PeerAddress(text)) == true else { return Int32(CURL_PREREQFUNC_ABORT) }
    slot.reception?.connected()
    return Int32(CURL_PREREQFUNC_OK)
}
