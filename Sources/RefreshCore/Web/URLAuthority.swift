/// Host and port of a URL (RFC 3986, 3.2).
enum URLAuthority {
    static func read(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) -> (host: String, port: Int?) {
        if bytes.contains(0x40) {
            throw WebURL.Failure(
                offset: bytes.startIndex,
                message: #"user name and password do not belong into a URL; put them under "auth""#)
        }
        if let backslash = bytes.firstIndex(of: 0x5C) { throw PercentEncoding.backslash(at: backslash) }
        let host: ArraySlice<UInt8>
        if bytes.first == 0x5B {
            guard let end = bytes.firstIndex(of: 0x5D) else {
                throw WebURL.Failure(offset: bytes.startIndex, message: #"IPv6 address without its "]""#)
            }
            host = bytes[...end]
        } else {
            host = bytes.prefix { $0 != 0x3A }
        }
        let port = try readPort(bytes[host.endIndex...])
        return (host.first == 0x5B ? try ipv6(host) : try name(host), port)
    }

    /// Nothing, or a colon with or without a number (3.2.3).
    private static func readPort(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) -> Int? {
        guard let colon = bytes.first else { return nil }
        guard colon == 0x3A else {
            throw WebURL.Failure(offset: bytes.startIndex, message: "only a port may follow an address")
        }
        let digits = bytes.dropFirst()
        guard !digits.isEmpty else { return nil }
        if let other = digits.firstIndex(where: { !ASCII.isDigit($0) }) {
            let message =
                bytes[other] == 0x3A
                ? "an IPv6 address stands in brackets, as in http://[::1]/" : "a port is a number"
            throw WebURL.Failure(offset: other, message: message)
        }
        let significant = digits.drop { $0 == 0x30 }
        let port = significant.prefix(6).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (1...65_535).contains(port) else {
            throw WebURL.Failure(offset: digits.startIndex, message: "a port is between 1 and 65535")
        }
        return port
    }

    private static func ipv6(_ host: ArraySlice<UInt8>) throws(WebURL.Failure) -> String {
        guard let address = HostAddress(host: String(decoding: host, as: UTF8.self)) else {
            throw WebURL.Failure(
                offset: host.startIndex,
                message: host.contains(0x25)
                    ? "addresses with a zone are not fetched; write one without" : "no IPv6 address")
        }
        return address.text
    }

    private static func name(_ host: ArraySlice<UInt8>) throws(WebURL.Failure) -> String {
        guard !host.isEmpty else {
            throw WebURL.Failure(offset: host.startIndex, message: "missing host")
        }
        if let offset = host.firstIndex(where: { !isNameByte($0) }) {
            let message =
                switch host[offset] {
                case 0x80...: "host with letters beyond ASCII; write it in punycode (xn--…)"
                case 0x25: "a host has no percent-encoding; write it in punycode (xn--…)"
                default: "a host has letters, digits, hyphens and points only"
                }
            throw WebURL.Failure(offset: offset, message: message)
        }
        // A point at the end is the root, and no label.
        let labels = (host.last == 0x2E ? host.dropLast() : host)
            .split(separator: 0x2E, omittingEmptySubsequences: false)
        guard host.count <= 254, labels.allSatisfy({ (1...63).contains($0.count) }) else {
            throw WebURL.Failure(
                offset: host.startIndex, message: "a host's parts have 1 to 63 letters, 253 in all")
        }
        if let last = labels.last, looksNumeric(last), HostAddress.readIPv4(host) == nil {
            throw WebURL.Failure(
                offset: host.startIndex,
                message: "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1")
        }
        return String(decoding: host.map(ASCII.lowercased), as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    /// Whether C libraries would take a host that ends so for an address: `2130706433`, `127.1`, `0x7f.1`.
    private static func looksNumeric(_ label: ArraySlice<UInt8>) -> Bool {
        if label.allSatisfy(ASCII.isDigit) { return true }
        return label.count >= 2 && label.first == 0x30 && label[label.startIndex + 1] | 0x20 == 0x78
            && label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
    }
}
