/// A regular expression of RFC 9485, the kind that `match` and `search` take, as one of PCRE's.
///
/// Beyond that standard `^` and `$` outside of brackets stand for the start and the end, as the compliance suite of
/// RFC 9535 has it. All else that PCRE could do is refused, so no pattern out of a document reaches it.
package struct IRegexp: Hashable, Sendable {
    /// Why a text is no such pattern.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte at which reading stopped.
        package let offset: Int
        package let message: String
    }

    /// For PCRE in UTF mode.
    package let pattern: [UInt8]

    /// Reads UTF-8.
    package init(parsing text: [UInt8]) throws(IRegexp.Failure) {
        var reader = IRegexpReader(text)
        pattern = try reader.translated()
    }
}

/// Checks a pattern from left to right and writes it anew.
private struct IRegexpReader {
    private let text: [UInt8]
    private var place = 0
    private var result: [UInt8] = []

    init(_ text: [UInt8]) { self.text = text }

    private var next: UInt8? { place < text.count ? text[place] : nil }

    private func failure(_ message: String) -> IRegexp.Failure {
        IRegexp.Failure(offset: place, message: message)
    }

    mutating func translated() throws(IRegexp.Failure) -> [UInt8] {
        var open = 0
        var isRepeatable = false
        while let byte = next {
            switch byte {
            case 0x28:
                open += 1
                guard open <= 64 else { throw failure("parentheses are nested too deep") }
                // Groups capture nothing that anybody asks for.
                take(as: "(?:")
                isRepeatable = false
            case 0x29:
                guard open > 0 else { throw failure(#"")" without "(""#) }
                open -= 1
                take(as: ")")
                isRepeatable = true
            case 0x7C:
                take(as: "|")
                isRepeatable = false
            case 0x2A, 0x2B, 0x3F, 0x7B:
                guard isRepeatable else { throw failure("nothing stands before the quantifier") }
                try quantifier(byte)
                isRepeatable = false
            default: isRepeatable = try atom(byte)
            }
        }
        guard open == 0 else { throw failure(#""(" without ")""#) }
        return result
    }

    private mutating func take(as text: String) {
        result.append(contentsOf: text.utf8)
        place += 1
    }

    /// Whether what was taken can be repeated.
    private mutating func atom(_ byte: UInt8) throws(IRegexp.Failure) -> Bool {
        switch byte {
        case 0x2E: take(as: #"[^\n\r]"#)
        case 0x5B: try bracketed()
        case 0x5C: try escape()
        case 0x5D, 0x7D: throw failure(#"write "\\#(Character(Unicode.Scalar(byte)))""#)
        case 0x5E, 0x24:
            take(as: String(Character(Unicode.Scalar(byte))))
            return false
        default:
            // The bytes of one character: a quantifier repeats it whole.
            result.append(byte)
            place += 1
        }
        return true
    }

    private mutating func quantifier(_ byte: UInt8) throws(IRegexp.Failure) {
        guard byte == 0x7B else {
            result.append(byte)
            place += 1
            return
        }
        let start = place
        place += 1
        let digits = takeDigits()
        guard digits > 0 else { throw failure(#"missing number after "{""#) }
        if next == 0x2C {
            place += 1
            _ = takeDigits()
        }
        guard next == 0x7D else { throw failure(#"missing "}""#) }
        place += 1
        result.append(contentsOf: text[start..<place])
    }

    private mutating func takeDigits() -> Int {
        let start = place
        while let byte = next, ASCII.isDigit(byte) { place += 1 }
        return place - start
    }

    // MARK: - Escapes and classes

    private static let escapable = Array(#"()*+-.?[\]^{|}nrt"#.utf8)

    /// `\` and a letter that is then itself, or a category such as `\p{Lu}`.
    private mutating func escape() throws(IRegexp.Failure) {
        guard place + 1 < text.count else { throw failure("nothing stands behind the last backslash") }
        let letter = text[place + 1]
        if letter == 0x70 || letter == 0x50 { return try category() }
        guard IRegexpReader.escapable.contains(letter) else {
            let hint = letter == 0x64 ? "; write [0-9]" : letter == 0x77 ? "; write [A-Za-z0-9_]" : ""
            throw failure("no such escape\(hint)")
        }
        result.append(contentsOf: [0x5C, letter])
        place += 2
    }

    private static let categories: [UInt8: String] = [
        0x4C: "lmotu", 0x4D: "cen", 0x4E: "dlo", 0x50: "cdefios", 0x5A: "lps", 0x53: "ckmo", 0x43: "cfno",
    ]

    private mutating func category() throws(IRegexp.Failure) {
        let name = text[(place + 2)...].prefix(4)
        let letters = Array(name.dropFirst().prefix { $0 != 0x7D })
        guard name.first == 0x7B, let first = letters.first, let second = IRegexpReader.categories[first],
            letters.count == 1 || (letters.count == 2 && second.utf8.contains(letters[1])),
            place + 3 + letters.count < text.count, text[place + 3 + letters.count] == 0x7D
        else { throw failure(#"a category is written \p{L} or \p{Lu}"#) }
        let end = place + 4 + letters.count
        result.append(contentsOf: text[place..<end])
        place = end
    }

    /// A class in brackets; "-" stands for itself only first and last.
    private mutating func bracketed() throws(IRegexp.Failure) {
        take(as: "[")
        if next == 0x5E { take(as: "^") }
        var isEmpty = true
        if next == 0x2D {
            take(as: #"\-"#)
            isEmpty = false
        }
        while let byte = next {
            switch byte {
            case 0x5D:
                guard !isEmpty else { throw failure("nothing stands in the brackets") }
                return take(as: "]")
            case 0x2D:
                guard place + 1 < text.count, text[place + 1] == 0x5D else {
                    throw failure(#"within brackets write "\-""#)
                }
                take(as: #"\-"#)
            default: try rangeOrOne()
            }
            isEmpty = false
        }
        throw failure(#""[" without "]""#)
    }

    private mutating func rangeOrOne() throws(IRegexp.Failure) {
        let isCategory = try member()
        guard !isCategory, next == 0x2D, place + 1 < text.count, text[place + 1] != 0x5D else { return }
        take(as: "-")
        guard try !member() else { throw failure("a range ends with a letter") }
    }

    /// One letter of a class, or a category, of which it returns true.
    private mutating func member() throws(IRegexp.Failure) -> Bool {
        guard let byte = next else { throw failure(#""[" without "]""#) }
        switch byte {
        case 0x5C:
            let isCategory = place + 1 < text.count && text[place + 1] | 0x20 == 0x70
            try escape()
            return isCategory
        case 0x5B, 0x2D: throw failure(#"within brackets write "\\#(Character(Unicode.Scalar(byte)))""#)
        case 0x5E:
            take(as: #"\^"#)
            return false
        default:
            // Continuation bytes belong to the character before them.
            repeat {
                result.append(text[place])
                place += 1
            } while next.map { $0 & 0xC0 == 0x80 } ?? false
            return false
        }
    }
}
