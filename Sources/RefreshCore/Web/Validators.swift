/// What an origin gave to ask again conditionally, byte for byte as received (refresh policy V1).
package struct Validators: Sendable, Equatable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// A 200 replaces the set: a field that is absent is cleared (V2).
    package init(replacingWith headers: HTTPHeaders) {
        etag = headers.first("etag")
        lastModified = headers.first("last-modified")
    }

    /// A 304 updates the fields that it carries and keeps the others (RFC 9111, 4.3.4).
    package func merged(with headers: HTTPHeaders) -> Validators {
        Validators(
            etag: headers.first("etag") ?? etag, lastModified: headers.first("last-modified") ?? lastModified)
    }
}
