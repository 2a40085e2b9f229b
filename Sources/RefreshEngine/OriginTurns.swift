import RefreshCore

/// Who may ask an origin now: a flight gives its turn back between the pages of its pass and waits for the next one,
/// so that a long pass never holds up others (refresh policy 2.5).
package protocol OriginTurns: Sendable {
    /// Gives the turn of one lane of the flight at `origin` back, if it has one, and returns when it has the next one,
    /// not before `pause` has passed. A flight starts with a turn in lane 0; other lanes are requests beside it.
    ///
    /// Throws where there will be none: the daemon stops.
    func nextTurn(
        of feed: FeedID, at origin: Origin, lane: Int, after pause: Duration
    ) async throws(TurnsEnded)

    /// Gives the turn of a lane back that has nothing to ask while others go on.
    func rest(of feed: FeedID, lane: Int) async

    /// An answer to `feed` told what is left of a rate limit.
    func noted(_ reading: RateReading, of feed: FeedID, at origin: Origin) async

    /// An answer in the middle of a pass asked for a pause, with its length or without: nobody asks the origin before.
    ///
    /// Returns how long that is, for who goes on by `nextTurn` after it.
    func asked(_ pause: Duration?, of feed: FeedID, at origin: Origin) async -> Duration

    /// Gives the turn of a lane at `origin` back for as long as it asks somebody else; what its request draws on stays
    /// its own.
    func giveBack(of feed: FeedID, at origin: Origin, lane: Int) async

    /// Returns when the lane has the turn again that it gave back. Throws where there will be none.
    func takeAgain(of feed: FeedID, at origin: Origin, lane: Int) async throws(TurnsEnded)
}

extension OriginTurns {
    package func rest(of feed: FeedID, lane: Int) async {}
    package func noted(_ reading: RateReading, of feed: FeedID, at origin: Origin) async {}
    package func asked(_ pause: Duration?, of feed: FeedID, at origin: Origin) async -> Duration {
        pause ?? .zero
    }
    package func giveBack(of feed: FeedID, at origin: Origin, lane: Int) async {}
    package func takeAgain(of feed: FeedID, at origin: Origin, lane: Int) async throws(TurnsEnded) {}
}

/// The daemon stops.
package struct TurnsEnded: Error {
    package init() {}
}
