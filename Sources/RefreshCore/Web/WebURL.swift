/// An absolute `http` or `https` URL, taken apart and normalised as far as every server agrees (RFC 3986, 6.2.2 and 6.2.3).
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable { case http, https }

    package let scheme: Scheme
    /// Lower case; an IPv6 literal keeps its brackets.
    package let host: String
    /// Nil is the scheme's own.
    package let port: Int?
    /// Starts with a slash.
    package let path: String
    /// Without the question mark.
    package let query: String?

    package init(scheme: Scheme, host: String, port: Int?, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port == (scheme == .http ? 80 : 443) ? nil : port
        self.path = path.isEmpty ? "/" : path
        self.query = query
    }

    package var origin: Origin {
        Origin(scheme: scheme, host: host, port: port ?? (scheme == .http ? 80 : 443))
    }

    package var description: String {
        "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(path)\(query.map { "?\($0)" } ?? "")"
    }
}

/// Scheme, host and port: the unit of politeness and of trust (RFC 6454).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
    package let scheme: WebURL.Scheme
    package let host: String
    package let port: Int

    package init(scheme: WebURL.Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    package var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}
