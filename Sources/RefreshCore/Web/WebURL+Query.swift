extension WebURL {
    /// The URL with `params` behind its own query, each encoded for its place (threat T-U8).
    ///
    /// - Parameter onlyAbsent: leave out names that the query has already, as a link of the upstream may.
    package func adding(params: [(name: String, value: String)], onlyAbsent: Bool = false) -> WebURL {
        let wanted = onlyAbsent ? params.filter { !hasParam($0.name) } : params
        guard !wanted.isEmpty else { return self }
        let added = wanted.map { "\(PercentText.encoded($0.name))=\(PercentText.encoded($0.value))" }
        let own = query.map { $0.isEmpty ? [] : [$0] } ?? []
        return WebURL(
            scheme: scheme, host: host, port: port, path: path, query: (own + added).joined(separator: "&"))
    }

    /// Whether the query has a parameter of this name, however it is encoded.
    package func hasParam(_ name: String) -> Bool {
        guard let query else { return false }
        return query.utf8.split(separator: UInt8(ascii: "&")).contains { field in
            let spelled = field.prefix { $0 != UInt8(ascii: "=") }.map { $0 == 0x2B ? 0x20 : $0 }
            return PercentText.decoded(spelled)?.elementsEqual(name.utf8) ?? false
        }
    }
}
