import CXML2

/// The named characters of HTML: those of HTML 4 from libxml2's table, the rest from ours; and numeric references.
enum HTMLEntities {
    /// What a reference stands for, and the bytes that it takes. A few names stand for two characters.
    struct Found {
        let scalar: Unicode.Scalar
        var second: Unicode.Scalar?
        var length = 0
    }

    private static let longestOfHTML4 = 8
    private static let longestName = 32

    /// What `name` stands for, without ampersand and semicolon.
    static func named(_ name: ArraySlice<UInt8>) -> Found? {
        guard !name.isEmpty, name.count <= longestName, name.allSatisfy(isLetterOrDigit) else { return nil }
        if name.count <= longestOfHTML4 {
            let text = Array(name) + [0]
            if let found = unsafe htmlEntityLookup(text) {
                return unsafe Unicode.Scalar(found.pointee.value).map { Found(scalar: $0) }
            }
            if name.elementsEqual("apos".utf8) { return Found(scalar: "'") }
        }
        return added[String(decoding: name, as: UTF8.self)].map { Found(scalar: $0.first, second: $0.second) }
    }

    /// The character of `#65` or `#x41`; what no XML may hold is refused. Where the controls are that nobody uses,
    /// Windows-1252 is meant (WHATWG HTML, 13.2.5.80).
    static func numeric(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let digits = reference.dropFirst()
        let isHex = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
        let text = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        guard text.utf8.count <= longestOfHTML4, let first = text.utf8.first, isLetterOrDigit(first),
            let value = UInt32(text, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
            value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D,
            value & 0xFFFE != 0xFFFE
        else { return nil }
        return (0x80...0x9F).contains(value) ? Windows1252.character(UInt8(value)) : scalar
    }

    /// What the reference at the start of `text` stands for.
    static func reference(_ text: ArraySlice<UInt8>) -> Found? {
        let inside = text.dropFirst().prefix(longestName + 3)
        guard let end = inside.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = inside[..<end]
        var found = name.first == UInt8(ascii: "#") ? numeric(name).map { Found(scalar: $0) } : named(name)
        found?.length = end - text.startIndex + 1
        return found
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        JSONByte.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
    }
}
