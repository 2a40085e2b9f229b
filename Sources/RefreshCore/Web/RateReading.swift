/// What an answer says of a rate limit (draft-ietf-httpapi-ratelimit-headers and the `X-` names that came before it).
package struct RateReading: Sendable, Equatable {
    /// Requests that are left until the reset.
    package let remaining: Int?
    /// Requests in a whole window.
    package let limit: Int?
    /// From now.
    package let reset: Duration?

    package init(remaining: Int?, limit: Int? = nil, reset: Duration?) {
        self.remaining = remaining
        self.limit = limit
        self.reset = reset
    }

    /// The longest window that is believed.
    private static let longest: Duration = .seconds(7 * 86_400)

    private static let remainingNames = [
        "ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining",
        "x-ratelimit-requests-remaining",
    ]
    private static let limitNames = ["ratelimit-limit", "x-ratelimit-limit", "x-rate-limit-limit"]
    private static let resetNames = [
        "ratelimit-reset", "x-ratelimit-reset-after", "x-ratelimit-reset", "x-rate-limit-reset",
        "x-ratelimit-requests-reset",
    ]

    /// Nil where nothing is said, or nothing that can be used.
    package init?(_ headers: HTTPHeaders, as form: RateHeaders = .auto, now: Timestamp) {
        switch form {
        case .off: return nil
        case .auto:
            if let combined = headers.first("ratelimit").flatMap(RateReading.combined) {
                self = combined
                return
            }
            remaining = RateReading.number(headers, RateReading.remainingNames)
            limit = RateReading.number(headers, RateReading.limitNames)
            reset = RateReading.first(headers, RateReading.resetNames).flatMap {
                // These two are seconds from now by their definition; all others are told by size.
                $0.name == "ratelimit-reset" || $0.name.hasSuffix("-after")
                    ? RateReading.time($0.value, as: .delta, now: now)
                    : RateReading.time($0.value, as: nil, now: now)
            }
        case .named(let remainingName, let resetName, let resetForm):
            remaining = RateReading.number(headers, [remainingName])
            limit = nil
            reset = headers.first(resetName).flatMap { RateReading.time($0, as: resetForm, now: now) }
        }
        if remaining == nil { return nil }
    }

    /// How long to wait before the next request; nil while there is something left.
    package var pause: Duration? { remaining == 0 ? reset : nil }

    // MARK: - Reading

    private static func first(_ headers: HTTPHeaders, _ names: [String]) -> (name: String, value: String)? {
        for name in names {
            if let value = headers.first(name) { return (name, value) }
        }
        return nil
    }

    private static func number(_ headers: HTTPHeaders, _ names: [String]) -> Int? {
        first(headers, names).flatMap { leading(Array($0.value.utf8)[...]) }
    }

    /// The digits at the start: some servers append a policy, as in `100, 100;w=60`.
    private static func leading(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = ASCII.trimmed(bytes).prefix(while: ASCII.isDigit)
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    /// A reset in whole or broken seconds, or in milliseconds: less than 10^9 is a time from now, less than 10^12
    /// seconds since 1970, more are milliseconds.
    private static func time(_ text: String, as form: RateHeaders.ResetForm?, now: Timestamp) -> Duration? {
        guard let value = Double(text), value >= 0, value.isFinite else {
            guard let date = Timestamp(httpDate: Array(text.utf8), now: now) else { return nil }
            return bounded(date - now)
        }
        let form = form ?? (value < 1e9 ? .delta : value < 1e12 ? .epoch : .epochMilliseconds)
        let most = min(value, 1e15)
        return switch form {
        case .delta: bounded(.milliseconds(Int64(most * 1_000)))
        case .epoch: bounded(Timestamp(milliseconds: Int64(most * 1_000)) - now)
        case .epochMilliseconds: bounded(Timestamp(milliseconds: Int64(most)) - now)
        }
    }

    private static func bounded(_ duration: Duration) -> Duration { min(max(duration, .zero), longest) }

    /// `limit=100, remaining=50, reset=30` of earlier drafts, or `"name";r=50;t=30` of later ones.
    private static func combined(_ value: String) -> RateReading? {
        var found: [String: Int] = [:]
        for part in value.utf8.split(whereSeparator: { $0 == 0x2C || $0 == 0x3B }) {
            let pair = part.split(separator: 0x3D, maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = String(decoding: ASCII.trimmed(pair[0]).map(ASCII.lowercased), as: UTF8.self)
            // Of several policies the first one is the tightest.
            if found[name] == nil, let number = leading(Array(pair[1])[...]) { found[name] = number }
        }
        guard let remaining = found["remaining"] ?? found["r"] else { return nil }
        let reset = found["reset"] ?? found["t"]
        return RateReading(
            remaining: remaining, limit: found["limit"], reset: reset.map { bounded(.seconds($0)) })
    }
}
