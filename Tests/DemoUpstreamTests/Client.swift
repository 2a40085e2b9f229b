import Glibc

/// A client's end of a connection to 127.0.0.1.
final class Client: Sendable {
    private let descriptor: CInt

    /// Nil where nobody takes the connection.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length)
            }
        }
        guard code == 0 else { return nil }
    }

    deinit { _ = close(descriptor) }

    /// Sends `request` and waits for the first bytes of its answer, none where the server hangs up. Blocks.
    func ask(_ request: String) -> [UInt8] { say(request) ? hear() : [] }

    /// Sends `request`; false where not all of it can be sent at once.
    func say(_ request: String) -> Bool {
        let bytes = Array(request.utf8)
        return unsafe send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// Waits for the next bytes; none where the server hangs up. Blocks.
    func hear() -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &answer, answer.count, 0)
        return Array(answer.prefix(max(0, count)))
    }

    /// Whether there is something to hear by now.
    var hasNews: Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wait, 1, 0) == 1
    }
}
