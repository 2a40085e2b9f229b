import RefreshCore
import RefreshTransfer

/// What a pass remembers of its first answer.
struct FirstAnswer: Sendable {
    private(set) var headers = HTTPHeaders()
    private(set) var freshness = HTTPFreshness.silent
    private(set) var staleRules: StaleRules?
    private(set) var permanentTarget: WebURL?
    /// The upstream's own time when the request began (semantics U6): that of its answer, less the time it took.
    private(set) var upstreamStart: Timestamp?
    var bodyHash: ContentHash?
    /// What stands at `next` where that is a time.
    var next: ScalarValue?

    mutating func take(_ answer: TransferAnswer, took: Duration, now: Timestamp) {
        headers = answer.headers
        freshness = HTTPFreshness(answer.headers, now: now)
        staleRules = StaleRules(answer.headers, received: now)
        permanentTarget = answer.permanentTarget
        let date = answer.headers.first("date").flatMap { Timestamp(httpDate: Array($0.utf8), now: now) }
        upstreamStart = date.map { $0 + (.zero - took) }
    }
}
