import RefreshCore

/// Scalars and flow collections of YAML as a person would write them.
enum YAMLText {
    /// One that needs no quotes stays plain; what cannot be shown safely is left out.
    static func scalar(_ text: String) -> String {
        if isPlain(text) { return text }
        let spaced = text.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
        var json = JSONText()
        json.string(String(String.UnicodeScalarView(spaced.filter { !SafeText.isUnsafe($0) })))
        return json.text
    }

    /// `[a, b]`.
    static func list(_ texts: [String]) -> String { "[\(texts.map(scalar).joined(separator: ", "))]" }

    /// Words that a reader might take for something else than text.
    private static let words: Set<String> = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "e",
    ]

    /// Whether a scalar can mean nothing but its text, between brackets too.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) || first == 0x5F || first == 0x24,
            let last = text.utf8.last, last != UInt8(ascii: ":"), !words.contains(text.lowercased())
        else { return false }
        return text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || plainMarks.contains(byte)
        }
    }

    private static let plainMarks = Set("$_./:?=%~+@-&".utf8)
}

/// The names of feeds, made from titles and addresses.
struct FeedNames {
    private var taken: Set<String> = []

    /// A legal name that was not given before.
    ///
    /// - Parameter fallback: what it is made of where the title has no letter or digit of ASCII.
    mutating func name(for title: String, fallback: String) -> String {
        let base = FeedNames.slug(title) ?? FeedNames.slug(fallback) ?? "feed"
        var name = base
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            let ending = "-\(number)"
            name =
                String(
                    decoding: Array(base.utf8.prefix(FeedNames.longest - ending.utf8.count)), as: UTF8.self)
                + ending
        }
        return name
    }

    private static let longest = 64

    private static func slug(_ text: String) -> String? {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
                bytes.append(ASCII.lowercased(byte))
            } else if byte != UInt8(ascii: "'"), bytes.last.map({ $0 != 0x2D }) ?? false {
                bytes.append(0x2D)
            }
            if bytes.count == longest { break }
        }
        while bytes.last == 0x2D { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
