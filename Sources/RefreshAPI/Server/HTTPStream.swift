import CMicroHTTPD
import RefreshCore

/// An answer without an end: libmicrohttpd asks for the next piece when the socket takes more, and is put to sleep
/// while there is none.
@safe final class HTTPStream {
    private var source: any StreamSource
    private unowned let loop: APILoop
    private let connection: HTTPConnection
    /// What was made and is not taken yet.
    private var piece: ArraySlice<UInt8> = []
    private var isLast = false
    /// Whether the connection sleeps, with everything told.
    private(set) var isIdle = false
    /// When the client took something last, or had everything.
    private(set) var movedAt: BootTime
    private var spokeAt: BootTime

    /// How long a client may take nothing although there is something for it.
    static let patience: Duration = .seconds(30)
    static let heartbeatAfter: Duration = .seconds(15)

    init(_ source: any StreamSource, on connection: HTTPConnection, of loop: APILoop) {
        self.source = source
        self.connection = connection
        self.loop = loop
        movedAt = loop.now.boot
        spokeAt = loop.now.boot
    }

    var client: HTTPConnection { connection }

    /// Sends the head off; what follows is asked for. False where there is no memory for it.
    func begin() -> Bool {
        var answer = Answer(status: 200, type: source.format.mediaType)
        answer.add("Cache-Control", "no-store")
        answer.addVersion()
        // libmicrohttpd gives the reference back when the answer has ended.
        let own = unsafe Unmanaged.passRetained(self)
        let handle = unsafe MHD_create_response_from_callback(
            .max, 32 * 1_024, readStream, own.toOpaque(), releaseStream)
        guard let response = unsafe HTTPResponse(adopting: handle, head: answer) else {
            unsafe own.release()
            return false
        }
        return connection.send(response)
    }

    /// Wakes the connection where there is something to tell, or nothing was said for long.
    func look(_ endpoints: Endpoints, at now: Moment) {
        guard isIdle else { return }
        if source.hasNews(endpoints) {
            wake()
        } else if now.boot - spokeAt >= HTTPStream.heartbeatAfter {
            var bytes: [UInt8] = []
            source.format.heartbeat(to: &bytes)
            piece = bytes[...]
            wake()
        }
    }

    /// Whether the client takes nothing any more.
    func isStuck(at now: Moment) -> Bool { !isIdle && now.boot - movedAt >= HTTPStream.patience }

    /// Says good-bye behind what is being written.
    func end() {
        guard !isLast else { return }
        piece += source.bye()
        isLast = true
        if isIdle { wake() }
    }

    /// Lets libmicrohttpd see that the client has gone.
    func wake() {
        isIdle = false
        movedAt = loop.now.boot
        connection.resume()
    }

    /// Up to `room` bytes; empty where there are none now, nil at the end.
    fileprivate func read(_ room: Int) -> ArraySlice<UInt8>? {
        movedAt = loop.now.boot
        loop.hasWorked = true
        if piece.isEmpty {
            if isLast { return nil }
            switch source.next(loop.endpoints, at: loop.now) {
            case .bytes(let bytes): piece = bytes[...]
            case .nothing: break
            case .end(let bytes):
                piece = bytes[...]
                isLast = true
            }
        }
        if piece.isEmpty {
            isIdle = true
            connection.suspend()
            return piece
        }
        spokeAt = loop.now.boot
        let taken = piece.prefix(room)
        piece = piece.dropFirst(room)
        return taken
    }
}

private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
    let stream = unsafe Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
    // -1 is the end of the stream (MHD_CONTENT_READER_END_OF_STREAM).
    guard let bytes = stream.read(room) else { return -1 }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room).copyBytes(from: bytes)
    return bytes.count
}

private func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPStream>.fromOpaque(context).release()
}
