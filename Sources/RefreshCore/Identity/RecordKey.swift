/// What identifies a record within its feed, compared byte by byte (semantics I1–I3).
///
/// `String` would not do: its equality is canonical, so two ids that a database keeps apart would be one here.
package struct RecordKey: Hashable, Comparable, Sendable {
    /// UTF-8; for a key of several parts the JSON array of its parts.
    package let bytes: [UInt8]

    /// The longest key that is stored.
    package static let longest = 1_024

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// A key of several parts: a JSON array of strings, so that `["a","bc"]` and `["ab","c"]` differ.
    package init(parts: [[UInt8]]) {
        if parts.count == 1, let only = parts.first {
            bytes = only
            return
        }
        var text = JSONText()
        text.array { text in
            for part in parts { text.string(part) }
        }
        bytes = text.bytes
    }

    // What is synthesised would feed the hasher byte by byte.
    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    package static func < (left: RecordKey, right: RecordKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The key as text, for people.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
