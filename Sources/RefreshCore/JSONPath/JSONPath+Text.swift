/// Paths and filters as texts, in the shortest notation that reads as them.
extension JSONPath {
    /// The path from `$`.
    package var text: String {
        var writer = JSONPathWriter()
        writer.bytes.append(0x24)
        writer.append(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONFilter {
    /// The condition, with parentheses only where they are needed.
    package var text: String {
        var writer = JSONPathWriter()
        writer.append(expression)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes paths piece by piece.
private struct JSONPathWriter {
    var bytes: [UInt8] = []

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    // MARK: - Paths

    mutating func append(_ path: JSONPath) {
        for segment in path.segments { append(segment) }
    }

    private mutating func append(_ segment: JSONPath.Segment) {
        if segment.isDescendant { append("..") }
        if segment.selectors.count == 1, case .name(let name) = segment.selectors[0], isShort(name) {
            if !segment.isDescendant { append(".") }
            bytes.append(contentsOf: name)
            return
        }
        append("[")
        for (place, selector) in segment.selectors.enumerated() {
            if place > 0 { append(",") }
            append(selector)
        }
        append("]")
    }

    private func isShort(_ name: [UInt8]) -> Bool {
        name.first.map(JSONPathReader.isNameStart) ?? false && name.allSatisfy(JSONPathReader.isNameByte)
    }

    private mutating func append(_ selector: JSONPath.Selector) {
        switch selector {
        case .name(let name): append(quoted: name)
        case .index(let index): append(String(index))
        case .wildcard: append("*")
        case .slice(let slice):
            append("\(slice.start.map(String.init) ?? ""):\(slice.end.map(String.init) ?? "")")
            if let step = slice.step { append(":\(step)") }
        case .filter(let filter):
            append("?")
            append(filter.expression)
        }
    }

    /// Normalized paths quote so (2.7).
    private mutating func append(quoted name: [UInt8]) {
        append("'")
        for byte in name {
            switch byte {
            case 0x27, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x08: append(#"\b"#)
            case 0x09: append(#"\t"#)
            case 0x0A: append(#"\n"#)
            case 0x0C: append(#"\f"#)
            case 0x0D: append(#"\r"#)
            case 0..<0x20:
                append(byte < 0x10 ? #"\u000"# : #"\u001"#)
                append(String(byte & 15, radix: 16))
            default: bytes.append(byte)
            }
        }
        append("'")
    }

    // MARK: - Filters

    mutating func append(_ expression: JSONFilter.Expression) {
        switch expression {
        case .any(let parts): append(parts, between: " || ") { if case .any = $0 { true } else { false } }
        case .all(let parts):
            append(parts, between: " && ") {
                switch $0 {
                case .any, .all: true
                default: false
                }
            }
        case .not(let inner):
            append("!")
            switch inner {
            case .exists, .matches: append(inner)
            default: append(parenthesised: inner)
            }
        case .comparison(let left, let comparison, let right):
            append(left)
            append(" \(comparison.rawValue) ")
            append(right)
        case .exists(let query): append(query)
        case .matches(let text, let pattern, let isWhole):
            append(isWhole ? "match(" : "search(")
            append(text)
            append(", ")
            append(pattern)
            append(")")
        }
    }

    private mutating func append(
        _ parts: [JSONFilter.Expression], between separator: String,
        _ needsParentheses: (JSONFilter.Expression) -> Bool
    ) {
        for (place, part) in parts.enumerated() {
            if place > 0 { append(separator) }
            if needsParentheses(part) { append(parenthesised: part) } else { append(part) }
        }
    }

    private mutating func append(parenthesised expression: JSONFilter.Expression) {
        append("(")
        append(expression)
        append(")")
    }

    private mutating func append(_ operand: JSONFilter.Operand) {
        switch operand {
        case .literal(let literal): append(literal)
        case .query(let query): append(query)
        case .length(let operand):
            append("length(")
            append(operand)
            append(")")
        case .count(let query):
            append("count(")
            append(query)
            append(")")
        case .value(let query):
            append("value(")
            append(query)
            append(")")
        }
    }

    private mutating func append(_ literal: JSONFilter.Literal) {
        switch literal {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let number): bytes.append(contentsOf: number)
        case .string(let text): append(quoted: text)
        }
    }

    private mutating func append(_ query: JSONFilter.Query) {
        append(query.isRelative ? "@" : "$")
        append(query.path)
    }
}
