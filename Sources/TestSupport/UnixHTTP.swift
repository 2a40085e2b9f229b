import CLinux
import Glibc
import RefreshCore

/// Asks a server on a Unix socket, one connection a request, as `curl --unix-socket` does.
package struct UnixHTTP: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        package let headers: HTTPHeaders
        package let body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let path: String

    package init(socket path: String) { self.path = path }

    package func get(_ target: String, headers: [String] = []) async -> Answer? {
        await ask("GET", target, headers: headers, body: nil)
    }

    package func post(_ target: String, json: String, headers: [String] = []) async -> Answer? {
        await ask("POST", target, headers: headers + ["Content-Type: application/json"], body: json)
    }

    /// Nil where nobody answers, or not in HTTP.
    package func ask(_ method: String, _ target: String, headers: [String], body: String?) async -> Answer? {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for header in headers { text += header + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        let request = Array((text + "\r\n" + (body ?? "")).utf8)
        let path = path
        return await offPool { UnixHTTP.exchange(request, path).flatMap(UnixHTTP.parse) }
    }

    private static func exchange(_ request: [UInt8], _ path: String) -> [UInt8]? {
        guard let descriptor = connected(to: path) else { return nil }
        defer { _ = close(descriptor) }
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return nil
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { return answer }
            if count < 0 { return answer.isEmpty ? nil : answer }
            answer.append(contentsOf: chunk[0..<count])
        }
    }

    /// A descriptor connected to the socket at `path`; the caller closes it.
    package static func connected(to path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        precondition(name.count < 108, "\(path) is too long for a socket")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let code = unsafe refreshd_connect_unix(
            descriptor, &address, socklen_t(MemoryLayout<sockaddr_un>.size))
        if code == 0 { return descriptor }
        _ = close(descriptor)
        return nil
    }

    private static func parse(_ bytes: [UInt8]) -> Answer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = bytes[..<end.lowerBound].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            return nil
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.utf8.firstIndex(of: 0x3A) else { return nil }
            let value = ASCII.trimmed(Array(line[line.index(after: colon)...].utf8))
            headers.append(String(line[..<colon]), String(decoding: value, as: UTF8.self))
        }
        return Answer(status: status, headers: headers, body: Array(bytes[end.upperBound...]))
    }
}
