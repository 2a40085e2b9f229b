import RefreshCore
import RefreshFormats
import RefreshTransfer

/// A list in a JSON document, read whole at each pass.
struct JSONAdapter: Adapter {
    /// Raised when the same body would be read into other records.
    private static let reading = "json 1"

    private let request: FeedRequest
    private let records: RecordsPlan
    let scope: UInt64

    init(feed: Feed, userAgent: String) {
        request = FeedRequest(feed: feed, userAgent: userAgent, accept: "application/json, */*;q=0.1")
        records = feed.records
        let paths = ([feed.records.path] + feed.records.key).map(\.text).joined(separator: " ")
        scope = request.scope(reading: "\(JSONAdapter.reading) \(paths)")
    }

    func request(_ validators: Validators) -> TransferRequest { request.conditional(validators) }

    func read(_ answer: TransferAnswer) throws(RefreshFailure) -> Harvest {
        do {
            let page = try JSONRecords.page(of: answer.body, plan: records)
            return Harvest(page: page, complete: true)
        } catch {
            throw AnswerRules.unreadable(error, answer, wanted: "JSON")
        }
    }
}
