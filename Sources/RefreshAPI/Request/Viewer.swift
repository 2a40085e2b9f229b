import RefreshCore

/// One client's eyes and hands: who it is, and at which socket it stands.
struct Viewer {
    let access: Access
    let peer: Peer?
    let level: Right

    /// What it may do at all; nil: nothing.
    var right: Right? { access.right(of: peer, at: level) }

    func right(on feed: FeedID) -> Right? { access.right(of: peer, at: level, on: feed) }

    /// Whether it sees the same feeds as everybody else.
    var seesAll: Bool { !access.hidesFeeds }

    func sees(_ feed: FeedID) -> Bool { right(on: feed) != nil }
}
