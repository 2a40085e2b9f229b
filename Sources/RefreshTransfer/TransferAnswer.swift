import RefreshCore

/// What an upstream said, complete: a body that was cut short is a failure and never an answer.
///
/// Only of an answer other than 2xx, which nobody reads records from, the body may be cut or missing.
package struct TransferAnswer: Sendable {
    package let status: Int
    /// Of the last hop; interim answers (1xx), earlier hops and trailers are left out.
    package let headers: HTTPHeaders
    /// After content decoding.
    package let body: PaddedBytes
    /// Where the answer came from, after every redirect.
    package let effectiveURL: WebURL
    /// The last URL of the leading run of 301 and 308; nil where the first hop was temporary or none (policy RD2).
    package let permanentTarget: WebURL?
    /// Every redirect on the way, in order.
    package let hops: [TransferHop]
    /// The feed's cookies from now on; nil where the request had no jar.
    package let cookies: CookieJar?
    /// Bytes of the last hop's body as sent, before content decoding.
    package let wireBytes: Int
    /// From the call to the last byte, all hops.
    package let duration: Duration
    /// What a large body holds of the daemon's buffers; to be kept for as long as what was read of it.
    package var lease: BufferLease?

    package init(
        status: Int, headers: HTTPHeaders, body: PaddedBytes, effectiveURL: WebURL,
        permanentTarget: WebURL? = nil, hops: [TransferHop] = [], cookies: CookieJar? = nil, wireBytes: Int,
        duration: Duration
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.effectiveURL = effectiveURL
        self.permanentTarget = permanentTarget
        self.hops = hops
        self.cookies = cookies
        self.wireBytes = wireBytes
        self.duration = duration
    }
}
