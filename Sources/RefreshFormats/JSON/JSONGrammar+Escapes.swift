import Glibc

extension JSONGrammar {
    /// Walks over all backslashes of a text whose tokens are right: they then stand in strings.
    static func checkEscapes(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> FormatFailure? {
        var at = start
        while at < end, let found = unsafe memchr(bytes + at, CInt(JSONByte.backslash), end - at) {
            let offset = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            switch unsafe bytes[offset + 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
                UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                at = offset + 2
            case UInt8(ascii: "u"):
                for digit in offset + 2..<offset + 6 where unsafe JSONByte.hexValue(bytes[digit]) == nil {
                    return .jsonInvalid(offset: offset, what: "\\u wants four hexadecimal digits")
                }
                at = offset + 6
            default: return .jsonInvalid(offset: offset, what: "no such escape")
            }
        }
        return nil
    }
}
