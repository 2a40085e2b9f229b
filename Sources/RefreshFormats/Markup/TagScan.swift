import Glibc
import RefreshCore

/// Looks for tags with attributes without end before libxml2 does: it compares each attribute with all before it,
/// and cannot be stopped meanwhile.
struct TagScan {
    /// More attributes of one element are refused.
    static let attributeLimit = 1_000

    private let text: ArraySlice<UInt8>
    private let isStrict: Bool
    private var at: Int
    /// The insides of CDATA sections.
    private var sections: [Range<Int>] = []
    /// Whether sections may not be where they seem to be.
    private var isUnsure = false

    /// Fails where a tag of `text` has too many attributes.
    ///
    /// - Parameters:
    ///   - isStrict: whether the parser stops at the first fault. Otherwise scripts, comments and CDATA are looked at
    ///     too, as if they were tags: a parser that is misled about where they end must not be misled about this.
    ///   - isHTML: as what it fails.
    /// - Returns: where the insides of CDATA sections are; none where that is not sure.
    @discardableResult static func check(
        _ text: ArraySlice<UInt8>, isStrict: Bool, isHTML: Bool = false
    ) throws(FormatFailure) -> [Range<Int>] {
        var scan = TagScan(text: text, isStrict: isStrict, at: text.startIndex)
        // In a document type anything may stand in quotes.
        guard let start = scan.run() else { return scan.isUnsure ? [] : scan.sections }
        let line = text[..<start].count { $0 == 0x0A } + 1
        let what = "more than \(attributeLimit) attributes"
        throw isHTML ? .htmlRefused(line: line, what: what) : .xmlRefused(line: line, what: what)
    }

    /// Where a tag with too many attributes starts; nil where there is none.
    private mutating func run() -> Int? {
        while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = start + 1
            guard let byte = current else { return nil }
            if isStrict, byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") {
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
        if rest.starts(with: TagScan.comment) {
            _ = pass(through: TagScan.commentEnd, from: 3)
        } else if rest.starts(with: CDATACut.start.dropFirst()) {
            let start = at + 8
            if pass(through: CDATACut.end, from: 8) { sections.append(start..<(at - 3)) }
        } else if rest.first == UInt8(ascii: "?") {
            if rest.dropFirst().starts(with: CDATACut.target.utf8) { isUnsure = true }
            _ = pass(through: TagScan.instructionEnd, from: 1)
        } else {
            isUnsure = true
        }
    }

    private static let comment = Array("!--".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let instructionEnd = Array("?>".utf8)

    /// False where the end is not there.
    private mutating func pass(through end: [UInt8], from offset: Int) -> Bool {
        at = min(at + offset, text.endIndex)
        while let next = find(end[0]) {
            at = next
            if text[at...].starts(with: end) {
                at += end.count
                return true
            }
            at += 1
        }
        at = text.endIndex
        return false
    }

    /// Where the next such byte is.
    private func find(_ byte: UInt8) -> Int? {
        unsafe text[at...].withUnsafeBytes { rest in
            guard let start = rest.baseAddress,
                let found = unsafe memchr(start, CInt(byte), rest.count)
            else { return nil }
            return unsafe at + (UnsafeRawPointer(found) - start)
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
