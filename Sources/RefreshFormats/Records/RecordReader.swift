import RefreshCore

/// Reads what identifies and orders a record out of its row.
struct RecordReader {
    /// Paths from the row to the parts of its key; none is the row itself.
    private let key: [JSONPath]
    private let version: JSONPath?
    private let order: (path: JSONPath, kind: SortPlan.Kind)?
    let limits: RecordLimits

    init(_ rules: RecordRules) {
        let key = rules.plan.key.compactMap(\.inRow)
        self.key = key.isEmpty ? [.root] : key
        version = rules.plan.version?.inRow
        order = rules.sort.flatMap { sort in sort.by.inRow.map { ($0, sort.kind) } }
        limits = rules.limits
    }

    /// The row of `node`, of which `body` is the stored text.
    func row(
        of node: JSONNode, in document: JSONDocument, body: Range<Int>, hash: ContentHash, isDeleted: Bool
    ) throws(RecordRefusal) -> RecordPage.Row {
        let key = try recordKey(of: node, in: document)
        return RecordPage.Row(
            key: key, body: body, hash: hash, orderValue: orderValue(of: node, in: document),
            version: versionValue(of: node, in: document), isDeleted: isDeleted)
    }

    func orderValue(of node: JSONNode, in document: JSONDocument) -> OrderValue {
        guard let order, let value = document.scalar(at: order.path, from: node) else { return .null }
        return OrderValue(value, kind: order.kind)
    }

    func versionValue(of node: JSONNode, in document: JSONDocument) -> VersionValue? {
        guard let version, let value = document.scalar(at: version, from: node) else { return nil }
        switch value.kind {
        case .number: return DecimalNumber(value.bytes).map { VersionValue($0) }
        case .string: return VersionValue(value.bytes)
        case .bool, .null: return nil
        }
    }

    // MARK: - Keys

    func recordKey(of node: JSONNode, in document: JSONDocument) throws(RecordRefusal) -> RecordKey {
        let made: RecordKey
        if key.count == 1 {
            made = RecordKey(try part(key[0], of: node, in: document))
            if made.bytes.isEmpty { throw .empty(path: key[0].text) }
        } else {
            var parts: [[UInt8]] = []
            for path in key { parts.append(try part(path, of: node, in: document)) }
            made = RecordKey(parts: parts)
        }
        return try limits.bounded(made)
    }

    /// The key that an entry of a list of deletions names: a value that is the key, or an object that holds its parts.
    func deletedKey(_ node: JSONNode, in document: JSONDocument) throws(RecordRefusal) -> RecordKey {
        guard node.kind != .object, key.count == 1 else { return try recordKey(of: node, in: document) }
        let made = RecordKey(try part(.root, of: node, in: document))
        if made.bytes.isEmpty { throw .empty(path: "$") }
        return try limits.bounded(made)
    }

    /// A part of the key as text: strings byte for byte, integers in decimal, booleans by name (semantics I1).
    private func part(
        _ path: JSONPath, of node: JSONNode, in document: JSONDocument
    ) throws(RecordRefusal) -> [UInt8] {
        guard let (place, isRepeated) = document.follow(path.steps ?? [], from: node.place) else {
            throw .absent(path: path.text)
        }
        if isRepeated { throw .ambiguous(path: path.text) }
        let found = document.node(at: place)
        switch found.kind {
        case .string:
            guard let text = document.string(of: found) else { throw .surrogate(path: path.text) }
            return text
        case .number: return try integer(document.text(of: found), path)
        case .bool: return Array(document.text(of: found))
        case .null, .object, .array: throw .notAKey(path: path.text, kind: found.kind.described)
        }
    }

    /// JSON allows no leading zeros, so an integer has one spelling, but for the sign of zero.
    private func integer(_ text: ArraySlice<UInt8>, _ path: JSONPath) throws(RecordRefusal) -> [UInt8] {
        let sign = UInt8(ascii: "-")
        guard text.allSatisfy({ JSONByte.isDigit($0) || $0 == sign }) else {
            throw .fraction(path: path.text)
        }
        return text.elementsEqual([sign, 0x30]) ? [0x30] : Array(text)
    }
}

extension BodyPath {
    /// The path in a record that is JSON: a column is the member of its name. Nil of XPath, which knows no JSON.
    var inRow: JSONPath? {
        switch self {
        case .json(let path): path
        case .column(let name): JSONPath([.name(Array(name.utf8))])
        case .xpath: nil
        }
    }
}
