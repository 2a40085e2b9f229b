import RefreshCore

/// The charset that an XML declaration names (WHATWG HTML, 13.2.3.2, "get an XML encoding").
enum XMLDeclaration {
    /// How long a declaration may be.
    private static let length = 1_024

    /// The charset declared at the very start of `bytes`, or nil. Bytes that can be read as ASCII are not of the wide
    /// charset that they name, so that is taken for UTF-8.
    static func charset(of bytes: ArraySlice<UInt8>) -> Charset? {
        guard let label = label(of: bytes), let charset = Charset(label: label) else { return nil }
        return charset.isWide ? .utf8 : charset
    }

    private static func label(of bytes: ArraySlice<UInt8>) -> String? {
        let start = bytes.prefix(length)
        let word = Array("encoding".utf8)
        guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        var rest = start[..<end]
        while !rest.isEmpty, !rest.starts(with: word) { rest = rest.dropFirst() }
        rest = rest.dropFirst(word.count).drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop { $0 <= 0x20 }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return nil
        }
        let inside = rest.dropFirst()
        guard let close = inside.firstIndex(of: quote) else { return nil }
        let label = inside[..<close]
        return label.contains { $0 <= 0x20 } ? nil : String(decoding: label, as: UTF8.self)
    }
}
