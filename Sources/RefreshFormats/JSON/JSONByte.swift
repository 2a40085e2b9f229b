/// The bytes that JSON's grammar is made of (RFC 8259, section 2).
enum JSONByte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openObject = UInt8(ascii: "{")
    static let closeObject = UInt8(ascii: "}")
    static let openArray = UInt8(ascii: "[")
    static let closeArray = UInt8(ascii: "]")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")

    @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// What may follow a number or a literal.
    @inline(__always) static func endsScalar(_ byte: UInt8) -> Bool {
        byte == comma || byte == closeObject || byte == closeArray || isSpace(byte)
    }

    @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
