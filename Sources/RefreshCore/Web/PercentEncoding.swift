/// Brings paths and queries into the letters that RFC 3986 allows, without encoding anything twice.
struct PercentEncoding {
    /// Whether a percent sign that encodes nothing is encoded itself instead of refused.
    let isLenient: Bool

    /// A path, with what is no `pchar` or slash encoded (3.3).
    func path(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) -> [UInt8] {
        // Browsers read it as a slash, other programs as a letter; who guesses wrong asks another host.
        if let backslash = bytes.firstIndex(of: 0x5C) { throw PercentEncoding.backslash(at: backslash) }
        return try encoded(bytes)
    }

    /// A query, with what is no `pchar`, slash or question mark encoded (3.4).
    func query(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) -> String {
        String(decoding: try encoded(bytes), as: UTF8.self)
    }

    static func backslash(at offset: Int) -> WebURL.Failure {
        WebURL.Failure(offset: offset, message: #"a URL has no backslashes; write "/""#)
    }

    private func encoded(_ bytes: ArraySlice<UInt8>) throws(WebURL.Failure) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == 0x25 {
                if place + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[place + 1]),
                    let low = ASCII.hexValue(bytes[place + 2])
                {
                    PercentEncoding.append(high << 4 | low, to: &text)
                    place += 3
                    continue
                }
                guard isLenient else {
                    throw WebURL.Failure(
                        offset: place, message: #""%" without two hexadecimal digits; write "%25""#)
                }
            }
            if PercentEncoding.isAllowed(byte) {
                text.append(byte)
            } else {
                PercentEncoding.append(byte, to: &text)
            }
            place += 1
        }
        return text
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(0x25)
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }

    /// `pchar`, slash and question mark; brackets too, which many APIs use in queries and all servers take.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // - . _ ~ ! $ & ' ( ) * + , ; = : @ / ? [ ]
        case 0x2D, 0x2E, 0x5F, 0x7E, 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D, 0x3A, 0x40, 0x2F, 0x3F, 0x5B, 0x5D:
            true
        default: false
        }
    }
}
