import CLinux
import CMicroHTTPD
import RefreshCore

/// A socket's way into the loop.
final class Door {
    let loop: APILoop
    /// The most that anybody may do who comes this way.
    let level: Right

    init(to loop: APILoop, level: Right) {
        self.loop = loop
        self.level = level
    }
}

/// libmicrohttpd without threads of its own; it works while somebody calls `run`, and calls `loop` from there.
@safe struct HTTPDaemon: ~Copyable {
    private let handle: OpaquePointer
    /// Readable when `run` has something to do.
    let epoll: Int32

    /// - Parameters:
    ///   - listener: stays the caller's.
    ///   - door: must outlive the daemon.
    init(listener: Int32, door: Door) throws(APIFailure) {
        let loop = door.loop
        var options = unsafe refreshd_mhd_options()
        unsafe options.listen_socket = listener
        unsafe options.connection_limit = UInt32(loop.admission.inAll + Admission.keptForRoot)
        // Room for the longest head and for the head of the answer.
        unsafe options.connection_memory = 24 * 1_024
        unsafe options.idle_timeout_seconds = 60
        unsafe options.context = Unmanaged.passUnretained(door).toOpaque()
        unsafe options.handler = handleRequest
        unsafe options.completed = completeRequest
        unsafe options.connection_changed = changeConnection
        unsafe options.uri_logger = noteTarget
        unsafe options.log = writeLog
        guard let handle = unsafe refreshd_mhd_start(&options) else {
            throw .server(reason: "libmicrohttpd refuses its options")
        }
        let epoll = unsafe refreshd_mhd_epoll(handle)
        guard epoll >= 0 else {
            unsafe HTTPDaemon.stop(handle)
            throw .server(reason: "libmicrohttpd has no epoll descriptor")
        }
        unsafe self.handle = handle
        self.epoll = epoll
    }

    deinit { unsafe HTTPDaemon.stop(handle) }

    private static func stop(_ handle: OpaquePointer) {
        // Otherwise it would close the listener, which is not its own.
        _ = unsafe MHD_quiesce_daemon(handle)
        unsafe MHD_stop_daemon(handle)
    }

    /// Milliseconds after which `run` has to be called although `epoll` is quiet; nil: none.
    var timeout: Int? {
        var milliseconds: UInt64 = 0
        guard unsafe MHD_get_timeout(handle, &milliseconds) == .YES else { return nil }
        return Int(min(milliseconds, 3_600_000))
    }

    /// Does what is to be done; false where libmicrohttpd met trouble.
    func run() -> Bool { unsafe MHD_run(handle) == .YES }

    /// Takes no new connection any more.
    func quiesce() {
        // It returns the listener, which the caller has.
        _ = unsafe MHD_quiesce_daemon(handle)
    }
}

// MARK: - Callbacks

private func door(_ context: UnsafeMutableRawPointer?) -> Door? {
    unsafe context.map { unsafe Unmanaged<Door>.fromOpaque($0).takeUnretainedValue() }
}

private func loop(_ context: UnsafeMutableRawPointer?) -> APILoop? { unsafe door(context)?.loop }

/// The connection object that `changeConnection` has left with libmicrohttpd.
private func connection(_ handle: OpaquePointer?) -> HTTPConnection? {
    guard let handle = unsafe handle, let context = unsafe refreshd_mhd_context(handle) else { return nil }
    return unsafe Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
}

private func changeConnection(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?,
    place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
    guard let door = unsafe door(context), let handle = unsafe handle, let place = unsafe place else {
        return
    }
    let loop = door.loop
    if code == .CONNECTION_NOTIFY_STARTED {
        let connection = unsafe HTTPConnection(handle, level: door.level, at: loop.now.boot)
        // The loop's table holds it until the connection is closed.
        unsafe place.pointee = Unmanaged.passUnretained(connection).toOpaque()
        loop.opened(connection)
    } else if let pointer = unsafe place.pointee {
        let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(pointer).takeUnretainedValue()
        unsafe place.pointee = nil
        loop.closed(connection)
    }
}

private func noteTarget(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    if let target = unsafe target, let connection = unsafe connection(handle) {
        let length = unsafe strlen(target)
        connection.rawTarget = unsafe Array(UnsafeRawBufferPointer(start: target, count: length))
    }
    return nil
}

private func handleRequest(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, path: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let loop = unsafe loop(context), let connection = unsafe connection(handle),
        let method = unsafe method, let uploadSize = unsafe uploadSize
    else { return .NO }
    let chunk = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    let goesOn = unsafe loop.handle(connection, method: String(cString: method), chunk: Array(chunk))
    unsafe uploadSize.pointee = 0
    return goesOn ? .YES : .NO
}

private func completeRequest(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    if let loop = unsafe loop(context), let connection = unsafe connection(handle) {
        loop.completed(connection)
    }
}

private func writeLog(
    context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?, arguments: CVaListPointer?
) {
    guard let loop = unsafe loop(context), let format = unsafe format, let arguments = unsafe arguments
    else { return }
    var line = [CChar](repeating: 0, count: 512)
    let length = unsafe vsnprintf(&line, line.count, format, arguments)
    let shown = line.prefix(min(max(Int(length), 0), line.count - 1))
    loop.heard(String(decoding: shown.map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
