import RefreshCore

/// What an answer's head says of a rate limit.
package struct RateHints: Sendable, Equatable {
    package let remaining: Int?
    /// How long until the limit is whole again.
    package let reset: Duration?

    /// The names that upstreams use, without an `x-` in front.
    private static let remainingNames = ["ratelimit-remaining", "rate-limit-remaining"]
    private static let resetNames = ["ratelimit-reset", "rate-limit-reset"]

    package init(_ headers: HTTPHeaders, plan: RateHeaders, now: Timestamp) {
        switch plan {
        case .off: (remaining, reset) = (nil, nil)
        case .named(let remainingName, let resetName, let form):
            remaining = headers.first(remainingName).flatMap(RateHints.count)
            reset = headers.first(resetName).flatMap { RateHints.reset($0, form, now) }
        case .auto:
            remaining = RateHints.first(RateHints.remainingNames, headers).flatMap(RateHints.count)
            reset = RateHints.first(RateHints.resetNames, headers).flatMap {
                RateHints.reset($0, nil, now)
            }
        }
    }

    private static func first(_ names: [String], _ headers: HTTPHeaders) -> String? {
        for name in names {
            if let value = headers.first(name) ?? headers.first("x-\(name)") { return value }
        }
        return nil
    }

    private static func count(_ text: String) -> Int? {
        let digits = ASCII.trimmed(Array(text.utf8)).prefix(while: ASCII.isDigit)
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    /// Seconds from now, or a moment in seconds or milliseconds; without a form the size tells which, since no two
    /// of them can be of one size.
    private static func reset(
        _ text: String, _ form: RateHeaders.ResetForm?, _ now: Timestamp
    ) -> Duration? {
        guard let number = count(text) else { return nil }
        let guess: RateHeaders.ResetForm =
            number < 1_000_000_000 ? .delta : number < 1_000_000_000_000 ? .epoch : .epochMilliseconds
        let wait: Duration =
            switch form ?? guess {
            case .delta: .seconds(min(number, 7 * 86_400))
            case .epoch: Timestamp(seconds: Int64(number)) - now
            case .epochMilliseconds: Timestamp(milliseconds: Int64(number)) - now
            }
        return min(max(wait, .zero), RetryAfter.longest)
    }
}
