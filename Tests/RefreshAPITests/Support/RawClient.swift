import CLinux
import RefreshCore
import TestSupport

/// A connection that says exactly what a test wants it to say; blocking, so used off the pool.
final class RawClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    let descriptor: Int32

    init?(_ path: String) {
        guard let descriptor = UnixHTTP.connected(to: path) else { return nil }
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        let code = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        precondition(code == 0, "the receive timeout cannot be set")
    }

    deinit { _ = close(descriptor) }

    func hangUp() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    @discardableResult func say(_ text: String) -> Bool { say(Array(text.utf8)) }

    @discardableResult func say(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// The next answer; nil where the connection ends or stays silent before it is whole.
    func hear(head onlyHead: Bool = false) -> Answer? {
        var bytes: [UInt8] = []
        let blank = Array("\r\n\r\n".utf8)
        while bytes.suffix(4) != blank[...] {
            guard let byte = read(1)?.first else { return nil }
            bytes.append(byte)
        }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard !lines.isEmpty, let status = Int(lines.removeFirst().split(separator: " ")[1]) else {
            return nil
        }
        var headers = HTTPHeaders()
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.append(
                String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let length = onlyHead ? 0 : headers.first("Content-Length").flatMap { Int($0) } ?? 0
        guard let body = read(length) else { return nil }
        return Answer(status: status, headers: headers, body: body)
    }

    /// Whether the other end has closed the connection, waiting for that.
    func isEnded() -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, 0) <= 0 && refreshd_errno() != EAGAIN
    }

    func ask(_ text: String) -> Answer? { say(text) ? hear() : nil }

    func get(_ target: String, _ fields: String = "") -> Answer? {
        ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    }

    func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var read = 0
        while read < count {
            let piece = unsafe bytes[read...].withUnsafeMutableBytes { rest in
                unsafe recv(descriptor, rest.baseAddress, rest.count, 0)
            }
            if piece <= 0 { return nil }
            read += piece
        }
        return bytes
    }
}
