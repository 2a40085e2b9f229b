import RefreshCore

/// The header lines of one hop, checked: nothing in them can end a line early (threat T-U8).
struct RequestHead: Sendable, Equatable {
    /// As libcurl takes them.
    let lines: [String]
    /// Cookies of the file and of the credentials, which libcurl puts into one field with those of the jar.
    let cookie: String?

    /// Fields that libcurl or this module writes by itself.
    private static let reserved = [
        "accept-encoding", "connection", "content-length", "expect", "if-modified-since", "if-none-match",
        "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// - Parameter atHome: whether the hop goes to the origin that the file's headers are for.
    init(
        _ request: TransferRequest, atHome: Bool, method: String, hasBody: Bool
    ) throws(TransferFailure) {
        guard RequestHead.isToken(method) else {
            throw .badRequest(reason: "the method \"\(method)\" is no word")
        }
        var lines: [String] = []
        let own = RequestHead.fields(request, atHome: atHome, describesBody: hasBody || request.body == nil)
        for field in own.fields {
            try RequestHead.check(field)
            if !RequestHead.isNamed(field, "cookie") {
                lines.append(RequestHead.line(field.name, field.value))
            }
        }
        let cookies = own.all("cookie")
        cookie = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
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
        if hasBody {
            // Neither a type that nobody has named nor a round trip before the body.
            if own.first("content-type") == nil { lines.append("Content-Type:") }
            lines.append("Expect:")
        }
        self.lines = lines
    }

    /// The file's fields, and those of the credentials in the place of the file's own of the same name.
    ///
    /// - Parameter describesBody: false where a body that the file describes stays away.
    private static func fields(
        _ request: TransferRequest, atHome: Bool, describesBody: Bool
    ) -> HTTPHeaders {
        let credentials = atHome ? request.credentials : Credentials()
        var own = HTTPHeaders()
        for field in request.headers.fields where atHome || isNamed(field, "accept") {
            let isReplaced = credentials.headers.contains { isNamed(field, $0.name) }
            let isOfBody = ASCII.equalIgnoringCase(field.name.utf8.prefix(8), "content-".utf8)
            if !isReplaced && (describesBody || !isOfBody) { own.append(field.name, field.value) }
        }
        for field in credentials.headers { own.append(field.name, field.value) }
        for cookie in credentials.cookies { own.append("Cookie", "\(cookie.name)=\(cookie.value)") }
        return own
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
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
