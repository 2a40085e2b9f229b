import RefreshCore

/// The head of one HTTP/1.1 request, as far as this server cares (RFC 9112, 2 and 3).
struct RequestHead: Equatable {
    enum Parsed: Equatable {
        /// The head has not arrived whole.
        case incomplete
        /// A head, and how many bytes it took.
        case head(RequestHead, length: Int)
        case failed(Failure)
    }

    enum Failure: Equatable { case malformed, tooLong }

    let method: String
    /// Without query.
    let path: String
    let query: Query
    let headers: HTTPHeaders
    /// Whether the client wants to go on with this connection.
    let keepsAlive: Bool

    /// Whether it asks to see something and to change nothing.
    var onlyReads: Bool { method == "GET" || method == "HEAD" }

    static let longest = 16_384

    /// Reads the head at the start of `bytes`.
    static func parse(_ bytes: ArraySlice<UInt8>) -> Parsed {
        guard let end = endOfHead(bytes) else {
            return bytes.count >= longest ? .failed(.tooLong) : .incomplete
        }
        let length = end - bytes.startIndex
        guard length <= longest else { return .failed(.tooLong) }
        guard let head = RequestHead(lines: lines(of: bytes[..<end])) else { return .failed(.malformed) }
        return .head(head, length: length)
    }

    private init?(lines: [ArraySlice<UInt8>]) {
        let words = lines.first?.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) ?? []
        guard words.count == 3, !words[0].isEmpty, words[1].first == UInt8(ascii: "/") else { return nil }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            // A name is followed by its colon at once (RFC 9112, 5.1); a folded line begins with a space.
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                !line[..<colon].contains(where: ASCII.isSpace)
            else { return nil }
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self))
        }
        // A body would have to be read before the next request; nobody has a reason to send one.
        guard headers.first("transfer-encoding") == nil, headers.first("content-length") ?? "0" == "0"
        else { return nil }
        method = String(decoding: words[0], as: UTF8.self)
        let place = words[1].prefix { $0 != UInt8(ascii: "?") }
        path = String(decoding: place, as: UTF8.self)
        query = Query(words[1].dropFirst(place.count + 1))
        let wish = headers.first("connection") ?? (version == "HTTP/1.1" ? "keep-alive" : "close")
        keepsAlive = ASCII.equalIgnoringCase(wish.utf8, "keep-alive".utf8)
        self.headers = headers
    }

    /// Just after the empty line that ends a head.
    private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
        let searched = bytes.prefix(longest + 4)
        var newlines = 0
        for index in searched.indices {
            switch searched[index] {
            case 0x0A: newlines += 1
            case 0x0D: continue
            default: newlines = 0
            }
            if newlines == 2 { return index + 1 }
        }
        return nil
    }

    private static func lines(of head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
    }
}
