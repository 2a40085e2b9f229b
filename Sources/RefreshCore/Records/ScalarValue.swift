/// A single value out of a document: what pages are asked for by, what bounds an incremental pass.
package struct ScalarValue: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case string, number, bool, null }

    package let kind: Kind
    /// A string in UTF-8 without escapes, half a surrogate pair as U+FFFD; else the JSON text as written.
    package let bytes: [UInt8]

    package init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    package init(_ text: String) { self.init(kind: .string, bytes: Array(text.utf8)) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// As JSON.
    package var json: [UInt8] {
        guard kind == .string else { return bytes }
        var text = JSONText()
        text.string(bytes)
        return text.bytes
    }

    /// A flag such as `has_more`: true, or a number that is not zero, or such a word; nil where it says neither.
    package var flag: Bool? {
        switch kind {
        case .bool: return bytes.first == 0x74
        case .null: return false
        case .number: return DecimalNumber(bytes).map { $0 != .zero }
        case .string:
            switch String(decoding: bytes.map(ASCII.lowercased), as: UTF8.self) {
            case "true", "yes", "y", "1": return true
            case "false", "no", "n", "0", "": return false
            default: return nil
            }
        }
    }

    /// A whole number of at least zero such as a total, also as digits in a string.
    package var count: Int? {
        guard kind == .number || kind == .string, let number = DecimalNumber(ASCII.trimmed(bytes)),
            !number.isNegative, number.exponent <= 18, number.digits.count <= max(number.exponent, 0)
        else { return nil }
        return Int(number.text)
    }
}
