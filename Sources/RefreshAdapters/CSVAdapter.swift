import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Tables of separated values.
struct CSVAdapter: Adapter {
    let accept = "text/csv, text/*;q=0.5, */*;q=0.1"
    let reading = "csv 1"
    private let members: RowMembers

    init(feed: Feed) { members = RowMembers(feed: feed) }

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        // A page for people is text as well, and would be read into nonsense.
        let start = ASCII.trimmed(answer.body.content).prefix(15).map(ASCII.lowercased)
        if start.starts(with: "<!doctype html".utf8) || start.starts(with: "<html".utf8) {
            throw RefreshFailure(
                .data, code: "csv-expected",
                detail: "CSV was expected, and an HTML page came: "
                    + String(decoding: answer.body.content.prefix(200), as: UTF8.self))
        }
        return Document(members: members, answer: answer)
    }

    private struct Document: ReadDocument {
        let members: RowMembers
        let answer: TransferAnswer

        /// A table holds rows alone.
        func value(at path: BodyPath) -> ScalarValue? { nil }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            let type = answer.headers.first("content-type").flatMap { MediaType(parsing: $0) }
            do throws(FormatFailure) {
                return try members.harvest(
                    CSVRecords.page(
                        of: answer.body.content, contentType: type, plan: members.plan,
                        limits: members.rules.limits))
            } catch {
                throw error.refreshFailure
            }
        }
    }
}
