import RefreshCore
import TestSupport

/// Small values that the tests of schedules share.
enum Samples {
    static let start = ManualTime().now()

    static func moment(_ seconds: Int) -> Moment { start + .seconds(seconds) }

    static func feed(_ name: String) -> FeedID {
        guard let feed = FeedID(name) else { preconditionFailure("\(name) is no feed name") }
        return feed
    }

    static func origin(_ host: String) -> Origin { Origin(scheme: .https, host: host, port: 443) }

    static let network = RefreshFailure(.transient, code: "connect-refused", detail: "refused")
    static let outage = RefreshFailure(.transient, code: "http-503", detail: "503", status: 503)
    static let missing = RefreshFailure(.upstream, code: "http-404", detail: "404", status: 404)

    /// Progress of a feed that succeeded at `seconds` and is due `every` later.
    static func progress(succeededAt seconds: Int, every: Int = 300) -> FeedProgress {
        var progress = FeedProgress()
        progress.lastAttempt = moment(seconds).wall
        progress.lastDone = moment(seconds).wall + .milliseconds(100)
        progress.lastSuccess = moment(seconds).wall
        progress.due = moment(seconds + every).wall
        progress.dueRule = .every
        return progress
    }

    static let counts = StoredCounts(epoch: Epoch(7), seq: 3, items: 3, bytes: 60)

    static func machine(
        every: Duration? = .seconds(300), minGap: Duration = .seconds(60), enabled: Bool = true,
        progress: FeedProgress = FeedProgress(), at seconds: Int = 0, spread: Duration = .seconds(7)
    ) -> FeedMachine {
        machine(
            Schedule(every: every, jitter: 0.1, minGap: minGap), enabled: enabled, progress: progress,
            at: seconds, spread: spread)
    }

    static func machine(
        _ schedule: Schedule, enabled: Bool = true, progress: FeedProgress = FeedProgress(),
        at seconds: Int = 0, spread: Duration = .seconds(7)
    ) -> FeedMachine {
        FeedMachine(
            policy: Shared(FetchPolicy(schedule: schedule)), enabled: enabled, progress: progress,
            store: counts, at: moment(seconds), spread: spread)
    }
}

extension FeedMachine {
    mutating func wish(_ mode: RefreshMode, at now: Moment) -> Reply { wish(RefreshWish(mode), at: now) }

    /// Queues the feed, starts it, and lets it land at once with what `end` makes of its order.
    mutating func fly(
        at now: Moment, chance: Double = 0, _ end: (FetchOrder) -> FeedProgress
    ) -> FetchOrder? {
        guard tick(at: now) || wish(.now, at: now) == .enqueue, let order = take(at: now, chance: chance)
        else { return nil }
        landed(order.learnt(end(order)), store: nil, at: now)
        return order
    }
}

extension Randomness {
    /// The time until the next event of a Poisson process with this mean, in seconds.
    mutating func exponential(_ mean: Double) -> Double {
        // -ln(u), by halving until the rest is small: the tests need no mathematical library.
        var rest = 1 - unit()
        var sum = 0.0
        while rest < 0.5 {
            rest *= 2
            sum += 0.693_147_180_559_945_3
        }
        let x = (1 - rest) / (1 + rest)
        var (term, series) = (x, 0.0)
        for power in stride(from: 1.0, through: 41, by: 2) {
            series += term / power
            term *= x * x
        }
        return mean * (sum + 2 * series)
    }
}
