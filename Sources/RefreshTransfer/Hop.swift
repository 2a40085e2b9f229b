import RefreshCore

/// One request of a chain of redirects, checked and ready for libcurl.
struct Hop: Sendable {
    let url: WebURL
    let method: String
    let head: RequestHead
    let body: [UInt8]?
    let limits: TransferLimits
    /// What is left of the total.
    let remaining: Duration
    let allowPrivate: Bool
    let unixSocket: String?

    init(_ request: TransferRequest, _ policy: RedirectPolicy, remaining: Duration) throws(TransferFailure) {
        let isCleanURL = policy.url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isCleanURL else { throw .badRequest(reason: "the URL holds bytes that have to be encoded") }
        if let socket = request.unixSocket, socket.utf8.count > 107 || socket.utf8.contains(0) {
            throw .badRequest(reason: "the path of the Unix socket is too long")
        }
        url = policy.url
        method = request.method
        head = try RequestHead(request, atHome: !policy.hasLeftOrigin)
        body = request.body
        limits = request.limits
        self.remaining = remaining
        allowPrivate = request.allowPrivate
        unixSocket = request.unixSocket
    }
}

/// What came back from one hop, not decoded yet.
struct HopAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    let wireBytes: Int
}

typealias HopResult = Result<HopAnswer, TransferFailure>
