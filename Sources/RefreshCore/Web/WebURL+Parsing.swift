/// URLs from texts (RFC 3986).
extension WebURL {
    /// Why a text is no URL that this daemon fetches.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead; it quotes no more than the scheme, so no secret.
        package let message: String

        package init(offset: Int, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// Reads an absolute URL that a person wrote.
    ///
    /// Refused are schemes but `http` and `https`, a missing or non-ASCII host, user names and passwords, control
    /// characters, spaces, backslashes in the path, and a percent sign that encodes nothing. Scheme and host become
    /// lower case, the scheme's own port goes, dot segments are resolved, percent-encodings get upper-case digits,
    /// and other bytes that RFC 3986 does not allow where they stand are percent-encoded. A fragment is dropped.
    package init(parsing text: String) throws(WebURL.Failure) {
        let bytes = Array(text.utf8)
        try WebURL.refuseControls(bytes[...])
        if let space = bytes.firstIndex(of: 0x20) {
            throw Failure(offset: space, message: #"a URL has no spaces; write "%20""#)
        }
        let parts = URLParts(bytes[...])
        try self.init(absolute: parts, encoding: PercentEncoding(isLenient: false))
    }

    /// The URL that `reference` means in a document from this one (RFC 3986, 5.2), its fragment dropped.
    ///
    /// References come from upstreams, so they are read as browsers do: white space around them is skipped, spaces
    /// inside and stray percent signs are encoded. What else `init(parsing:)` refuses is refused here.
    package func resolving(_ reference: String) throws(WebURL.Failure) -> WebURL {
        let bytes = Array(reference.utf8)
        let encoding = PercentEncoding(isLenient: true)
        let trimmed = ASCII.trimmed(bytes)
        try WebURL.refuseControls(trimmed)
        let parts = URLParts(trimmed)
        if parts.scheme != nil { return try WebURL(absolute: parts, encoding: encoding) }
        if let authority = parts.authority {
            return try WebURL(scheme: scheme, authority: authority, parts: parts, encoding: encoding)
        }
        let query = try parts.query.map { part throws(Failure) in try encoding.query(part) }
        if parts.path.isEmpty {
            return WebURL(scheme: scheme, host: host, port: port, path: path, query: query ?? self.query)
        }
        var merged = try encoding.path(parts.path)
        if merged.first != 0x2F {
            // 5.2.3: everything up to the base's last slash stays; a base of ours always has one.
            let base = Array(path.utf8)
            merged = base[...(base.lastIndex(of: 0x2F) ?? 0)] + merged
        }
        return WebURL(
            scheme: scheme, host: host, port: port, path: DotSegments.removed(from: merged), query: query)
    }

    /// Path and query, as they stand in a request line (RFC 9112, 3.2.1).
    package var requestTarget: String { query.map { "\(path)?\($0)" } ?? path }

    // MARK: - Pieces

    private init(absolute parts: URLParts, encoding: PercentEncoding) throws(WebURL.Failure) {
        guard let name = parts.scheme else {
            throw Failure(offset: parts.start, message: #"missing "https://" or "http://" at the start"#)
        }
        let spelled = String(decoding: name.map(ASCII.lowercased), as: UTF8.self)
        guard let scheme = Scheme(rawValue: spelled) else {
            // `host:8080` and `example.com:x` look like schemes and never are.
            let isHost = name.contains(0x2E) || parts.path.first.map(ASCII.isDigit) ?? false
            throw Failure(
                offset: parts.start,
                message: isHost
                    ? #"missing "https://" or "http://" at the start"#
                    : #"scheme "\#(spelled.prefix(32))" is not fetched; write an http or https URL"#)
        }
        guard let authority = parts.authority else {
            throw Failure(offset: name.endIndex, message: #"missing host; write "\#(spelled)://" and a host"#)
        }
        try self.init(scheme: scheme, authority: authority, parts: parts, encoding: encoding)
    }

    private init(
        scheme: Scheme, authority: ArraySlice<UInt8>, parts: URLParts, encoding: PercentEncoding
    ) throws(WebURL.Failure) {
        let (host, port) = try URLAuthority.read(authority)
        let path = try encoding.path(parts.path)
        let query = try parts.query.map { part throws(Failure) in try encoding.query(part) }
        self.init(
            scheme: scheme, host: host, port: port, path: DotSegments.removed(from: path), query: query)
    }

    private static func refuseControls(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) {
        if let offset = bytes.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw Failure(offset: offset, message: "a URL has no control characters or line ends")
        }
    }
}
