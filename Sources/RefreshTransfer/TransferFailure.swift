import RefreshCore

/// Why no answer came. Places (`at`) are URLs without their query, which may hold secrets.
package enum TransferFailure: Error, Equatable, Sendable {
    case resolve(host: String)
    case connectionRefused(at: String)
    /// This host has no network, or none that leads there.
    case noRoute(at: String)
    /// The other side's network says that nobody is there, or another fault below TCP.
    case unreachable(at: String, reason: String)
    /// The proxy cannot be reached or will not connect.
    case proxy(String, reason: String)
    /// No connection within `limits.connect`, resolving and TLS included.
    case connectTimeout(at: String)
    /// Fewer bytes than `limits.stallRate` for `limits.stall`.
    case stalled(at: String)
    /// Not done within `limits.total`.
    case timeout(at: String)
    case tls(at: String, reason: String)
    case reset(at: String)
    /// The connection ended before the answer did.
    case cut(at: String, received: Int)
    /// The body as sent exceeds `limits.wire`.
    case tooLarge(limit: ByteCount)
    /// The body after content decoding exceeds `limits.decoded`.
    case tooLargeDecoded(limit: ByteCount)
    /// The heads exceed `limits.head`.
    case headTooLarge(limit: ByteCount)
    case tooManyRedirects(limit: Int)
    case redirectRefused(reason: String)
    case redirectLoop(at: String)
    /// The host's address is one that this request may not reach.
    case addressRefused(host: String, address: String)
    /// A Content-Encoding that was not asked for.
    case unsupportedCoding(String)
    /// The gzip stream is damaged or cut.
    case badCoding(reason: String)
    /// What came is no HTTP.
    case protocolError(at: String, reason: String)
    /// The daemon's buffers stayed full for as long as the request may take.
    case noRoom
    /// The request itself cannot be sent as it stands.
    case badRequest(reason: String)
    /// The awaiting task was cancelled.
    case cancelled
    /// The service has been stopped.
    case stopped
    case `internal`(String)
}
