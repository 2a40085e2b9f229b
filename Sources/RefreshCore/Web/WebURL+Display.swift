extension WebURL {
    /// The URL for people: a query may hold what is nobody's business, so that only its presence is shown.
    package var display: String {
        let whole = WebURL(scheme: scheme, host: host, port: port, path: path, query: nil).description
        return query == nil ? whole : "\(whole)?…"
    }
}
