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
        return progress
    }

    static let counts = StoredCounts(epoch: Epoch(7), seq: 3, items: 3, bytes: 60)

    static func machine(
        every: Duration? = .seconds(300), minGap: Duration = .seconds(60), enabled: Bool = true,
        progress: FeedProgress = FeedProgress(), at seconds: Int = 0, spread: Duration = .seconds(7)
    ) -> FeedMachine {
        FeedMachine(
            schedule: Schedule(every: every, jitter: 0.1, minGap: minGap), enabled: enabled,
            progress: progress,
            store: counts, at: moment(seconds), spread: spread)
    }
}
