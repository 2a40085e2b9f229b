import RefreshCore
import RefreshTransfer

/// The request that a feed's configuration describes, and what its validators depend on.
struct FeedRequest: Sendable {
    private let plan: RequestPlan
    private let userAgent: String
    private let headers: HTTPHeaders

    /// - Parameter accept: the media types asked for where the configuration names none.
    init(feed: Feed, userAgent: String, accept: String) {
        plan = feed.request
        self.userAgent = userAgent
        var headers = plan.constantHeaders
        if headers.first("accept") == nil { headers.append("Accept", accept) }
        self.headers = headers
    }

    func conditional(_ validators: Validators) -> TransferRequest {
        TransferRequest(
            url: plan.url, headers: headers, validators: validators, limits: plan.limits,
            allowPrivate: plan.allowPrivate, userAgent: userAgent)
    }

    /// A hash of URL, headers and `reading` (whatever else decides what a body is read into).
    func scope(reading: String) -> UInt64 {
        var text = Array("\(plan.url)\n\(reading)\n".utf8)
        for field in headers.fields { text.append(contentsOf: "\(field.name): \(field.value)\n".utf8) }
        return FNV.hash64(text)
    }
}
