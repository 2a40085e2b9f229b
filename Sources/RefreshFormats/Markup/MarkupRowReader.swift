import CXML2
import RefreshCore

/// Makes one record of each node that is a row.
struct MarkupRowReader {
    private struct Field {
        let name: [UInt8]
        let isList: Bool
        let expression: XPathExpression
    }

    /// Where a part of the key comes from.
    private enum Part {
        case field(Int)
        case expression(XPathExpression)
    }

    /// What a field is in one row.
    private enum Value {
        case absent
        case text([UInt8])
        case number([UInt8])
        case bool(Bool)
        case list([[UInt8]])
    }

    private let fields: [Field]
    /// Parts by the name that the feed gives them.
    private let key: [(name: String, part: Part)]
    private let limits: RecordLimits
    private(set) var text: [UInt8] = []
    /// Bytes that were read of the document so far, of refused rows too.
    private(set) var spent = 0

    /// A part of the key that is the name of a field means this, anything else is an expression from the row's node.
    init(
        _ document: borrowing MarkupDocument, plan: RecordsPlan, limits: RecordLimits
    ) throws(FormatFailure) {
        var fields: [Field] = []
        for field in plan.fields {
            let isList = field.name.hasSuffix("[]")
            let name = isList ? String(field.name.dropLast(2)) : field.name
            fields.append(
                Field(
                    name: Array(name.utf8), isList: isList,
                    expression: try document.xpath.compiled(field.path.text)))
        }
        var key: [(name: String, part: Part)] = []
        for path in plan.key {
            let text = path.text
            if let index = fields.firstIndex(where: { $0.name == Array(text.utf8) }) {
                key.append((text, .field(index)))
            } else {
                key.append((text, .expression(try document.xpath.compiled(text))))
            }
        }
        self.fields = fields
        self.key = key
        self.limits = limits
    }

    var expressionCount: Int { fields.count + key.count + 1 }

    @unsafe mutating func row(
        of node: xmlNodePtr, in xpath: borrowing XPathContext
    ) throws(FormatFailure) -> Result<RecordPage.Row, RecordRefusal> {
        var values: [Value] = []
        values.reserveCapacity(fields.count)
        for field in fields {
            values.append(try unsafe value(of: field.expression, isList: field.isList, at: node, xpath))
        }
        var parts: [(name: String, value: Value)] = []
        for (name, part) in key {
            switch part {
            case .field(let index): parts.append((name, values[index]))
            case .expression(let expression):
                parts.append((name, try unsafe value(of: expression, isList: false, at: node, xpath)))
            }
        }
        do throws(RecordRefusal) {
            let key = try recordKey(parts)
            let body = json(values)
            guard body.count <= limits.item.bytes else {
                throw .longRecord(bytes: body.count, limit: limits.item)
            }
            let start = text.count
            text.append(contentsOf: body)
            return .success(
                RecordPage.Row(key: key, body: start..<text.count, hash: ContentHash.of(body)))
        } catch {
            return .failure(error)
        }
    }

    @unsafe private mutating func value(
        of expression: XPathExpression, isList: Bool, at node: xmlNodePtr, _ xpath: borrowing XPathContext
    ) throws(FormatFailure) -> Value {
        let found = try unsafe xpath.value(of: expression, at: node)
        if found.isNodeSet {
            if isList {
                found.sort()
                var texts: [[UInt8]] = []
                for index in 0..<found.nodeCount {
                    texts.append(found.text(ofNode: index))
                    spent += texts[index].count + 3
                    // More than this is refused anyway.
                    if spent > limits.text.bytes { break }
                }
                return .list(texts)
            }
            return found.nodeCount == 0 ? .absent : spend(.text(found.text))
        }
        let value: Value =
            if found.isBool {
                .bool(found.bool)
            } else if found.isNumber {
                found.number.map { .number($0) } ?? .absent
            } else {
                .text(found.text)
            }
        guard isList else { return spend(value) }
        if case .absent = value { return .list([]) }
        return .list([found.text])
    }

    private mutating func spend(_ value: Value) -> Value {
        if case .text(let bytes) = value { spent += bytes.count }
        spent += 8
        return value
    }

    private func recordKey(_ parts: [(name: String, value: Value)]) throws(RecordRefusal) -> RecordKey {
        var texts: [[UInt8]] = []
        for (name, value) in parts {
            switch value {
            case .absent: throw .absent(path: name)
            case .text(let text): texts.append(text)
            case .bool(let value): texts.append(Array((value ? "true" : "false").utf8))
            case .list: throw .notAKey(path: name, kind: "a list")
            case .number(let number):
                guard number.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }) else {
                    throw .fraction(path: name)
                }
                texts.append(number)
            }
        }
        return try limits.key(of: texts, named: parts.first?.name ?? "")
    }

    private func json(_ values: [Value]) -> [UInt8] {
        var writer = RecordWriter()
        writer.object { writer in
            for (field, value) in zip(fields, values) {
                if case .absent = value { continue }
                writer.name(field.name)
                switch value {
                case .absent: break
                case .text(let text): writer.string(text)
                case .number(let number): writer.raw(number[...])
                case .bool(let value): writer.raw(Array((value ? "true" : "false").utf8)[...])
                case .list(let texts):
                    writer.array { writer in
                        for text in texts { writer.string(text) }
                    }
                }
            }
        }
        return writer.bytes
    }
}
