import RefreshCore
import RefreshFormats
import RefreshTransfer

/// A syndication feed: a window onto the newest entries, so that absence means nothing (policy ST5).
struct SyndicationAdapter: Adapter {
    /// Raised when the same body would be read into other records.
    private static let reading = "feed 3"

    private let request: FeedRequest
    let scope: UInt64

    init(feed: Feed, userAgent: String) {
        request = FeedRequest(
            feed: feed, userAgent: userAgent,
            accept: "application/atom+xml, application/rss+xml, application/feed+json, "
                + "application/xml;q=0.9, application/json;q=0.8, */*;q=0.1")
        scope = request.scope(reading: SyndicationAdapter.reading)
    }

    func request(_ validators: Validators) -> TransferRequest { request.conditional(validators) }

    func read(_ answer: TransferAnswer) throws(RefreshFailure) -> Harvest {
        do {
            let type = answer.headers.first("content-type").flatMap { MediaType(parsing: $0) }
            let document = try SyndicationRecords.page(
                of: answer.body, base: answer.effectiveURL, contentType: type)
            // Only a feed that says of itself that it is whole tells of absence (policy ST5).
            return Harvest(page: document.page, complete: document.isComplete)
        } catch {
            throw AnswerRules.unreadable(error, answer, wanted: "a feed")
        }
    }
}
