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
        self.init(user: credentials.uid, group: credentials.gid, process: credentials.pid)
    }
}
