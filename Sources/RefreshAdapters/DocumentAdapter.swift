import RefreshCore
import RefreshFormats
import RefreshTransfer

/// One opaque document.
struct DocumentAdapter: Adapter {
    let accept = "*/*"
    let reading = "http 2"
    private let limit: ByteCount

    init(feed: Feed) { limit = feed.request.limits.decoded }

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        do {
            let record = try DocumentRecord(
                bytes: answer.body.content, headers: answer.headers, url: answer.effectiveURL, limit: limit)
            return Document(record: record)
        } catch {
            throw error.refreshFailure
        }
    }

    private struct Document: ReadDocument {
        let record: DocumentRecord

        func value(at path: BodyPath) -> ScalarValue? { nil }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            var harvest = Harvest(page: record.page)
            harvest.document = record.document
            return harvest
        }
    }
}
