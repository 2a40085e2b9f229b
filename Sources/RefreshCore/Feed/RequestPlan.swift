/// What is asked of an upstream, and the bounds of its answer.
package struct RequestPlan: Sendable, Equatable {
    package let url: WebURL
    package let headers: HTTPHeaders
    /// May it reach private, loopback and link-local addresses?
    package let allowPrivate: Bool
    package let limits: TransferLimits

    package init(
        url: WebURL, headers: HTTPHeaders = HTTPHeaders(), allowPrivate: Bool = false,
        limits: TransferLimits = TransferLimits()
    ) {
        self.url = url
        self.headers = headers
        self.allowPrivate = allowPrivate
        self.limits = limits
    }
}

/// What one request may cost at most (refresh policy 2.5).
package struct TransferLimits: Sendable, Equatable {
    package var connect: Duration = .seconds(10)
    /// An answer slower than `stallRate` for this long is given up.
    package var stall: Duration = .seconds(20)
    /// Bytes a second.
    package var stallRate = 100
    package var total: Duration = .seconds(60)
    /// Redirects followed.
    package var hops = 10
    /// Bytes of the body as sent.
    package var wire: ByteCount = .mebibytes(32)
    /// Bytes of the body after content decoding.
    package var decoded: ByteCount = .mebibytes(64)
    /// Bytes of all heads of one answer.
    package var head: ByteCount = .kibibytes(64)

    package init() {}
}
