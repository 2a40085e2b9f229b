import RefreshCore

/// What the socket may ask of the engine.
package protocol RefreshControl: Sendable {
    /// Asks for a refresh of `feed` and returns when it has ended; nil where there is no such feed.
    ///
    /// A refresh under way is joined. It belongs to the daemon: no caller's leaving or cancellation ends it, and the
    /// answer comes to whoever still listens.
    func refresh(_ feed: FeedID, mode: RefreshMode, acceptDrop: Bool) async -> RefreshOutcome?

    /// The same with all that a wish may ask for.
    func refresh(_ feed: FeedID, _ wish: RefreshWish) async -> RefreshOutcome?
}

extension RefreshControl {
    package func refresh(_ feed: FeedID, _ wish: RefreshWish) async -> RefreshOutcome? {
        await refresh(feed, mode: wish.mode, acceptDrop: wish.acceptsDrop)
    }
}
