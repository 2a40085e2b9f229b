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

    /// One question; the same one with the same cookies gets the same answer, so that the chain would never end.
    private struct Visit: Hashable {
        let url: WebURL
        let method: String
        let cookies: CookieJar?
    }

    /// Where to ask.
    private(set) var url: WebURL
    /// How to ask; a body goes with every method but the GET that a 303 makes of another.
    private(set) var method: String
    /// Whether the chain has been at another origin: from then on the headers of the file stay at home, also when it
    /// comes back, since a stranger then says what is asked.
    private(set) var hasLeftOrigin: Bool
    /// Policy RD2.
    private(set) var permanentTarget: WebURL?
    /// Every redirect that was followed.
    private(set) var hops: [TransferHop] = []

    private let start: WebURL
    private let home: Origin
    private let limit: Int
    private let mayLeaveOrigin: Bool
    private let usesUnixSocket: Bool
    private let endsAtRedirect: Bool
    private var visited: Set<Visit>
    private var isRunPermanent = true

    init(_ request: TransferRequest) {
        start = request.url
        home = request.home
        hasLeftOrigin = request.url.origin != request.home
        url = request.url
        method = request.method
        limit = request.limits.hops
        mayLeaveOrigin = request.mayLeaveOrigin
        usesUnixSocket = request.unixSocket != nil
        endsAtRedirect = request.endsAtRedirect
        visited = [Visit(url: request.url, method: request.method, cookies: request.cookies?.withoutTimes)]
    }

    /// Whether an answer of `status` sends the asker elsewhere (RFC 9110, 15.4).
    static func isRedirect(_ status: Int) -> Bool {
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308
    }

    /// What to do with an answer of `url`.
    ///
    /// - Parameter cookies: what the jar holds after that answer; nil where there is none.
    mutating func judge(status: Int, location: String?, cookies: CookieJar? = nil) -> Step {
        guard RedirectPolicy.isRedirect(status), let location else { return .answer }
        if endsAtRedirect && !isReading && status < 307 { return .answer }
        let next: WebURL
        do {
            next = try url.resolving(location)
        } catch {
            return .refuse(.redirectRefused(reason: "its target is no URL to fetch: \(error.message)"))
        }
        let leaves = hasLeftOrigin || next.origin != url.origin
        let asks = isReading || status != 303 ? method : "GET"
        let visit = Visit(url: next, method: asks, cookies: cookies?.withoutTimes)
        if let failure = objection(to: visit, status: status, leaves: leaves) { return .refuse(failure) }
        isRunPermanent = isRunPermanent && (status == 301 || status == 308)
        if isRunPermanent { permanentTarget = next }
        hasLeftOrigin = leaves
        hops.append(TransferHop(status: status, to: next))
        visited.insert(visit)
        url = next
        method = asks
        return .follow
    }

    private var isReading: Bool { method == "GET" || method == "HEAD" }

    private func objection(to visit: Visit, status: Int, leaves: Bool) -> TransferFailure? {
        let next = visit.url
        if visited.contains(visit) { return .redirectLoop(at: next.place) }
        if hops.count >= limit { return .tooManyRedirects(limit: limit) }
        if next.scheme == .http && home.scheme == .https {
            return .redirectRefused(reason: "it leads from https to \(next.place)")
        }
        if usesUnixSocket && next.origin != start.origin {
            return .redirectRefused(reason: "it leads away from the Unix socket, to \(next.place)")
        }
        if next.origin != url.origin && !mayLeaveOrigin {
            return .redirectRefused(
                reason: "it leads to another origin, \(next.place), and \"cross_origin\" is \"deny\"")
        }
        guard !isReading && visit.method == method else { return nil }
        // Most clients make a GET of these, some do not (RFC 9110, 15.4.2): what the server wants is anybody's guess.
        if status == 301 || status == 302 {
            return .redirectRefused(
                reason: "a \(method) is not repeated after a \(status); the file has to name \(next.place)")
        }
        return leaves
            ? .redirectRefused(reason: "it would take a \(method) to another origin, \(next.place)") : nil
    }
}
