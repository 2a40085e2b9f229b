import RefreshCore

/// A proxy that a request goes through. It was named by the file, so its own address needs no leave; where it
/// connects to is its affair.
package struct ProxySettings: Sendable, Equatable {
    package enum Scheme: String, Sendable, CaseIterable {
        case http, https
        /// Names are resolved here, and by the proxy.
        case socks5, socks5h
    }

    /// Why a text names no proxy; it quotes nothing of it, since it may hold a password.
    package struct Failure: Error, Equatable, Sendable {
        package let message: String
    }

    let scheme: Scheme
    /// As in a URL: an IPv6 address keeps its brackets.
    let host: String
    let port: Int
    let user: String?
    let password: String?

    /// Reads `scheme://[user:password@]host:port`; user and password may be percent-encoded.
    package init(parsing text: String) throws(Failure) {
        guard let mark = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<mark.lowerBound].lowercased())
        else {
            throw Failure(
                message: "a proxy is written as http://, https://, socks5:// or socks5h:// with host and port"
            )
        }
        self.scheme = scheme
        var place = text.utf8[mark.upperBound...]
        if let at = place.lastIndex(of: UInt8(ascii: "@")) {
            (user, password) = try ProxySettings.login(place[..<at])
            place = place[place.index(after: at)...]
        } else {
            (user, password) = (nil, nil)
        }
        if place.last == UInt8(ascii: "/") { place = place.dropLast() }
        let digits = place.reversed().prefix(while: ASCII.isDigit)
        let isPlain = !place.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        }
        guard isPlain, !digits.isEmpty, place.dropLast(digits.count).last == UInt8(ascii: ":"),
            let url = try? WebURL(parsing: "http://\(String(decoding: place, as: UTF8.self))/")
        else { throw Failure(message: "a proxy needs a host and a port, as in http://proxy.example:3128") }
        host = url.host
        port = url.origin.port
    }

    private static func login(_ bytes: Substring.UTF8View) throws(Failure) -> (String, String) {
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        let secret = bytes.dropFirst(name.count + 1)
        guard let user = PercentText.decoded(name), let password = PercentText.decoded(secret),
            !(user + password).contains(0), !user.contains(UInt8(ascii: ":"))
        else { throw Failure(message: "user and password of a proxy are percent-encoded text") }
        return (String(decoding: user, as: UTF8.self), String(decoding: password, as: UTF8.self))
    }

    /// For libcurl and for messages: without user and password.
    var display: String { "\(scheme.rawValue)://\(host):\(port)" }
}
