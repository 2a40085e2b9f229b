import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Lists in XML and HTML documents.
struct MarkupAdapter: Adapter {
    let accept: String
    let reading: String
    private let language: MarkupDocument.Language
    private let members: RowMembers

    init(feed: Feed, language: MarkupDocument.Language) {
        self.language = language
        members = RowMembers(feed: feed)
        switch language {
        case .xml:
            accept = "application/xml, text/xml, */*;q=0.1"
            reading = "xml 1"
        case .html:
            accept = "text/html, application/xhtml+xml, */*;q=0.1"
            reading = "html 1"
        }
    }

    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument {
        let type = answer.headers.first("content-type").flatMap { MediaType(parsing: $0) }
        do throws(FormatFailure) {
            let document = try MarkupDocument(
                parsing: answer.body.content, as: language, contentType: type, charset: members.plan.charset,
                namespaces: members.plan.namespaces)
            return Document(document, members)
        } catch {
            throw error.refreshFailure
        }
    }

    /// The owner of the tree.
    private final class Document: ReadDocument {
        private let document: MarkupDocument
        private let members: RowMembers

        init(_ document: consuming MarkupDocument, _ members: RowMembers) {
            self.document = document
            self.members = members
        }

        /// What selects nothing is an empty text to XPath's `string()`, and nothing here.
        func value(at path: BodyPath) -> ScalarValue? {
            guard let text = try? document.text(at: path.text), !text.isEmpty else { return nil }
            return ScalarValue(kind: .string, bytes: text)
        }

        /// The texts of the nodes that are listed, each a key.
        private func deleted(_ list: BodyPath) throws(FormatFailure) -> [RecordKey] {
            // The parts of a key have no place in one text.
            guard members.plan.key.count == 1 else { return [] }
            let limit = members.rules.limits.key
            return try document.texts(at: list.text)
                .filter { !$0.isEmpty && $0.count <= limit }
                .map { RecordKey($0) }
        }

        func harvest(_ wish: ReadWish) throws(RefreshFailure) -> Harvest {
            do throws(FormatFailure) {
                var harvest = try members.harvest(
                    MarkupRecords.page(of: document, plan: members.plan, limits: members.rules.limits))
                if let list = wish.deleted { harvest.deleted = try deleted(list) }
                return harvest
            } catch {
                throw error.refreshFailure
            }
        }
    }
}
