import RefreshCore

/// One question to an upstream, redirects included.
package struct TransferRequest: Sendable {
    package let url: WebURL
    /// The origin that the file names: headers, credentials and client certificate are for it alone. That of `url`,
    /// unless somebody sets it; a link to a next page may lead elsewhere.
    package var home: Origin
    /// The headers of the file: bound to `home`, and but for `Accept` never sent to another origin.
    package var headers: HTTPHeaders
    /// Echoed byte for byte; one that holds a control character is left out.
    package let validators: Validators
    /// `total` counts over all hops.
    package let limits: TransferLimits
    /// May it reach private, loopback and link-local addresses?
    package let allowPrivate: Bool
    package let userAgent: String
    /// Redirects are followed for GET and HEAD; for others a 303 is, with a GET, and 307 and 308 within the origin.
    package let method: String
    package var body: [UInt8]?
    /// A Unix socket to speak over in the place of the URL's host; it needs no `allowPrivate`.
    package let unixSocket: String?
    /// Bound to `home`, as `headers` are.
    package var credentials = Credentials()
    /// Are redirects to other origins followed?
    package var mayLeaveOrigin = true
    /// Is a redirect of what is no reading (301, 302, 303) the answer itself? Logins end so, with their cookie.
    package var endsAtRedirect = false
    /// The feed's cookies; nil is none, kept or sent.
    package var cookies: CookieJar?
    package var tls = TLSSettings()
    /// Nil is none, whatever the environment says.
    package var proxy: ProxySettings?
    /// Must the server never see this request twice? It then gets a connection of its own, since libcurl repeats by
    /// itself what went out on a pooled one that turned out to be closed.
    package var isOnce = false

    package init(
        url: WebURL, headers: HTTPHeaders = HTTPHeaders(), validators: Validators = Validators(),
        limits: TransferLimits = TransferLimits(), allowPrivate: Bool = false, userAgent: String,
        method: String = "GET", body: [UInt8]? = nil, unixSocket: String? = nil
    ) {
        self.url = url
        home = url.origin
        self.headers = headers
        self.validators = validators
        self.limits = limits
        self.allowPrivate = allowPrivate
        self.userAgent = userAgent
        self.method = method
        self.body = body
        self.unixSocket = unixSocket
    }
}
