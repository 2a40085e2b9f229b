import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Lists in JSON documents.
struct JSONAdapter: Adapter {
    let accept = "application/json, */*;q=0.1"
    let reading = "json 1"
    private let plan: RecordsPlan

    init(feed: Feed) { plan = ParentFields.ownPlan(feed) }

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        do {
            return Document(document: try JSONDocument(parsing: answer.body), plan: plan, answer: answer)
        } catch {
            throw AnswerRules.unreadable(error, answer, wanted: "JSON")
        }
    }

    private struct Document: ReadDocument {
        let document: JSONDocument
        let plan: RecordsPlan
        let answer: TransferAnswer

        func value(at path: BodyPath) -> ScalarValue? { path.json.flatMap { document.scalar(at: $0) } }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            do {
                var harvest = Harvest(page: try JSONRecords.page(of: document, plan: plan))
                if let cursor = wish.cursor?.json { harvest.cursors = values(cursor, of: harvest.page) }
                if let keyset = wish.keyset?.json {
                    harvest.last = values(keyset, of: harvest.page).last ?? nil
                }
                return harvest
            } catch {
                throw AnswerRules.unreadable(error, answer, wanted: "JSON")
            }
        }

        private func values(_ path: JSONPath, of page: RecordPage) -> [ScalarValue?] {
            page.rows.map { row in
                (try? JSONDocument(parsing: PaddedBytes(Array(page.body(of: row)))))?.scalar(at: path)
            }
        }
    }
}
