import CLinux
import RefreshCore

/// An HTTP/1.1 server on loopback that answers as the test says, on threads of its own, and notes every request.
package final class ScriptedUpstream: Sendable {
    // The threads hold this and never the upstream itself, which may so end on any thread, and join them.
    private let conversations: UpstreamConversations

    /// Listens on 127.0.0.1 from here on; `handler` is called on many threads.
    package init(_ handler: @escaping @Sendable (UpstreamRequest) -> UpstreamAnswer) throws {
        conversations = try UpstreamConversations(on: UpstreamSocket.loopback(), handler)
        conversations.start()
    }

    /// Listens on a Unix socket, whose path must be short and free.
    package init(
        unixSocket path: String, _ handler: @escaping @Sendable (UpstreamRequest) -> UpstreamAnswer
    ) throws {
        conversations = try UpstreamConversations(on: UpstreamSocket.unix(path), handler)
        conversations.start()
    }

    deinit { conversations.stop() }

    /// The port on 127.0.0.1; 0 on a Unix socket.
    package var port: Int { conversations.socket.port }

    /// `http://127.0.0.1:PORT` and `path`, which starts with a slash.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Every request so far, in the order of arrival.
    package var requests: [UpstreamRequest] { conversations.requests }

    /// How many connections were accepted.
    package var connections: Int { conversations.connections }

    /// Returns once `count` requests have been read since the start.
    package func received(_ count: Int) async { await conversations.received.reaches(count) }

    /// Returns once the other side has left `count` connections.
    package func departures(_ count: Int) async { await conversations.left.reaches(count) }

    /// Hangs up on everybody and joins every thread, also those in the middle of a stall; may be called again.
    package func stop() { conversations.stop() }
}
