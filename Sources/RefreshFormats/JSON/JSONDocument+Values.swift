extension JSONDocument {
    /// A string's UTF-8 bytes without escapes; nil where the node is none, or holds half of a surrogate pair.
    package func string(of node: JSONNode) -> [UInt8]? {
        node.kind == .string ? JSONStringText.decoded(bytes.storage[inside(node.place)]) : nil
    }

    // MARK: - For small bodies

    /// A string as text.
    package func text(_ node: JSONNode?) -> String? {
        node.flatMap(string(of:)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A whole number that 64 bits hold, written without fraction and exponent.
    package func int64(_ node: JSONNode?) -> Int64? {
        guard let node, node.kind == .number else { return nil }
        return Int64(String(decoding: text(of: node), as: UTF8.self))
    }

    /// Any number, as near as a `Double` comes; nil where it is beyond its range.
    package func double(_ node: JSONNode?) -> Double? {
        guard let node, node.kind == .number,
            let value = Double(String(decoding: text(of: node), as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    package func bool(_ node: JSONNode?) -> Bool? {
        guard let node, node.kind == .bool else { return nil }
        return bytes.storage[node.range.lowerBound] == UInt8(ascii: "t")
    }
}
