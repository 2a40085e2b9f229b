import RefreshCore

/// Who may ask an origin now: a flight gives its turn back between the pages of its pass and waits for the next one,
/// so that a long pass never holds up others (refresh policy 2.5).
package protocol OriginTurns: Sendable {
    /// Gives the flight's turn at `origin` back and returns when it has the next one, not before `pause` has passed.
    ///
    /// Throws where there will be none: the daemon stops.
    func nextTurn(of feed: FeedID, at origin: Origin, after pause: Duration) async throws(TurnsEnded)
}

/// The daemon stops.
package struct TurnsEnded: Error {
    package init() {}
}
