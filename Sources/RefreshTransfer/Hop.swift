import RefreshCore

/// One request of a chain of redirects, checked and ready for libcurl.
struct Hop: Sendable {
    /// What is sent, parameters of the credentials included; of messages only `place` may be told.
    let url: WebURL
    let method: String
    let head: RequestHead
    let body: [UInt8]?
    let limits: TransferLimits
    /// What is left of the total.
    let remaining: Duration
    let allowPrivate: Bool
    let unixSocket: String?
    let proxy: ProxySettings?
    let tls: TLSSettings
    let digest: Credentials.Pair?
    /// What the jar holds for this origin; nil where cookies are off.
    let cookies: [String]?
    let isOnce: Bool

    init(
        _ request: TransferRequest, _ policy: RedirectPolicy, cookies: CookieJar? = nil, remaining: Duration
    ) throws(TransferFailure) {
        let isAtHome = !policy.hasLeftOrigin
        let params = isAtHome ? request.credentials.params.map { (name: $0.name, value: $0.value) } : []
        url = policy.url.adding(params: params, onlyAbsent: true)
        method = policy.method
        body = policy.method == request.method ? request.body : nil
        head = try RequestHead(request, atHome: isAtHome, method: method, hasBody: body != nil)
        limits = request.limits
        self.remaining = remaining
        allowPrivate = request.allowPrivate
        unixSocket = request.unixSocket
        proxy = request.proxy
        var tls = request.tls
        if !isAtHome { (tls.certificate, tls.key) = (nil, nil) }
        self.tls = tls
        digest = isAtHome ? request.credentials.digest : nil
        self.cookies = cookies.map { $0.lines(for: policy.url.origin) }
        isOnce = request.isOnce
        try check()
    }

    private func check() throws(TransferFailure) {
        let isCleanURL = url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isCleanURL else { throw .badRequest(reason: "the URL holds bytes that have to be encoded") }
        if let unixSocket, unixSocket.utf8.count > 107 || unixSocket.utf8.contains(0) {
            throw .badRequest(reason: "the path of the Unix socket is too long")
        }
        if unixSocket != nil && proxy != nil {
            throw .badRequest(reason: "a Unix socket has no proxy before it; name one of them")
        }
        if let digest, (digest.name + digest.value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .badRequest(reason: "the user or the password of \"auth\" holds a control character")
        }
        // The proxy's address is all that a connection shows, so that of the target can only be read (threat T-U5).
        if proxy != nil, let literal = HostAddress(host: url.host),
            !literal.addressClass.isAllowed(allowPrivate: allowPrivate)
        {
            throw .addressRefused(host: url.host, address: literal.text)
        }
    }
}

/// What came back from one hop, not decoded yet.
struct HopAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
    let wireBytes: Int
    /// Every cookie for this origin, afterwards; nil where cookies are off.
    let cookies: [String]?
    /// Of a large body: what it holds of the buffers.
    let lease: BufferLease?
}

typealias HopResult = Result<HopAnswer, TransferFailure>
