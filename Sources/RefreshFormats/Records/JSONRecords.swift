import RefreshCore

/// Reads the records of a JSON answer: slices of its text, each with its key and hash.
package enum JSONRecords {
    /// The rows that `plan` finds in `bytes`.
    ///
    /// Every node that the plan's path selects is a row, and one array selected alone is spread into rows. A path
    /// that leads nowhere is a failure, an empty array is not. The page's text is the answer itself.
    package static func page(
        of bytes: PaddedBytes, plan: RecordsPlan, limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        try page(of: JSONDocument(parsing: bytes), plan: plan, limits: limits)
    }

    /// The rows that `plan` finds in `document`.
    package static func page(
        of document: JSONDocument, plan: RecordsPlan, limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        let path = plan.path.json ?? .root
        let selected = document.nodes(at: path)
        if selected.isEmpty, !isThere(path, in: document) {
            throw .recordsPathMissing(path: plan.path.text)
        }
        let reader = RecordReader(document: document, key: plan.key.compactMap(\.json), limits: limits)
        guard selected.count == 1, selected[0].kind == .array else {
            return try page(of: selected, count: selected.count, reader)
        }
        return try page(
            of: document.elements(of: selected[0]), count: document.count(of: selected[0]), reader)
    }

    private static func page(
        of nodes: some Sequence<JSONNode>, count: Int, _ reader: RecordReader
    ) throws(FormatFailure) -> RecordPage {
        guard count <= reader.limits.rows else { throw .tooManyRecords(limit: reader.limits.rows) }
        var rows = RowCollector(reserving: count)
        for node in nodes {
            switch reader.row(of: node) {
            case .success(let row): rows.add(row)
            case .failure(let refusal): rows.reject(refusal.reason)
            }
        }
        return try rows.page(text: reader.document.bytes.storage, limits: reader.limits)
    }

    /// Whether a path that selected nothing leads to a container that is merely empty.
    private static func isThere(_ path: JSONPath, in document: JSONDocument) -> Bool {
        guard let wildcard = path.segments.firstIndex(of: .wildcard),
            let container = document.singular(JSONPath(Array(path.segments[..<wildcard])))
        else { return false }
        return container.kind == .array || container.kind == .object
    }
}
