import RefreshCore

/// The words after the question mark: names and values, in order, as forms write them.
struct Query: Sendable, Equatable {
    struct Word: Sendable, Equatable {
        let name: String
        let value: String
    }

    let words: [Word]

    /// Reads `a=b&c=d`. A plus is a space; a percent sign that encodes nothing stands for itself.
    init(_ bytes: some Collection<UInt8>) {
        words = bytes.split(separator: UInt8(ascii: "&")).map { part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return Word(
                name: Query.decoded(name), value: Query.decoded(part.dropFirst(name.count + 1)))
        }
    }

    /// The first value of this name; an empty one counts as absent.
    func first(_ name: String) -> String? {
        guard let value = words.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        var text: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
                let high = ASCII.hexValue(bytes[place + 1]), let low = ASCII.hexValue(bytes[place + 2])
            {
                text.append(high << 4 | low)
                place += 3
            } else {
                text.append(bytes[place] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
