import CXML2
import RefreshCore

/// Reads the records of an XML or HTML answer: JSON objects of what XPath expressions find at each row.
package enum MarkupRecords {
    /// The rows that `plan` finds in `bytes`.
    package static func page(
        of bytes: ArraySlice<UInt8>, as language: MarkupDocument.Language, contentType: MediaType? = nil,
        plan: RecordsPlan, limits: RecordLimits = RecordLimits(), markup: MarkupLimits = MarkupLimits()
    ) throws(FormatFailure) -> RecordPage {
        let document = try MarkupDocument(
            parsing: bytes, as: language, contentType: contentType, charset: plan.charset,
            namespaces: plan.namespaces, limits: markup)
        return try page(of: document, plan: plan, limits: limits)
    }

    /// The rows that `plan` finds in `document`: every node that its path selects, in the order of the document.
    ///
    /// A field is the text of the first node that its expression selects, or a string, number or boolean as it is;
    /// a field whose name ends in `[]` is an array of all texts. What selects nothing is left out, of a list it is
    /// an empty array. A path that leads nowhere is a failure, unless only its last step does: the list is empty.
    package static func page(
        of document: borrowing MarkupDocument, plan: RecordsPlan, limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        let path = plan.path.text
        document.xpath.allow(steps: document.limits.steps)
        let found = try unsafe document.xpath.value(
            of: document.xpath.compiled(path), at: document.xpath.document)
        guard found.isNodeSet else { throw .xpathFailed(path: path, what: "it selects no nodes but a value") }
        let count = found.nodeCount
        guard count <= limits.rows else { throw .tooManyRecords(limit: limits.rows) }
        if count == 0, !plan.isOptional {
            guard try hasParent(path, document) else { throw .recordsPathMissing(path: path) }
        }
        found.sort()
        var reader = try MarkupRowReader(document, plan: plan, limits: limits)
        let each = document.limits.stepsPerField * UInt(reader.expressionCount)
        document.xpath.allow(steps: document.limits.steps + UInt(count) * each)
        var rows = RowCollector(reserving: count)
        for index in 0..<count {
            guard let node = unsafe found.node(index) else {
                rows.reject("it is a namespace")
                continue
            }
            switch try unsafe reader.row(of: node, in: document.xpath) {
            case .success(let row): rows.add(row)
            case .failure(let refusal): rows.reject(refusal.reason)
            }
            guard reader.spent <= limits.text.bytes else { throw .tooLarge(bytes: reader.spent) }
        }
        return try rows.page(text: reader.text, limits: limits)
    }

    /// Whether what would hold the rows is there.
    private static func hasParent(
        _ path: String, _ document: borrowing MarkupDocument
    ) throws(FormatFailure) -> Bool {
        guard let parent = XPath.parent(of: path) else { return false }
        let found = try unsafe document.xpath.value(
            of: document.xpath.compiled(parent), at: document.xpath.document)
        return found.nodeCount > 0
    }
}
