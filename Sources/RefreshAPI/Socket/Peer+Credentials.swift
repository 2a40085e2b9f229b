import CLinux

extension Peer {
    /// Who has connected; nil where the kernel does not say.
    init?(of descriptor: Int32) {
        var credentials = ucred()
        var size = socklen_t(MemoryLayout<ucred>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
            // A peer that never connected has no user. The process is 0 where it lives in another namespace.
            size == socklen_t(MemoryLayout<ucred>.size), credentials.uid != .max
        else { return nil }
        self.init(
            user: credentials.uid, group: credentials.gid, groups: Peer.groups(of: descriptor),
            process: credentials.pid)
    }

    /// The supplementary groups of the peer; none where the kernel does not say, so that no rule of a group then
    /// lets it in.
    private static func groups(of descriptor: Int32) -> [UInt32] {
        // The kernel says how much room it wants; in between nobody changes the groups of a connected peer.
        var groups = [UInt32](repeating: 0, count: 64)
        for _ in 0..<2 {
            var size = socklen_t(groups.count * MemoryLayout<UInt32>.size)
            let code = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size)
            let count = Int(size) / MemoryLayout<UInt32>.size
            if code == 0 { return Array(groups.prefix(count)) }
            guard refreshd_errno() == ERANGE, count <= 65_536 else { return [] }
            groups = [UInt32](repeating: 0, count: count)
        }
        return []
    }
}
