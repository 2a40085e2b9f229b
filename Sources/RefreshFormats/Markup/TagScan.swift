import RefreshCore

/// Looks for tags with attributes without end before libxml2 does: it compares each attribute with all before it,
/// and cannot be stopped meanwhile.
struct TagScan {
    /// More attributes of one element are refused.
    static let attributeLimit = 1_000

    private let text: ArraySlice<UInt8>
    private let isHTML: Bool
    private var at: Int

    /// Where a tag with too many attributes starts in `text`; nil where there is none.
    ///
    /// What is counted in HTML may be more than its attributes, as scripts and comments are looked at too: a parser
    /// that is misled about where they end must not be misled about this.
    static func excess(in text: ArraySlice<UInt8>, isHTML: Bool) -> Int? {
        var scan = TagScan(text: text, isHTML: isHTML, at: text.startIndex)
        return scan.run()
    }

    private mutating func run() -> Int? {
        while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = start + 1
            guard let byte = current else { return nil }
            if !isHTML, byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") {
                passDeclaration()
            } else if (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x3A || byte >= 0x80 {
                if countsTooMany() { return start }
            }
        }
        return nil
    }

    private var current: UInt8? { at < text.endIndex ? text[at] : nil }

    /// Passes over a comment, CDATA or processing instruction of XML; in a document type `<` is looked for again.
    private mutating func passDeclaration() {
        let rest = text[at...]
        if rest.starts(with: "!--".utf8) {
            pass(through: Array("-->".utf8), from: 3)
        } else if rest.starts(with: "![CDATA[".utf8) {
            pass(through: Array("]]>".utf8), from: 8)
        } else if rest.first == UInt8(ascii: "?") {
            pass(through: Array("?>".utf8), from: 1)
        }
    }

    private mutating func pass(through end: [UInt8], from offset: Int) {
        at += offset
        while let byte = current {
            if byte == end[0], text[at...].starts(with: end) {
                at += end.count
                return
            }
            at += 1
        }
    }

    private mutating func countsTooMany() -> Bool {
        var count = 0
        passName()
        while true {
            passSpace()
            guard let byte = current, byte != UInt8(ascii: ">") else { return false }
            if byte == UInt8(ascii: "/") {
                at += 1
                continue
            }
            count += 1
            if count > TagScan.attributeLimit { return true }
            passAttribute()
        }
    }

    /// At least one byte.
    private mutating func passAttribute() {
        at += 1
        passName()
        passSpace()
        guard current == UInt8(ascii: "=") else { return }
        at += 1
        passSpace()
        guard let quote = current else { return }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            while let byte = current, !ASCII.isSpace(byte), byte != UInt8(ascii: ">") { at += 1 }
            return
        }
        at += 1
        while let byte = current, byte != quote { at += 1 }
        at = min(at + 1, text.endIndex)
    }

    private mutating func passName() {
        while let byte = current, !ASCII.isSpace(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "="),
            byte != UInt8(ascii: "/")
        { at += 1 }
    }

    private mutating func passSpace() {
        while let byte = current, ASCII.isSpace(byte) { at += 1 }
    }
}
