import RefreshCore

/// What the scripted upstream was asked.
package struct UpstreamRequest: Sendable {
    package let method: String
    /// As it stood in the request line.
    package let target: String
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// The connection that it came on, counted from 1.
    package let connection: Int
    /// Its place among all requests, from 1.
    package let order: Int

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    package func header(_ name: String) -> String? { headers.first(name) }
}

/// The head of a request as read from the wire.
struct UpstreamRequestHead {
    let method: String
    let target: String
    let headers: HTTPHeaders
    let bodyLength: Int

    /// Nil where `bytes`, which end with the empty line, are no head.
    init?(_ bytes: ArraySlice<UInt8>) {
        var lines = bytes.split(separator: UInt8(ascii: "\n")).map { ASCII.trimmed($0) }
        guard let first = lines.first else { return nil }
        lines.removeFirst()
        let words = first.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3 else { return nil }
        method = words[0]
        target = words[1]
        var headers = HTTPHeaders()
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self))
        }
        self.headers = headers
        bodyLength = headers.first("content-length").flatMap { Int($0) } ?? 0
    }
}
