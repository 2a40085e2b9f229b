/// How long a feed is left alone after failures in a row (refresh policy 2.3).
package enum Backoff {
    /// No wait that an upstream asks for is longer.
    package static let longestRetryAfter: Duration = .seconds(7 * 86_400)

    /// The delay before the next try of the feed itself; what its origin is held for comes on top.
    ///
    /// - Parameters:
    ///   - count: failures in a row, this one included; at least 1.
    ///   - every: the feed's interval.
    package static func delay(after failure: RefreshFailure, count: Int, every: Duration) -> Duration {
        let longest = max(.seconds(86_400), every)
        return min(grown(failure, count: count, every: every), longest)
    }

    private static func grown(_ failure: RefreshFailure, count: Int, every: Duration) -> Duration {
        if failure.asksForPause { return every }
        return switch failure.class {
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

    /// `duration` doubled so many times; beyond 2^20 it grows no more, so that the product cannot overflow.
    static func doubled(_ duration: Duration, times: Int) -> Duration {
        duration * (1 << min(max(times, 0), 20))
    }
}

extension RefreshFailure {
    /// Whether the upstream wants to be left alone for a while: 429, or 503 and 403 with `Retry-After`.
    package var asksForPause: Bool { self.class == .rate || (status == 503 && retryAfter != nil) }

    /// Whether no answer came: the name, the connection, the transfer, or the host's own network failed.
    package var isNetwork: Bool {
        self.class == .offline || (self.class == .transient && status == nil && !isLateAnswer)
    }

    /// 408 and 425 are answers: they count as network for the feed, but prove that the origin is there.
    private var isLateAnswer: Bool { code == "http-408" || code == "http-425" }

    /// Whether this looks like the host's own network: no name can be resolved, or there is no route.
    package var hintsAtOffline: Bool {
        self.class == .offline || code == "dns-failed" || code == "unreachable"
    }

    package var saysGone: Bool { status == 410 }
}
