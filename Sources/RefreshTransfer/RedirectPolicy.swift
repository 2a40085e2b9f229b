import RefreshCore

/// Follows a chain of redirects in thought: where to ask next, with what, and when to stop (refresh policy RD2, RD4, RD5).
struct RedirectPolicy: Sendable, Equatable {
    enum Step: Equatable {
        /// No redirect to be followed: this is the answer.
        case answer
        /// Ask `url` now.
        case follow
        case refuse(TransferFailure)
    }

    /// Where to ask.
    private(set) var url: WebURL
    /// Whether the chain has been at another origin: from then on the headers of the file stay at home, also when it
    /// comes back, since a stranger then says what is asked.
    private(set) var hasLeftOrigin = false
    /// Policy RD2.
    private(set) var permanentTarget: WebURL?

    private let start: WebURL
    private let limit: Int
    private let isRepeatable: Bool
    private let usesUnixSocket: Bool
    private var visited: Set<WebURL>
    private var isRunPermanent = true

    init(_ request: TransferRequest) {
        start = request.url
        url = request.url
        limit = request.limits.hops
        isRepeatable = request.method == "GET" || request.method == "HEAD"
        usesUnixSocket = request.unixSocket != nil
        visited = [request.url]
    }

    /// Whether an answer of `status` sends the asker elsewhere (RFC 9110, 15.4).
    static func isRedirect(_ status: Int) -> Bool {
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308
    }

    /// What to do with an answer of `url`.
    mutating func judge(status: Int, location: String?) -> Step {
        guard RedirectPolicy.isRedirect(status), isRepeatable, let location else { return .answer }
        let next: WebURL
        do {
            next = try url.resolving(location)
        } catch {
            return .refuse(.redirectRefused(reason: "its target is no URL to fetch: \(error.message)"))
        }
        if let failure = objection(to: next) { return .refuse(failure) }
        isRunPermanent = isRunPermanent && (status == 301 || status == 308)
        if isRunPermanent { permanentTarget = next }
        if next.origin != url.origin { hasLeftOrigin = true }
        visited.insert(next)
        url = next
        return .follow
    }

    private func objection(to next: WebURL) -> TransferFailure? {
        if visited.contains(next) { return .redirectLoop(at: next.place) }
        // The start is among the visited and was no redirect.
        if visited.count > limit { return .tooManyRedirects(limit: limit) }
        if next.scheme == .http && start.scheme == .https {
            return .redirectRefused(reason: "it leads from https to \(next.place)")
        }
        if usesUnixSocket && next.origin != start.origin {
            return .redirectRefused(reason: "it leads away from the Unix socket, to \(next.place)")
        }
        return nil
    }
}
