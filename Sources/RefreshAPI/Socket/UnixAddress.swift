import CLinux

/// The address of a Unix socket.
struct UnixAddress {
    /// `sun_path` holds so many bytes and a final zero.
    static let longestPath = 107

    private var address = sockaddr_un()

    /// Nil where `path` does not fit or holds a zero.
    init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= UnixAddress.longestPath, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    }

    /// 0, or -1 with `errno`.
    func bind(_ descriptor: Int32) -> Int32 {
        unsafe withUnsafePointer(to: address) { unsafe refreshd_bind_unix(descriptor, $0, UnixAddress.size) }
    }

    /// 0, or -1 with `errno`.
    func connect(_ descriptor: Int32) -> Int32 {
        unsafe withUnsafePointer(to: address) {
            unsafe refreshd_connect_unix(descriptor, $0, UnixAddress.size)
        }
    }

    private static let size = socklen_t(MemoryLayout<sockaddr_un>.size)

    /// A new stream socket that no child inherits.
    static func makeSocket(nonblocking: Bool) -> Descriptor? {
        let flags = SOCK_CLOEXEC.rawValue | (nonblocking ? SOCK_NONBLOCK.rawValue : 0)
        return Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0))
    }
}
