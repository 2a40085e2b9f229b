import CLinux

/// The address of a Unix socket in the file system (unix(7)).
package struct SocketAddress {
    private var address = sockaddr_un()

    /// Bytes that a path may have; one more is its end.
    package static let longestPath = 107

    /// Nil where the path is empty or too long, or holds a NUL.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count <= SocketAddress.longestPath, !bytes.isEmpty, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in unsafe target.copyBytes(from: bytes)
        }
    }

    /// Connects; nil, or the error number.
    func connect(_ descriptor: Int32) -> Int32? {
        var address = address
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe refreshd_connect_unix(descriptor, &address, size) == 0 ? nil : refreshd_errno()
    }
}
