import RefreshCore

/// What every request has to satisfy before anybody looks at what it wants.
enum RequestRules {
    static let longestTarget = 8 * 1_024
    static let longestHead = 16 * 1_024
    static let longestBody = 1_024 * 1_024

    /// Nil where the request may go on.
    ///
    /// - Parameters:
    ///   - target: nil where it could not be decoded.
    ///   - targetLength: bytes of the target as sent.
    ///   - headLength: bytes of the whole head as sent.
    static func refusal(
        target: RequestTarget?, targetLength: Int, headLength: Int, head: RequestHead
    ) -> Problem? {
        if targetLength > longestTarget {
            return Problem(.uriTooLong, "the target has \(targetLength) bytes; \(longestTarget) is the limit")
        }
        if headLength > longestHead {
            return Problem(.headTooLarge, "the head has \(headLength) bytes; \(longestHead) is the limit")
        }
        if let refusal = framing(head) { return refusal }
        guard let target else {
            return Problem(
                .badTarget, "the target is not a path with well-formed percent-encoding (RFC 3986, 2.1)")
        }
        return origin(head, target)
    }

    /// Two lengths, or a length beside chunks, mean different ends to different readers (RFC 9112, 6.3).
    private static func framing(_ head: RequestHead) -> Problem? {
        if head.contentLengths.count > 1 {
            return Problem(.ambiguousLength, "Content-Length stands more than once")
        }
        if !head.transferEncodings.isEmpty, !head.contentLengths.isEmpty {
            return Problem(.ambiguousLength, "Content-Length stands beside Transfer-Encoding")
        }
        if head.hidesItsEnd {
            return Problem(
                .ambiguousLength,
                "a field that says where the request ends is folded, or has something behind its name")
        }
        let chunked = head.transferEncodings.allSatisfy { ASCII.equalIgnoringCase($0, "chunked".utf8) }
        if head.transferEncodings.count > 1 || !chunked {
            return Problem(.ambiguousLength, "chunked is the only Transfer-Encoding that is understood")
        }
        guard let length = head.contentLengths.first else { return nil }
        guard !length.isEmpty, length.allSatisfy(ASCII.isDigit) else {
            return Problem(.ambiguousLength, "Content-Length is not a number")
        }
        let bytes = Int(String(decoding: length, as: UTF8.self)) ?? .max
        return bytes > longestBody ? tooLarge : nil
    }

    static let tooLarge = Problem(.bodyTooLarge, "the body is larger than \(longestBody) bytes")

    private static func origin(_ head: RequestHead, _ target: RequestTarget) -> Problem? {
        if head.isFromBrowserPage {
            return Problem(.foreignOrigin, "requests of web pages (with Origin or Referer) are refused")
        }
        if !head.hosts.allSatisfy(isOurs) || target.authority.map(isOurs) == false {
            return Problem(.foreignOrigin, "the Host must be localhost, refreshd or empty")
        }
        return nil
    }

    /// Whether the head alone is one of our own clients'.
    static func isAllowed(_ head: RequestHead) -> Bool {
        !head.isFromBrowserPage && head.hosts.allSatisfy(isOurs)
    }

    private static let localhost = Array("localhost".utf8)

    private static func isOurs(_ host: [UInt8]) -> Bool {
        // What nearly everybody sends.
        if host == localhost { return true }
        let host = ASCII.trimmed(host)
        return host.isEmpty || ASCII.equalIgnoringCase(host, "localhost".utf8)
            || ASCII.equalIgnoringCase(host, "refreshd".utf8)
    }

    /// Nil where the body of a POST that has found its route may be read for what it says.
    static func refusal(ofBody head: RequestHead) -> Problem? {
        let type = head.contentType.map { ASCII.trimmed($0.prefix { $0 != UInt8(ascii: ";") }) }
        guard let type, ASCII.equalIgnoringCase(type, "application/json".utf8) else {
            return Problem(.unsupportedMediaType, "POST needs Content-Type: application/json")
        }
        return nil
    }
}
