import RefreshCore

/// The header lines of one hop, checked: nothing in them can end a line early (threat T-U8).
struct RequestHead: Sendable, Equatable {
    /// As libcurl takes them.
    let lines: [String]

    /// Fields that libcurl or this module writes by itself.
    private static let reserved = [
        "accept-encoding", "connection", "content-length", "expect", "if-modified-since", "if-none-match",
        "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Parameter atHome: whether the hop goes to the origin that the file's headers are for.
    init(_ request: TransferRequest, atHome: Bool) throws(TransferFailure) {
        guard RequestHead.isToken(request.method) else {
            throw .badRequest(reason: "the method \"\(request.method)\" is no word")
        }
        var lines: [String] = []
        var own: HTTPHeaders = HTTPHeaders()
        for field in request.headers.fields where atHome || RequestHead.isNamed(field, "accept") {
            try RequestHead.check(field)
            own.append(field.name, field.value)
            lines.append(RequestHead.line(field.name, field.value))
        }
        if own.first("user-agent") == nil {
            try RequestHead.check(.init(name: "User-Agent", value: request.userAgent))
            lines.append(RequestHead.line("User-Agent", request.userAgent))
        }
        // Always the same, since it decides what a validator stands for (policy V4).
        lines.append("Accept-Encoding: gzip")
        for (name, value) in [
            ("If-None-Match", request.validators.etag),
            ("If-Modified-Since", request.validators.lastModified),
        ] {
            if let value, RequestHead.isClean(value) { lines.append(RequestHead.line(name, value)) }
        }
        if request.body != nil {
            // Neither a type that nobody has named nor a round trip before the body.
            if own.first("content-type") == nil { lines.append("Content-Type:") }
            lines.append("Expect:")
        }
        self.lines = lines
    }

    private static func line(_ name: String, _ value: String) -> String {
        // To libcurl, a name with a colon and nothing behind it is a header to leave out.
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }

    private static func isNamed(_ field: HTTPHeaders.Field, _ name: String) -> Bool {
        ASCII.equalIgnoringCase(field.name.utf8, name.utf8)
    }

    private static func check(_ field: HTTPHeaders.Field) throws(TransferFailure) {
        guard isToken(field.name) else {
            throw .badRequest(reason: "\"\(printable(field.name))\" is no name of a header")
        }
        guard isClean(field.value) else {
            throw .badRequest(reason: "the header \"\(field.name)\" holds a control character")
        }
        if reserved.contains(where: { isNamed(field, $0) }) {
            throw .badRequest(reason: "the header \"\(field.name)\" is not for the file to set")
        }
    }

    private static func printable(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }

    /// No control character but the tab (RFC 9110, 5.5).
    private static func isClean(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }
}
