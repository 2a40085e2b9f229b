/// Percent-encoding of URLs (RFC 3986, 2.1), read strictly.
enum PercentCoding {
    /// Nil where a `%` is not followed by two hexadecimal digits.
    ///
    /// - Parameter plusIsSpace: as in queries, where every client library writes a space as `+`.
    static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        if !text.contains(where: { $0 == 0x25 || $0 == 0x2B }) { return Array(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch byte {
            case 0x25:
                guard index + 1 < text.endIndex, let high = digit(text[index]),
                    let low = digit(text[index + 1])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case 0x2B where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
