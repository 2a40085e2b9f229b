import RefreshCore
import RefreshFormats

/// Where the rows of a JSON document are, and what is in them.
struct JSONGuess {
    /// An array of the document.
    struct Rows {
        let path: [String]
        let nodes: [JSONNode]
        /// Whether the rows are objects.
        let areObjects: Bool
    }

    private let document: JSONDocument
    /// Nil where no array is found.
    let rows: Rows?

    private static let deepest = 4
    private static let mostRows = 1_000

    init(_ document: JSONDocument) {
        self.document = document
        var found: [Rows] = []
        JSONGuess.collect(document, document.root, [], &found)
        // The longest list of objects; of equals the outermost, which was found first.
        rows =
            found.enumerated().max { left, right in
                (left.element.areObjects ? 1 : 0, left.element.nodes.count, -left.offset)
                    < (right.element.areObjects ? 1 : 0, right.element.nodes.count, -right.offset)
            }?.element
    }

    private static func collect(
        _ document: JSONDocument, _ node: JSONNode, _ path: [String], _ found: inout [Rows]
    ) {
        switch node.kind {
        case .array:
            let nodes = Array(document.elements(of: node))
            let areObjects = nodes.allSatisfy { $0.kind == .object }
            let areScalars = nodes.allSatisfy { $0.kind == .string || $0.kind == .number }
            guard areObjects || areScalars else { return }
            found.append(Rows(path: path, nodes: nodes, areObjects: areObjects))
        case .object where path.count < deepest:
            for (name, value) in document.members(of: node) {
                guard let name = document.text(name) else { continue }
                collect(document, value, path + [name], &found)
            }
        default: break
        }
    }

    // MARK: - Columns

    /// The scalars of the rows, those of objects within them too, in the order of the first row.
    var columns: [KeyGuess.Column] {
        guard let rows, let first = rows.nodes.first else { return [] }
        let nodes = rows.nodes.prefix(JSONGuess.mostRows)
        var paths: [[String]] = []
        for (name, value) in document.members(of: first) {
            guard let name = document.text(name) else { continue }
            if value.kind == .object {
                for (inner, deep) in document.members(of: value) {
                    if let inner = document.text(inner), isScalar(deep) { paths.append([name, inner]) }
                }
            } else if isScalar(value) {
                paths.append([name])
            }
        }
        return paths.map { path in
            KeyGuess.Column(
                path: PathText.json(path), name: path.last ?? "",
                values: nodes.map { value(at: path, in: $0) })
        }
    }

    private func isScalar(_ node: JSONNode) -> Bool { node.kind == .string || node.kind == .number }

    private func value(at path: [String], in row: JSONNode) -> [UInt8]? {
        var node: JSONNode? = row
        for name in path { node = node.flatMap { document.member(name, of: $0) } }
        guard let node, isScalar(node) else { return nil }
        return document.scalar(of: node)?.bytes
    }

    // MARK: - Settings

    func fill(_ suggestion: inout Suggestion) {
        guard let rows else { return }
        if !rows.path.isEmpty {
            suggestion.set("records", "{path: \(YAMLText.scalar(PathText.json(rows.path)))}")
        }
        suggestion.what += " of \(Wording.count(rows.nodes.count, "row"))"
        guard rows.areObjects, !rows.nodes.isEmpty else {
            suggestion.set(
                "key", rows.nodes.isEmpty ? "id" : "$",
                because: rows.nodes.isEmpty ? "a guess, for the list is empty" : "each row is its own key")
            return
        }
        let columns = columns
        // Numbers with a fraction are refused as keys.
        let keys = columns.filter { column in
            !column.values.contains { $0?.contains(UInt8(ascii: ".")) ?? false && JSONGuess.isNumber($0) }
        }
        let times = KeyGuess.time(of: columns)
        if let key = KeyGuess.key(of: keys.filter { $0.path != times }) ?? KeyGuess.key(of: keys) {
            suggestion.set("key", KeyGuess.text(key), because: key.reason)
        } else {
            suggestion.set("key", "id", because: "a guess: no row has a value that could be one")
        }
        if let times { suggestion.set("sort", "{by: \(YAMLText.scalar(times)), type: time}") }
    }

    private static func isNumber(_ value: [UInt8]?) -> Bool {
        value.map { DecimalNumber($0) != nil } ?? false
    }
}
