/// Why a refresh failed: data, kept with the feed and shown in its status.
package struct RefreshFailure: Error, Equatable, Sendable {
    /// The classes that status shows and that the policy's table goes by.
    package enum Class: String, Sendable, CaseIterable {
        case config, auth, rate, transient, upstream, data, loop, offline, `internal`
    }

    package let `class`: Class
    /// Stable, for programs: `http-503`, `connect-timeout`, `records-path-missing`.
    package let code: String
    /// For people: what happened and where. No secret.
    package let detail: String
    /// The upstream's status where an answer came.
    package let status: Int?
    /// How long the upstream asks to be left alone.
    package let retryAfter: Duration?
    /// Of a request to another place than the feed's, such as a token endpoint, which has been held for it already.
    package var isSettled = false

    package init(
        _ class: Class, code: String, detail: String, status: Int? = nil, retryAfter: Duration? = nil
    ) {
        self.class = `class`
        self.code = code
        self.detail = detail
        self.status = status
        self.retryAfter = retryAfter
    }
}
