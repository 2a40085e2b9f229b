/// What is known of an origin's patience, kept over a restart (refresh policy 2.1, 2.3).
package struct OriginProgress: Sendable, Equatable {
    /// Nothing starts at the origin before.
    package private(set) var gateUntil: Timestamp?
    /// Answers in a row that asked for a pause: k of the policy.
    package private(set) var gateCount: Int
    /// The start of the last request.
    package var lastStart: Timestamp?
    /// Requests in a row that got no answer.
    package private(set) var networkFailures: Int
    /// Holds in a row for want of an answer: m of the policy.
    package private(set) var holds: Int

    package init(
        gateUntil: Timestamp? = nil, gateCount: Int = 0, lastStart: Timestamp? = nil,
        networkFailures: Int = 0, holds: Int = 0
    ) {
        self.gateUntil = gateUntil
        self.gateCount = gateCount
        self.lastStart = lastStart
        self.networkFailures = networkFailures
        self.holds = holds
    }

    /// Nothing here is worth keeping.
    package var isIdle: Bool { gateUntil == nil && gateCount == 0 && networkFailures == 0 }

    private static let longestHold: Duration = .seconds(900)

    /// What comes of a failure: until when the origin is held by it, or nil.
    package mutating func failed(_ failure: RefreshFailure, at now: Timestamp) -> Timestamp? {
        if failure.asksForPause { return asked(failure.retryAfter, at: now) }
        guard failure.isNetwork else {
            // It answered, whatever it said.
            (networkFailures, holds) = (0, 0)
            return nil
        }
        networkFailures += 1
        guard networkFailures >= 2 else { return nil }
        holds += 1
        return hold(until: now + min(Backoff.doubled(.seconds(60), times: holds - 1), Self.longestHold))
    }

    /// The upstream asked for a pause, with its length or without.
    @discardableResult
    package mutating func asked(_ pause: Duration?, at now: Timestamp) -> Timestamp {
        (networkFailures, holds) = (0, 0)
        gateCount += 1
        var wait: Duration
        if let pause {
            wait = max(pause, .seconds(1))
            // Who names a pause three times in a row and refuses after it needs a longer one.
            if gateCount >= 3 { wait = max(wait, Backoff.doubled(.seconds(600), times: gateCount - 3)) }
        } else {
            wait = Backoff.doubled(.seconds(600), times: gateCount - 1)
        }
        return hold(until: now + min(wait, Backoff.longestRetryAfter))
    }

    /// A rate limit is used up until `time`; no fault of anybody's.
    @discardableResult
    package mutating func hold(until time: Timestamp) -> Timestamp {
        let later = max(gateUntil ?? time, time)
        gateUntil = later
        return later
    }

    package mutating func succeeded() {
        (gateCount, networkFailures, holds) = (0, 0, 0)
    }

    /// The gate has opened; what led to it still counts.
    package mutating func opened() { gateUntil = nil }
}

/// Where the state of origins is kept over a restart.
package protocol OriginMemory: Sendable {
    func origins() async -> [Origin: OriginProgress]

    /// Keeps `changes`; an idle one may be forgotten.
    func save(_ changes: [Origin: OriginProgress]) async
}

/// Where pauses of operators are kept: not in the cache, which may be lost.
package protocol PauseMemory: Sendable {
    func paused() async -> Set<FeedID>
    func save(_ feed: FeedID, paused: Bool) async
}
