/// A status code of HTTP (RFC 9110, 15).
package struct Status: Sendable, Equatable {
    package let code: Int

    static let ok = Status(code: 200)
    static let notModified = Status(code: 304)
    static let badRequest = Status(code: 400)
    static let forbidden = Status(code: 403)
    static let notFound = Status(code: 404)
    static let methodNotAllowed = Status(code: 405)
    static let gone = Status(code: 410)
    static let headTooLong = Status(code: 431)

    /// Those that somebody may ask for by number have one too, where it is well known.
    var reason: String {
        switch code {
        case 200: "OK"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        // A client must not need it (RFC 9112, 4).
        default: "Status \(code)"
        }
    }
}
