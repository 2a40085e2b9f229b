import Glibc

/// A TCP socket on 127.0.0.1 that takes connections.
struct Listener: ~Copyable {
    private let socket: Descriptor
    let port: UInt16

    var descriptor: CInt { socket.number }

    /// - Parameter port: 0 takes any free one.
    init(port wanted: UInt16) throws(Server.Failure) {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw Listener.failure("socket") }
        let owned = Descriptor(descriptor)
        // A port whose last connections still linger may be taken again; one with a listener may not.
        var yes: CInt = 1
        guard
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
                == 0
        else { throw Listener.failure("setsockopt") }
        try Listener.bind(descriptor, port: wanted)
        guard listen(descriptor, 64) == 0 else {
            throw errno == EADDRINUSE ? .portTaken(wanted) : Listener.failure("listen")
        }
        port = try Listener.port(of: descriptor)
        socket = owned
    }

    /// The next connection that waits; nil where none does, or where it has left meanwhile.
    func accept() -> CInt? {
        let descriptor = Glibc.accept(socket.number, nil, nil)
        guard descriptor >= 0 else { return nil }
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func bind(_ descriptor: CInt, port: UInt16) throws(Server.Failure) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, length)
            }
        }
        if code != 0 { throw errno == EADDRINUSE ? .portTaken(port) : failure("bind") }
    }

    private static func port(of descriptor: CInt) throws(Server.Failure) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard code == 0 else { throw failure("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func failure(_ call: String) -> Server.Failure {
        let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "errno \(errno)"
        return .system("\(call): \(reason)")
    }
}
