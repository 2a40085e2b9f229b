/// Tells a text of UTF-8 with a few foreign bytes in it from one of another charset.
enum UTF8Share {
    /// Bytes that are looked at.
    private static let window = 1 << 16

    /// Whether of the characters beyond ASCII most are well-formed UTF-8: in other charsets only a few are, by chance.
    static func prevails(in bytes: ArraySlice<UInt8>) -> Bool {
        var good = 0
        var stray = 0
        var at = bytes.startIndex
        let end = min(bytes.endIndex, at + window)
        while at < end {
            if bytes[at] < 0x80 {
                at += 1
            } else if let length = UTF8Check.sequenceLength(in: bytes, at: at) {
                good += 1
                at += length
            } else {
                stray += 1
                at += 1
            }
        }
        return stray > 0 && good >= stray * 4
    }
}
