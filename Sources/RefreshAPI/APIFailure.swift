/// Why the socket cannot be served.
package enum APIFailure: Error, Sendable, Equatable {
    /// Another daemon holds the socket.
    case alreadyRunning(path: String)
    /// Something that is not ours stands where the socket has to be.
    case occupied(path: String)
    case pathTooLong(path: String, limit: Int)
    /// A system call failed.
    case system(what: String, path: String, reason: String)
    /// A descriptor that was handed over is no listening Unix socket.
    case notASocket(descriptor: Int32)
    case server(reason: String)
    case store(reason: String)

    /// For people: what happened and what to do.
    package var detail: String {
        switch self {
        case .alreadyRunning(let path):
            "another refreshd answers at \(path): stop it, or give this one another socket"
        case .occupied(let path):
            "\(path) exists and is not a socket: remove it, or give another path"
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is too long; with its folder and name it may have \(limit) bytes"
        case .system(let what, let path, let reason): "cannot \(what) \(path): \(reason)"
        case .notASocket(let descriptor): "descriptor \(descriptor) is not a listening Unix socket"
        case .server(let reason): "the HTTP server does not start: \(reason)"
        case .store(let reason): "the cache cannot be opened for reading: \(reason)"
        }
    }
}
