import CLinux
import Glibc

/// The socket that a scripted upstream listens on, on loopback or in a folder.
struct UpstreamSocket: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let descriptor: Int32
    /// 0 for a Unix socket.
    let port: Int

    /// On 127.0.0.1, at a port that the kernel picks.
    static func loopback(backlog: Int32 = 512) throws(Failure) -> UpstreamSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket can be made") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.bind(descriptor, pointer, length) == 0 && listen(descriptor, backlog) == 0
                    && Glibc.getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard bound else {
            _ = close(descriptor)
            throw Failure(description: "127.0.0.1 cannot be listened on")
        }
        return UpstreamSocket(descriptor: descriptor, port: Int(UInt16(bigEndian: address.sin_port)))
    }

    /// At `path`, which must be short and free.
    static func unix(_ path: String) throws(Failure) -> UpstreamSocket {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket can be made") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        precondition(name.count < 108, "\(path) is too long for a socket")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && listen(descriptor, 512) == 0
            }
        }
        guard bound else {
            _ = close(descriptor)
            throw Failure(description: "\(path) cannot be listened on")
        }
        return UpstreamSocket(descriptor: descriptor, port: 0)
    }

    /// The next connection, without delay on small writes.
    func accepted() -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        let flags = refreshd_fcntl(connection, F_GETFL, 0)
        guard refreshd_fcntl(connection, F_SETFL, flags | O_NONBLOCK) == 0,
            refreshd_fcntl(connection, F_SETFD, FD_CLOEXEC) == 0
        else {
            _ = close(connection)
            return nil
        }
        var one: Int32 = 1
        // Of no meaning, and refused, on a Unix socket.
        _ = unsafe setsockopt(
            connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return connection
    }

    /// A connection to this socket that nobody speaks on, made without waiting; -1 where it cannot be begun.
    func connection() -> Int32 {
        let descriptor = Glibc.socket(
            AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code == 0 || errno == EINPROGRESS { return descriptor }
        _ = close(descriptor)
        return -1
    }
}
