import RefreshCore

/// Turns for who shares an origin with nobody: only the pause counts.
package struct FreeTurns: OriginTurns {
    private let time: any TimeSource

    package init(time: any TimeSource) { self.time = time }

    package func nextTurn(
        of feed: FeedID, at origin: Origin, after pause: Duration
    ) async throws(TurnsEnded) {
        guard pause > .zero else { return }
        do {
            try await time.sleep(until: time.now().boot + pause)
        } catch {
            throw TurnsEnded()
        }
    }
}
