import RefreshCore

/// The placeholders of the language, `$(name)`; `$$(` stands for `$(` itself.
enum Placeholders {
    static let known = [
        "since", "until", "cursor", "page", "offset", "size", "ids", "parent.FIELD", "var.NAME", "now",
    ]

    struct Found: Equatable {
        /// Between the parentheses.
        let name: String
        /// The byte of its dollar sign.
        let offset: Int
    }

    /// The first placeholder of `text`.
    static func first(in text: String) -> Found? {
        let bytes = Array(text.utf8)
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == 0x24 else {
                index += 1
                continue
            }
            if bytes[index + 1] == 0x24, index + 2 < bytes.count, bytes[index + 2] == 0x28 {
                index += 3
            } else if bytes[index + 1] == 0x28 {
                let name = bytes[(index + 2)...].prefix { $0 != 0x29 }
                return Found(name: String(decoding: name, as: UTF8.self), offset: index)
            } else {
                index += 1
            }
        }
        return nil
    }

    static func isKnown(_ name: String) -> Bool {
        known.contains(name) || name.hasPrefix("parent.") || name.hasPrefix("var.")
    }

    /// `text` without placeholders, each `$$(` read as `$(`.
    static func literal(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            bytes.append(byte)
            if byte == 0x24, rest.starts(with: [0x24, 0x28]) { rest = rest.dropFirst() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ValueReader {
    /// The text that is meant, or nil where it has a placeholder, which this version does not fill.
    mutating func placeholderFree(_ text: String, _ node: YAMLNode, _ path: [String]) -> String? {
        guard let found = Placeholders.first(in: text) else { return Placeholders.literal(text) }
        let shown = "$(\(SafeText.short(found.name)))"
        let place = node.place(atByte: found.offset)
        if Placeholders.isKnown(found.name) {
            problems.add(.unsupported, at: place, path, ValueReader.unsupported(shown))
        } else {
            let known = Placeholders.known.map { "$(\($0))" }.joined(separator: " ")
            let message = "unknown placeholder \"\(shown)\"; known are \(known), and $$( is a plain $("
            problems.add(.badValue, at: place, path, message)
        }
        return nil
    }
}
