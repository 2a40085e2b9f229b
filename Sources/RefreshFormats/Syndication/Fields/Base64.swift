import RefreshCore

/// Base64 as mail has it (RFC 4648, 4): padded, with white space wherever.
enum Base64 {
    /// Nil where anything but letters of the alphabet, padding and white space stands in it.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count)
        for byte in text where !ASCII.isSpace(byte) && byte != UInt8(ascii: "=") {
            switch byte {
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            default: letters.append(byte)
            }
        }
        return Base64URL.decode(letters)
    }
}
