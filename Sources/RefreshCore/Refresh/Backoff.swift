/// How long a feed is left alone after failures in a row (refresh policy 2.3).
package enum Backoff {
    /// No wait that an upstream asks for is longer.
    package static let longestRetryAfter: Duration = .seconds(7 * 86_400)

    /// The delay before the next try.
    ///
    /// - Parameters:
    ///   - count: failures in a row, this one included; at least 1.
    ///   - every: the feed's interval.
    package static func delay(after failure: RefreshFailure, count: Int, every: Duration) -> Duration {
        let longest = max(.seconds(86_400), every)
        let own = min(grown(failure, count: count, every: every), longest)
        guard let asked = failure.retryAfter else { return own }
        return max(own, min(max(asked, .seconds(1)), longestRetryAfter))
    }

    private static func grown(_ failure: RefreshFailure, count: Int, every: Duration) -> Duration {
        switch failure.class {
        case .transient where failure.status == nil, .offline:
            // A lost packet is common and short: a few quick tries before the interval grows.
            count <= 3 ? doubled(.seconds(60), times: 2 * (count - 1)) : doubled(every, times: count - 3)
        case .auth, .config, .upstream, .rate:
            // Nobody mends a refused request within the hour.
            doubled(max(every, .seconds(3_600)), times: count - 1)
        case .transient, .data, .loop, .internal:
            doubled(every, times: count - 1)
        }
    }

    private static func doubled(_ duration: Duration, times: Int) -> Duration {
        // 2^20 intervals are beyond every bound, and the product cannot overflow.
        duration * (1 << min(max(times, 0), 20))
    }
}
