import RefreshCore

/// What somebody may do; each includes the ones before.
package enum Right: Int, Sendable, Comparable, CaseIterable {
    /// See what is cached and how the feeds are.
    case read
    /// Ask for refreshes.
    case operate
    /// Change how the daemon runs.
    case control

    package static func < (left: Right, right: Right) -> Bool { left.rawValue < right.rawValue }

    var name: String {
        switch self {
        case .read: "read"
        case .operate: "operate"
        case .control: "control"
        }
    }
}

/// Who stands at the other end of a connection, as the kernel says (`SO_PEERCRED`, `SO_PEERGROUPS`).
package struct Peer: Sendable, Equatable {
    package let user: UInt32
    package let group: UInt32
    /// Beside `group`.
    package let groups: [UInt32]
    /// For the log only: by the time that it is looked up, another process may have it.
    package let process: Int32

    package init(user: UInt32, group: UInt32, groups: [UInt32] = [], process: Int32) {
        self.user = user
        self.group = group
        self.groups = groups
        self.process = process
    }
}

/// Users and groups, by number.
package struct Principals: Sendable, Equatable {
    package var users: Set<UInt32>
    package var groups: Set<UInt32>

    package init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
        self.users = users
        self.groups = groups
    }

    func holds(_ peer: Peer) -> Bool {
        users.contains(peer.user) || groups.contains(peer.group)
            || peer.groups.contains(where: groups.contains)
    }
}

/// Who may do what. A socket gives a level, the rules give a right, and the lower of the two counts. Root and the
/// daemon's own user pass every rule; whom the kernel does not name passes none.
package struct Access: Sendable, Equatable {
    /// Who may see a feed, and who may drive it; nil where only the common rules hold.
    package struct OfFeed: Sendable, Equatable {
        package var readers: Principals?
        package var operators: Principals?

        package init(readers: Principals? = nil, operators: Principals? = nil) {
            self.readers = readers
            self.operators = operators
        }
    }

    /// The user that the daemon runs as.
    private let owner: UInt32
    /// Nil is everybody whom the socket lets in.
    private let read: Principals?
    private let operate: Principals
    private let control: Principals
    private let feeds: [FeedID: OfFeed]
    /// Upstream requests that one user's programs may cause by reading; nil: as many as they like.
    let quota: Rate?

    package init(
        owner: UInt32, read: Principals? = nil, operate: Principals = Principals(),
        control: Principals = Principals(), feeds: [FeedID: OfFeed] = [:], quota: Rate? = nil
    ) {
        self.quota = quota
        self.owner = owner
        self.read = read
        self.operate = operate
        self.control = control
        self.feeds = feeds
    }

    /// Whether some feeds are hidden from somebody, so that lists of feeds are not the same for all.
    var hidesFeeds: Bool { feeds.values.contains { $0.readers != nil } }

    /// Whether `feed` is hidden from somebody.
    func hides(_ feed: FeedID) -> Bool { feeds[feed]?.readers != nil }

    /// The highest right of `peer` at a socket of `level`; none where it may not even read.
    package func right(of peer: Peer?, at level: Right) -> Right? {
        guard let peer else { return nil }
        return rule(peer).map { min($0, level) }
    }

    /// The same, as far as `feed` is concerned; nil where the feed is not to be seen.
    package func right(of peer: Peer?, at level: Right, on feed: FeedID) -> Right? {
        guard let peer, let common = rule(peer) else { return nil }
        guard common < .control, let own = feeds[feed] else { return min(common, level) }
        let drives = own.operators?.holds(peer) ?? false
        // Who may drive a feed may see it.
        if let readers = own.readers, !readers.holds(peer), !drives { return nil }
        if own.operators != nil { return min(drives ? .operate : .read, level) }
        return min(common, level)
    }

    private func isTrusted(_ peer: Peer) -> Bool { peer.user == 0 || peer.user == owner }

    private func rule(_ peer: Peer) -> Right? {
        if isTrusted(peer) || control.holds(peer) { return .control }
        if operate.holds(peer) { return .operate }
        return read?.holds(peer) ?? true ? .read : nil
    }
}
