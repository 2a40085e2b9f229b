/// What stands between the quotes of a JSON string whose escapes were checked.
enum JSONStringText {
    /// The UTF-8 bytes that it means; nil where an escape is one half of a surrogate pair, which no UTF-8 can hold.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
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
                guard let scalar = scalar(&rest) else { return nil }
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
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

    /// The character of the digits behind `\u`, of two such escapes where they are a pair.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) }
        guard rest.starts(with: [JSONByte.backslash, UInt8(ascii: "u")]) else { return nil }
        rest = rest.dropFirst(2)
        guard let second = unit(&rest), 0xDC00...0xDFFF ~= second else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
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
