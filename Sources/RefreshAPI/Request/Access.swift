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

/// Who stands at the other end of a connection, as the kernel says (`SO_PEERCRED`).
package struct Peer: Sendable, Equatable {
    package let user: UInt32
    package let group: UInt32
    /// For the log only: by the time that it is looked up, another process may have it.
    package let process: Int32

    package init(user: UInt32, group: UInt32, process: Int32) {
        self.user = user
        self.group = group
        self.process = process
    }
}

/// Who may do what: whoever the socket lets in may read, root and the daemon's own user may do everything.
package struct Access: Sendable, Equatable {
    /// The user that the daemon runs as.
    private let owner: UInt32

    package init(owner: UInt32) { self.owner = owner }

    /// The highest right of `peer`; none where the kernel does not say who it is.
    package func right(of peer: Peer?) -> Right? {
        guard let peer else { return nil }
        return peer.user == 0 || peer.user == owner ? .control : .read
    }

    package func allows(_ right: Right, to peer: Peer?) -> Bool {
        self.right(of: peer).map { right <= $0 } ?? false
    }
}
