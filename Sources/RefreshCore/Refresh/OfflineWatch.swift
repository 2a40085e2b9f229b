/// Tells a host without network from upstreams that fail (refresh policy 2.3).
///
/// Three origins within half a minute that cannot be resolved or reached, and no answer from anywhere between: the host
/// is offline. One probe at growing pauses then stands for all feeds, until something answers.
package struct OfflineWatch: Sendable {
    private struct Sign: Sendable {
        let feed: FeedID
        let origin: Origin
        let at: BootTime
    }

    package enum Effect: Sendable, Equatable {
        case none
        /// The host is offline; the failures of these feeds are its own.
        case wentOffline([FeedID])
        /// Something answered: what waited starts, spread.
        case cameBack
    }

    private var signs: [Sign] = []
    private var probes = 0
    /// When the next probe may start; nil while the host is online.
    package private(set) var nextProbe: BootTime?
    /// Failures before are not counted: the host has just woken up.
    private var graceUntil: BootTime?

    private static let window: Duration = .seconds(30)
    private static let origins = 3
    private static let firstPause: Duration = .seconds(5)
    private static let longestPause: Duration = .seconds(300)
    /// After a resume networks take their time.
    private static let grace: Duration = .seconds(60)

    package init() {}

    package var isOffline: Bool { nextProbe != nil }

    /// Whether a failure at `now` is held against its feed.
    package func counts(_ failure: RefreshFailure, at now: BootTime) -> Bool {
        if isOffline, failure.hintsAtOffline { return false }
        return !(failure.isNetwork && graceUntil.map { now < $0 } ?? false)
    }

    package mutating func failed(
        _ feed: FeedID, at origin: Origin, _ failure: RefreshFailure, now: BootTime
    ) -> Effect {
        guard failure.hintsAtOffline else {
            // An answer, whatever it says, came over the network; a refused connection did too.
            return failure.isNetwork && failure.code != "connection-refused" ? .none : answered()
        }
        if isOffline {
            probed(at: now)
            return .none
        }
        signs.removeAll { now - $0.at > OfflineWatch.window || $0.feed == feed }
        signs.append(Sign(feed: feed, origin: origin, at: now))
        guard Set(signs.map(\.origin)).count >= OfflineWatch.origins else { return .none }
        let feeds = signs.map(\.feed)
        signs = []
        probes = 0
        probed(at: now)
        return .wentOffline(feeds)
    }

    package mutating func answered() -> Effect {
        signs = []
        guard isOffline else { return .none }
        nextProbe = nil
        probes = 0
        return .cameBack
    }

    /// The host slept and may have no network yet.
    package mutating func resumed(at now: BootTime) { graceUntil = now + OfflineWatch.grace }

    /// A probe has started: the next one comes later, also where this one never ends.
    package mutating func probed(at now: BootTime) {
        nextProbe = now + min(Backoff.doubled(OfflineWatch.firstPause, times: probes), Self.longestPause)
        probes += 1
    }
}
