import RefreshCore
import RefreshFormats

/// Puts what a parent's item hands down into the rows of its sub-pass: parts of their keys, and copied fields.
struct ParentFields {
    private enum Part {
        case parent(ScalarValue)
        /// The next part of the row's own key.
        case own
    }

    private let parts: [Part]
    private let own: Int
    /// Members to add to each row.
    private let members: [(name: String, value: ScalarValue)]

    /// - Parameter fields: the fields of the parent by their names.
    init(_ feed: Feed, _ fields: [String: ScalarValue]) throws(RefreshFailure) {
        var parts: [Part] = []
        for path in feed.records.key {
            guard let name = ParentFields.name(path) else {
                parts.append(.own)
                continue
            }
            guard let value = fields[name], value.kind != .null else {
                throw RefreshFailure(
                    .data, code: "parent-field-missing",
                    detail: "a parent's item has no field \(name), which is part of the key")
            }
            parts.append(.parent(value))
        }
        self.parts = parts
        own = parts.filter { if case .own = $0 { true } else { false } }.count
        members = (feed.details.parent?.with ?? []).compactMap { name in
            fields[name].map { (name, $0) }
        }
    }

    /// The field of the parent that a path of a key names: `parent.FIELD`, in any of the languages.
    static func name(_ path: BodyPath) -> String? {
        let text = path.text
        for prefix in ["$.parent.", "parent."] where text.hasPrefix(prefix) {
            return String(text.dropFirst(prefix.utf8.count))
        }
        return nil
    }

    /// The parts of a key that a row has itself.
    static func ownKey(_ feed: Feed) -> [BodyPath] {
        feed.details.parent == nil ? feed.records.key : feed.records.key.filter { name($0) == nil }
    }

    func added(to harvest: Harvest) throws(RefreshFailure) -> Harvest {
        let hasParts = parts.count > own
        guard hasParts || !members.isEmpty else { return harvest }
        var harvest = harvest
        var text: [UInt8] = []
        text.reserveCapacity(harvest.page.text.count)
        var rows: [RecordPage.Row] = []
        for row in harvest.page.rows {
            let start = text.count
            append(harvest.page.body(of: row), to: &text)
            let hash = members.isEmpty ? row.hash : ContentHash.of(text[start...])
            rows.append(row.replacing(key: try key(row.key), body: start..<text.count, hash: hash))
        }
        harvest.page = harvest.page.replacing(text: text, rows: rows)
        harvest.deleted = try harvest.deleted.map { deleted throws(RefreshFailure) in try key(deleted) }
        return harvest
    }

    private func key(_ key: RecordKey) throws(RefreshFailure) -> RecordKey {
        guard parts.count > own else { return key }
        var mine = own > 1 ? try ownParts(key)[...] : [key.bytes][...]
        var all: [[UInt8]] = []
        for part in parts {
            switch part {
            case .parent(let value): all.append(value.bytes)
            case .own: if let next = mine.popFirst() { all.append(next) }
            }
        }
        return RecordKey(parts: all)
    }

    /// The parts of a key of several: it is an array of strings.
    private func ownParts(_ key: RecordKey) throws(RefreshFailure) -> [[UInt8]] {
        guard let document = try? JSONDocument(parsing: PaddedBytes(key.bytes)) else {
            throw RefreshFailure(
                .internal, code: "key-unreadable", detail: "a key of several parts is no array")
        }
        return document.elements(of: document.root).compactMap(document.string(of:))
    }

    /// A row's text with the copied members at its end, but for those whose name it has itself.
    private func append(_ body: ArraySlice<UInt8>, to text: inout [UInt8]) {
        guard !members.isEmpty, body.first == UInt8(ascii: "{"),
            let document = try? JSONDocument(parsing: PaddedBytes(Array(body)))
        else {
            text.append(contentsOf: body)
            return
        }
        var isEmpty = !document.members(of: document.root).contains { _ in true }
        text.append(contentsOf: body.dropLast())
        for member in members where document.member(member.name, of: document.root) == nil {
            if !isEmpty { text.append(UInt8(ascii: ",")) }
            isEmpty = false
            text.append(contentsOf: ScalarValue(member.name).json)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: member.value.json)
        }
        text.append(UInt8(ascii: "}"))
    }
}

extension RecordPage {
    func replacing(text: [UInt8], rows: [Row]) -> RecordPage {
        RecordPage(
            text: text, rows: rows, newestFirst: newestFirst, rejected: rejected, rejections: rejections)
    }
}

extension RecordPage.Row {
    func replacing(key: RecordKey, body: Range<Int>, hash: ContentHash) -> RecordPage.Row {
        RecordPage.Row(
            key: key, body: body, hash: hash, orderValue: orderValue, version: version, isDeleted: isDeleted)
    }
}
