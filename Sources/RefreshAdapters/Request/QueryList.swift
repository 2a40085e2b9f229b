import RefreshCore

/// The parameters of a query in their order, those that the URL brought spelled as they came.
struct QueryList: Sendable, Equatable {
    private struct Item: Equatable {
        /// Decoded, to compare by.
        let name: [UInt8]
        /// As it stands in the query.
        let text: String
    }

    private var items: [Item] = []

    /// Takes a query apart; nil is none.
    init(_ query: String?) {
        guard let query, !query.isEmpty else { return }
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            items.append(
                Item(name: QueryList.decoded(name), text: String(decoding: part, as: UTF8.self)))
        }
    }

    func contains(_ name: String) -> Bool { items.contains { $0.name.elementsEqual(name.utf8) } }

    mutating func append(_ name: String, _ value: String) { items.append(QueryList.item(name, value)) }

    /// Puts the value in the place of the first parameter of this name and takes the others out, or appends it.
    mutating func set(_ name: String, _ value: String) {
        guard let first = items.firstIndex(where: { $0.name.elementsEqual(name.utf8) }) else {
            return append(name, value)
        }
        items[first] = QueryList.item(name, value)
        let rest = items[(first + 1)...].filter { !$0.name.elementsEqual(name.utf8) }
        items.replaceSubrange((first + 1)..., with: rest)
    }

    mutating func remove(_ name: String) { items.removeAll { $0.name.elementsEqual(name.utf8) } }

    /// Nil where there is none.
    var text: String? { items.isEmpty ? nil : items.map(\.text).joined(separator: "&") }

    private static func item(_ name: String, _ value: String) -> Item {
        Item(name: Array(name.utf8), text: "\(encoded(name))=\(encoded(value))")
    }

    // MARK: - Percent signs

    /// Everything but letters, digits and `-._~` (RFC 3986, 2.3) in percent signs: right in a query and in a path.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes.append(contentsOf: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var rest = Array(text)[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2, let high = ASCII.hexValue(rest[rest.startIndex]),
                let low = ASCII.hexValue(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return bytes
    }
}
