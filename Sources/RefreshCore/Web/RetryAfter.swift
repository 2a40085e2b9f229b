/// How long a server asks to be left alone (`Retry-After`, RFC 9110, 10.2.3).
package enum RetryAfter {
    /// No wait is longer, whatever a server says (refresh policy 2.3).
    package static let longest: Duration = .seconds(7 * 86_400)

    /// Seconds or an HTTP-date in any form, from 0 to `longest`; nil for all else, as if the field were absent.
    package static func parse(_ value: String, now: Timestamp) -> Duration? {
        let text = ASCII.trimmed(Array(value.utf8))
        guard !text.isEmpty else { return nil }
        if text.allSatisfy(ASCII.isDigit) {
            // What no integer holds is a very long time all the same.
            let seconds = Int64(String(decoding: text, as: UTF8.self)) ?? .max
            return min(.seconds(min(seconds, 7 * 86_400)), longest)
        }
        guard let date = Timestamp(httpDate: text, now: now) else { return nil }
        return min(max(date - now, .zero), longest)
    }
}
