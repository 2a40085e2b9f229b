/// What stands between the quotes of a JSON string whose escapes were checked.
package enum JSONStringText {
    /// What becomes of one half of a surrogate pair, which no UTF-8 can hold.
    package enum Halves {
        /// The string has no bytes.
        case refused
        /// U+FFFD stands in its place.
        case replaced
        /// Three bytes as if it were a character: to compare by, and not to be given away.
        case kept
    }

    /// The UTF-8 bytes that it means; nil where a half of a surrogate pair is refused.
    package static func decoded(_ text: ArraySlice<UInt8>, halves: Halves = .refused) -> [UInt8]? {
        guard text.contains(JSONByte.backslash) else { return Array(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == JSONByte.backslash else {
                bytes.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { return nil }
            if letter == UInt8(ascii: "u") {
                guard let code = code(&rest) else { return nil }
                if let scalar = Unicode.Scalar(code) {
                    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                } else {
                    switch halves {
                    case .refused: return nil
                    case .replaced: bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
                    case .kept:
                        bytes.append(contentsOf: [
                            0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F),
                            0x80 | UInt8(code & 0x3F),
                        ])
                    }
                }
            } else {
                bytes.append(meaning(of: letter))
            }
        }
        return bytes
    }

    private static func meaning(of letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The code of the digits behind `\u`, of two such escapes where they are a pair.
    private static func code(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard let first = unit(&rest) else { return nil }
        guard 0xD800...0xDBFF ~= first, rest.starts(with: [JSONByte.backslash, UInt8(ascii: "u")]) else {
            return first
        }
        var behind = rest.dropFirst(2)
        guard let second = unit(&behind), 0xDC00...0xDFFF ~= second else { return first }
        rest = behind
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(), let digit = JSONByte.hexValue(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }
}
