/// The text of a piece of HTML, for programs that show no markup; lenient, since feeds hold anything.
enum HTMLText {
    /// Whether `text` looks as if it were written as markup: it holds a tag or a character reference.
    static func looksLikeMarkup(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while let at = rest.firstIndex(where: { $0 == open || $0 == ampersand }) {
            rest = rest[at...]
            if rest.first == open ? tagStarts(rest) : HTMLEntities.reference(rest) != nil { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Tags and comments left out, references resolved, white space folded, a line for a block.
    static func text(of html: [UInt8]) -> [UInt8] {
        var writer = Writer()
        writer.text.reserveCapacity(html.count)
        var at = 0
        while at < html.count {
            let byte = html[at]
            if byte == open, tagStarts(html[at...]) {
                var rest = html[at...]
                skipTag(&rest, &writer)
                at = rest.startIndex
            } else if byte == ampersand, let found = HTMLEntities.reference(html[at...]) {
                // A space that must not break is a space to whoever reads text.
                writer.append(found.scalar == "\u{A0}" ? " " : found.scalar)
                if let second = found.second { writer.append(second) }
                at += found.length
            } else {
                let end = plainEnd(html, from: at)
                if end > at {
                    writer.append(run: html[at..<end])
                    at = end
                } else {
                    writer.append(byte)
                    at += 1
                }
            }
        }
        return writer.text
    }

    // MARK: - Pieces

    private static let open = UInt8(ascii: "<")
    private static let ampersand = UInt8(ascii: "&")
    private static let slash = UInt8(ascii: "/")

    private struct Writer {
        var text: [UInt8] = []
        private var pending: UInt8?

        mutating func append(_ byte: UInt8) {
            guard byte != 0x20 && !(0x09...0x0D).contains(byte) else {
                pending = pending ?? 0x20
                return
            }
            if let space = pending, !text.isEmpty { text.append(space) }
            pending = nil
            text.append(byte)
        }

        /// Appends what starts and ends with a visible character and needs no look in between.
        mutating func append(run: ArraySlice<UInt8>) {
            if let space = pending, !text.isEmpty { text.append(space) }
            pending = nil
            text.append(contentsOf: run)
        }

        mutating func append(_ scalar: Unicode.Scalar) {
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
        }

        mutating func breakLine() { pending = 0x0A }
    }

    /// Where words with single spaces between them end.
    private static func plainEnd(_ html: [UInt8], from start: Int) -> Int {
        unsafe html.withUnsafeBufferPointer { html in
            var at = start
            while at < html.count {
                let byte = unsafe html[at]
                if isPlain(byte) {
                    at += 1
                } else if byte == 0x20, at > start, at + 1 < html.count, unsafe isPlain(html[at + 1]) {
                    at += 2
                } else {
                    break
                }
            }
            return at
        }
    }

    @inline(__always) private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != open && byte != ampersand
    }

    private static func tagStarts(_ text: ArraySlice<UInt8>) -> Bool {
        guard let next = text.dropFirst().first else { return false }
        return next == slash || next == UInt8(ascii: "!") || (next | 0x20) &- 0x61 < 26
    }

    private static func skipTag(_ rest: inout ArraySlice<UInt8>, _ writer: inout Writer) {
        // The caller has seen what stands behind the bracket.
        let second = rest[rest.startIndex + 1]
        if second == UInt8(ascii: "!"), rest.starts(with: commentStart) {
            rest = behind(commentEnd, in: rest)
            return
        }
        let isEnd = second == slash
        let tag = TagName(rest, from: rest.startIndex + (isEnd ? 2 : 1))
        rest = behindTag(rest)
        if isBlock(tag) { writer.breakLine() }
        if !isEnd, tag == script || tag == style {
            rest = behind(Array((tag == script ? "</script" : "</style").utf8), in: rest)
            rest = behindTag(rest)
        }
    }

    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)

    private static func behindTag(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = UInt8(ascii: ">")
        var at = text.startIndex
        while at < text.endIndex, text[at] != mark {
            at += 1
            // A value in quotes may hold the mark.
            guard at < text.endIndex, text[at - 1] == UInt8(ascii: "="), text[at] == 0x22 || text[at] == 0x27,
                let end = text[(at + 1)...].firstIndex(of: text[at])
            else { continue }
            at = end + 1
        }
        return text[min(at + 1, text.endIndex)...]
    }

    private static func behind(_ mark: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while let at = rest.firstIndex(of: mark[0]) {
            rest = rest[at...]
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return rest[rest.endIndex...]
    }

    /// A tag's name without regard to case: eight letters and the length tell all that matter apart.
    private struct TagName: Equatable {
        private let letters: UInt64
        private let count: Int

        /// The name that starts at `start`.
        init(_ text: ArraySlice<UInt8>, from start: Int) {
            var letters: UInt64 = 0
            var at = start
            while at < text.endIndex, HTMLEntities.isLetterOrDigit(text[at]) {
                if at < start + 8 { letters = letters << 8 | UInt64(text[at] | 0x20) }
                at += 1
            }
            self.letters = letters
            count = at - start
        }

        init(_ name: String) { self.init(Array(name.utf8)[...], from: 0) }

        /// The first letter, counted from 0; nil of a name that does not start with one.
        var first: Int? {
            guard count > 0 else { return nil }
            let byte = letters >> UInt64(8 * (min(count, 8) - 1)) & 0xFF
            return (0x61...0x7A).contains(byte) ? Int(byte) - 0x61 : nil
        }
    }

    private static let script = TagName("script")
    private static let style = TagName("style")

    private static func isBlock(_ tag: TagName) -> Bool {
        tag.first.map { blocks[$0].contains(tag) } ?? false
    }

    /// By their first letter: so few that looking at each is faster than hashing one.
    private static let blocks: [[TagName]] = {
        var blocks = [[TagName]](repeating: [], count: 26)
        for name in blockNames {
            let tag = TagName(name)
            if let first = tag.first { blocks[first].append(tag) }
        }
        return blocks
    }()

    private static let blockNames =
        [
            "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "h1", "h2",
            "h3",
            "h4", "h5", "h6", "header", "hr", "li", "ol", "p", "pre", "section", "table", "tr", "ul",
        ]
}
