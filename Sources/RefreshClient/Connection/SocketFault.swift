import CLinux

/// Why nobody can be reached at a Unix socket.
package enum SocketFault: Equatable, Sendable {
    case noSuchSocket
    /// The file is there, and nobody listens on it.
    case refused
    case denied
    /// Something that is no socket.
    case notASocket
    case other(code: Int32)

    /// Tries to connect to `path`, and says what the system answers; nil where somebody listens.
    ///
    /// libcurl tells only that it could not connect, so that this is asked after it.
    package static func probe(_ path: String) -> SocketFault? {
        guard let address = SocketAddress(path) else { return .other(code: ENAMETOOLONG) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return .other(code: refreshd_errno()) }
        // Nothing was written, so nothing can be lost.
        defer { _ = close(descriptor) }
        return address.connect(descriptor).flatMap { fault(of: $0) }
    }

    /// The meaning of what connect(2) answers.
    static func fault(of code: Int32) -> SocketFault? {
        switch code {
        case ENOENT, ENOTDIR: .noSuchSocket
        case ECONNREFUSED: .refused
        case EACCES, EPERM: .denied
        case EPROTOTYPE, ENOTSOCK: .notASocket
        // A full backlog: somebody listens, and is busy.
        case EAGAIN: nil
        default: .other(code: code)
        }
    }

    package var text: String {
        switch self {
        case .noSuchSocket: "no such socket"
        case .refused: "connection refused, nobody listens there"
        case .denied: "permission denied"
        case .notASocket: "not a socket of this kind"
        case .other(let code): SystemError.text(code)
        }
    }
}

/// The system's words for an error number.
package enum SystemError {
    package static func text(_ code: Int32) -> String {
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: words)
    }
}
