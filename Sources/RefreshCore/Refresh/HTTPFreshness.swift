/// What an answer's head says of how long it holds (refresh policy 2.2, 3).
package enum HTTPFreshness: Sendable, Equatable {
    /// Nothing; what an earlier answer said still counts.
    case silent
    /// So long from now, by `Cache-Control`; zero of `no-store`, `no-cache` and `max-age=0`.
    case lasting(Duration)
    /// So long from now, by `Expires`; zero of a date that has passed or is none.
    case expiring(Duration)

    /// Reads the head of an answer (RFC 9111, 4.2.1).
    ///
    /// - Parameter now: when it came; stands for the answer's own `Date` where that is missing.
    package init(_ headers: HTTPHeaders, now: Timestamp) {
        let directives = CacheDirectives(headers: headers)
        if directives.noStore || directives.noCache {
            self = .lasting(.zero)
        } else if let maxAge = directives.maxAge {
            self = .lasting(max(maxAge - AgeHeader.value(headers), .zero))
        } else if let expires = headers.first("expires") {
            // Measured against the answer's own clock, not ours; what is no date has passed (5.3).
            let date = headers.first("date").flatMap { Timestamp(httpDate: Array($0.utf8), now: now) } ?? now
            let end = headers.all("expires").count > 1 ? nil : HTTPFreshness.date(expires, now: now)
            self = .expiring(max(end.map { $0 - date } ?? .zero, .zero))
        } else {
            self = .silent
        }
    }

    /// A date in one of the three forms, to the letter: an end that is not clear has passed (RFC 9111, 4.2).
    private static func date(_ text: String, now: Timestamp) -> Timestamp? {
        let bytes = Array(text.utf8)
        let hasDashes = bytes.contains(UInt8(ascii: "-"))
        let isLong = bytes.prefix { $0 != UInt8(ascii: ",") }.count > 3
        // The form with dashes writes the weekday out (RFC 9110, 5.6.7).
        if hasDashes && !isLong { return nil }
        let last = bytes.suffix(3)
        if last.allSatisfy(ASCII.isLetter), !ASCII.equalIgnoringCase(last, "gmt".utf8) { return nil }
        return Timestamp(httpDate: bytes, now: now)
    }
}
