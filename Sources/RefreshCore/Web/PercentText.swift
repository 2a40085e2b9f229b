/// Percent-encoding of single values, for a place where every byte that is not unreserved has a meaning (RFC 3986, 2.1).
package enum PercentText {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// `value` as a name or a value in a query or a path segment: all but unreserved bytes encoded, so that nothing in
    /// it can end the place where it stands.
    package static func encoded(_ value: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(value.utf8.count)
        for byte in value.utf8 { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `value` in a form (`application/x-www-form-urlencoded`, URL Standard, 5.2), where a space is a plus sign.
    package static func formEncoded(_ value: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(value.utf8.count)
        for byte in value.utf8 {
            if byte == 0x20 { text.append(0x2B) } else { append(byte, to: &text) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The names and values as the body of a form.
    package static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(formEncoded($0.0))=\(formEncoded($0.1))" }.joined(separator: "&")
    }

    /// The bytes that `text` stands for; nil where a percent sign encodes nothing.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(ASCII.hexValue),
                let low = rest.popFirst().flatMap(ASCII.hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(byte)
        default: text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
