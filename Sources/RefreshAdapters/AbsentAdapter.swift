import RefreshCore
import RefreshTransfer

/// Stands for adapters that the language knows and this build does not have: what comes is not read.
struct AbsentAdapter: Adapter {
    private let request: FeedRequest
    private let name: String

    init(feed: Feed, userAgent: String) {
        request = FeedRequest(feed: feed, userAgent: userAgent, accept: "*/*")
        name = feed.adapter.name
    }

    var scope: UInt64 { request.scope(reading: "absent") }

    func request(_ validators: Validators) -> TransferRequest { request.conditional(Validators()) }

    func read(_ answer: TransferAnswer) throws(RefreshFailure) -> Harvest {
        throw RefreshFailure(
            .config, code: "no-adapter", detail: "this build of refreshd has no adapter \"\(name)\"")
    }
}
