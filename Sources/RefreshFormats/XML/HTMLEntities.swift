import CXML2

/// The named characters of HTML 4 (libxml2's table) and numeric references.
enum HTMLEntities {
    private static let longestName = 8

    /// The character that `name` stands for, without ampersand and semicolon.
    static func named(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard !name.isEmpty, name.count <= longestName, name.allSatisfy(isLetterOrDigit) else { return nil }
        let text = Array(name) + [0]
        guard let found = unsafe htmlEntityLookup(text) else {
            return name.elementsEqual("apos".utf8) ? "'" : nil
        }
        return unsafe Unicode.Scalar(found.pointee.value)
    }

    /// The character of `#65` or `#x41`; what no XML may hold is refused.
    static func numeric(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let digits = reference.dropFirst()
        let isHex = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
        let text = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        guard text.utf8.count <= longestName, let first = text.utf8.first, isLetterOrDigit(first),
            let value = UInt32(text, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
            value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D,
            value & 0xFFFE != 0xFFFE
        else { return nil }
        return scalar
    }

    /// The character that the reference at the start of `text` stands for, and the bytes that it takes.
    static func reference(_ text: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        let inside = text.dropFirst().prefix(longestName + 3)
        guard let end = inside.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = inside[..<end]
        let scalar = name.first == UInt8(ascii: "#") ? numeric(name) : named(name)
        return scalar.map { ($0, end - text.startIndex + 1) }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        JSONByte.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
    }
}
