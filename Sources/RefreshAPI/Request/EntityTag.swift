import RefreshCore

/// An entity tag (RFC 9110, 8.8.3).
struct EntityTag: Equatable {
    /// As it stands in the header.
    let text: String

    /// A weak one.
    ///
    /// - Parameter opaque: letters, digits and marks that need no quoting.
    init(_ opaque: String) { text = "W/\"\(opaque)\"" }

    /// One that stands in quotes already, with or without `W/`; nil where it is none.
    init?(asReceived text: String) {
        let bytes = Array(text.utf8)
        let opaque = bytes.starts(with: "W/".utf8) ? bytes[2...] : bytes[...]
        guard opaque.count >= 2, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\""),
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F })
        else { return nil }
        self.text = text
    }

    /// A strong one, of bytes with this hash.
    init(_ hash: ContentHash) {
        let digits = Array("0123456789abcdef".utf8)
        let hex = hash.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        text = "\"\(String(decoding: hex, as: UTF8.self))\""
    }

    /// Whether an If-None-Match with `list` names this tag, compared weakly (RFC 9110, 13.1.2).
    func isNamed(in list: [UInt8]) -> Bool {
        let own = Array(text.utf8)
        let opaque = own.starts(with: "W/".utf8) ? own[2...] : own[...]
        var rest = list[...]
        while let first = rest.first {
            if first == UInt8(ascii: ",") || first <= 0x20 {
                rest = rest.dropFirst()
                continue
            }
            if first == UInt8(ascii: "*") { return true }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            // A comma may stand within the quotes.
            let isQuoted = rest.first == UInt8(ascii: "\"")
            let end =
                isQuoted
                ? rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")).map { $0 + 1 }
                : rest.firstIndex(of: UInt8(ascii: ","))
            let tag = rest[..<(end ?? rest.endIndex)]
            if tag == opaque { return true }
            rest = rest[tag.endIndex...]
        }
        return false
    }
}
