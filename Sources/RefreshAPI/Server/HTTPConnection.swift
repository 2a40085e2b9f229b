import CLinux
import CMicroHTTPD
import RefreshCore

/// One client's connection, and the request that it is at.
///
/// libmicrohttpd announces its end before it frees what `handle` points to; until then it is valid.
@safe final class HTTPConnection {
    private let handle: OpaquePointer
    let descriptor: Int32
    let peer: Peer?
    /// The most that anybody may do at the socket that it came to.
    let level: Right
    var step = Patience.Step.arrived
    /// When `step` began.
    var since: BootTime
    /// The target of the request as it was sent.
    var rawTarget: [UInt8] = []
    /// The request whose head has come.
    var request: Request?
    /// It was one too many and is not counted.
    var isRefused = false
    /// Ready for a request that has waited.
    var answer: Answer?
    /// Its request was answered by the upstream before the cache is read.
    var hasFetched = false
    /// Set while a request waits, or after it has waited.
    var waitsUntil: BootTime?
    /// Ready for a request whose answer was made before.
    var kept: HTTPResponse?

    struct Request {
        let id: String
        let method: String
        let target: RequestTarget
        let head: RequestHead
        var body: [UInt8] = []
        var isTooLarge = false
        /// It is for those who run the host, and stands in the log with its answer.
        var isControl = false
    }

    init(_ handle: OpaquePointer, level: Right, at now: BootTime) {
        unsafe self.handle = handle
        self.level = level
        descriptor = unsafe refreshd_mhd_descriptor(handle)
        peer = Peer(of: descriptor)
        since = now
    }

    func go(to step: Patience.Step, at now: BootTime) {
        self.step = step
        since = now
    }

    /// Whether a client counts on an answer.
    var isBusy: Bool { step == .body || step == .waiting || step == .answering || step == .streaming }

    // MARK: - What has come

    /// A piece of the request's body; what goes beyond the limit is dropped.
    func take(_ chunk: [UInt8]) {
        guard var request else { return }
        // Taken out and put back, so that the body is not copied with each piece.
        self.request = nil
        if request.body.count + chunk.count > RequestRules.longestBody {
            request.isTooLarge = true
            request.body = []
        } else if !request.isTooLarge {
            request.body.append(contentsOf: chunk)
        }
        self.request = request
    }

    /// The bytes of the request's head.
    var headLength: Int { unsafe refreshd_mhd_head_size(handle) }

    func head() -> RequestHead {
        var head = RequestHead()
        // It returns how many it has shown, which says nothing that is needed.
        _ = unsafe withUnsafeMutablePointer(to: &head) { head in
            unsafe MHD_get_connection_values_n(handle, .HEADER_KIND, collectField, head)
        }
        return head
    }

    /// Whether the client has closed its end for good; one that has only said all it had to say still listens.
    var isGone: Bool {
        var look = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&look, 1, 0) == 1 && Int32(look.revents) & (POLLHUP | POLLERR) != 0
    }

    // MARK: - What happens to it

    func suspend() { unsafe MHD_suspend_connection(handle) }
    func resume() { unsafe MHD_resume_connection(handle) }

    /// Ends the conversation; libmicrohttpd then finds the connection closed.
    func shut() {
        // It fails where the client was faster.
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Writes a few bytes past libmicrohttpd, to a connection of which it has not read yet.
    func sendRaw(_ text: String) {
        let bytes = Array(text.utf8)
        // The buffer of a new connection is empty; a client that left does not need it.
        _ = unsafe CLinux.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }

    /// Sends `answer` off; false where there is no memory for it, and the connection has to be closed.
    func send(_ answer: Answer) -> Bool { HTTPResponse(answer).map(send) ?? false }

    func send(_ response: HTTPResponse) -> Bool { unsafe response.queue(on: handle) }
}

private func collectField(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameSize: Int,
    value: UnsafePointer<CChar>?, valueSize: Int
) -> MHD_Result {
    guard let context = unsafe context, unsafe name != nil else { return .YES }
    let field = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
        .assumingMemoryBound(to: UInt8.self)
    let text = unsafe UnsafeRawBufferPointer(start: value, count: unsafe value == nil ? 0 : valueSize)
        .assumingMemoryBound(to: UInt8.self)
    unsafe context.assumingMemoryBound(to: RequestHead.self).pointee.add(name: field.span, value: text.span)
    return .YES
}
