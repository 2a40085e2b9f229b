import RefreshCore

extension HTTPFreshness {
    /// What the head of an answer says of how long it holds (RFC 9111, 4.2; refresh policy 2.2, 3).
    package init(_ headers: HTTPHeaders, now: Timestamp) {
        let directives = CacheDirectives(headers: headers)
        if directives.noStore || directives.noCache {
            self = .lasting(.zero)
        } else if let maxAge = directives.maxAge {
            let age = headers.first("age").flatMap { Int64($0) } ?? 0
            self = .lasting(max(.zero, maxAge - .seconds(min(max(age, 0), 1 << 31))))
        } else if let expires = headers.first("expires") {
            let date = headers.first("date").flatMap { Timestamp(httpDate: Array($0.utf8), now: now) } ?? now
            let end = Timestamp(httpDate: Array(expires.utf8), now: now)
            self = .lasting(max(.zero, end.map { $0 - date } ?? .zero))
        } else {
            self = .silent
        }
    }
}
