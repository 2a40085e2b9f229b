import CLinux

/// A port on loopback that neither accepts nor refuses: its queue is full, so a connection is never made.
package final class DeafListener: Sendable {
    package let port: Int
    private let listener: UpstreamSocket
    private let fillers: [Int32]

    package init() throws {
        listener = try UpstreamSocket.loopback(backlog: 0)
        port = listener.port
        // A queue of length 0 holds one; what comes after the second waits for good.
        fillers = (0..<3).map { [listener] _ in listener.connection() }
    }

    deinit {
        for descriptor in fillers where descriptor >= 0 { _ = close(descriptor) }
        _ = close(listener.descriptor)
    }
}
