import RefreshCore

/// Makes the addresses within markup absolute: a reader of the record knows no base to resolve them against.
enum MarkupLinks {
    /// `html` with its relative references resolved; untouched where it holds none.
    static func resolved(_ html: [UInt8], _ base: LinkBase) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var at = 0
        while let open = next(UInt8(ascii: "<"), in: html, from: at) {
            at = open + 1
            while let value = attribute(in: html, from: &at) {
                if isAbsolute(html, value) { continue }
                let reference = Array(html[value])
                let absolute = base.absolute(reference)
                if absolute == reference { continue }
                result += html[copied..<value.lowerBound]
                // What may not stand in a value was not in a reference either: quotes are encoded by both.
                result += absolute
                copied = value.upperBound
            }
        }
        if copied == 0 { return html }
        return result + html[copied...]
    }

    /// Most references of most feeds are.
    private static func isAbsolute(_ html: [UInt8], _ value: Range<Int>) -> Bool {
        value.count > 7 && html[value.lowerBound] | 0x20 == UInt8(ascii: "h")
            && html[value].starts(with: "http".utf8)
            && (html[value.lowerBound + 4] == UInt8(ascii: ":")
                || html[value.lowerBound + 5] == UInt8(ascii: ":"))
    }

    private static func next(_ byte: UInt8, in html: [UInt8], from start: Int) -> Int? {
        guard start < html.count else { return nil }
        return unsafe html.withUnsafeBufferPointer { html in
            unsafe html[start...].firstIndex(of: byte)
        }
    }

    /// The value of the next attribute of the open tag that holds a reference; nil at the tag's end.
    private static func attribute(in html: [UInt8], from at: inout Int) -> Range<Int>? {
        while at < html.count, html[at] != UInt8(ascii: ">") {
            guard html[at] == UInt8(ascii: "=") else {
                at += 1
                continue
            }
            let name = name(in: html, before: at)
            at += 1
            let value = value(in: html, from: &at)
            if isReference(html[name]), !value.isEmpty { return value }
        }
        return nil
    }

    private static func name(in html: [UInt8], before end: Int) -> Range<Int> {
        var last = end
        while last > 0, ASCII.isSpace(html[last - 1]) { last -= 1 }
        var first = last
        while first > 0, html[first - 1] | 0x20 &- 0x61 < 26 { first -= 1 }
        return first..<last
    }

    private static func value(in html: [UInt8], from at: inout Int) -> Range<Int> {
        while at < html.count, ASCII.isSpace(html[at]) { at += 1 }
        guard at < html.count else { return at..<at }
        let quote = html[at]
        let start: Int
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            start = at + 1
            at = next(quote, in: html, from: start) ?? html.count
        } else {
            start = at
            while at < html.count, !ASCII.isSpace(html[at]), html[at] != UInt8(ascii: ">") { at += 1 }
        }
        return min(start, at)..<at
    }

    /// Whether an attribute of this name holds an address (HTML, attributes index).
    private static func isReference(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 10, name.count >= 3 else { return false }
        return names.contains { ASCII.equalIgnoringCase($0, name) }
    }

    private static let names = [
        "href", "src", "cite", "action", "longdesc", "poster", "background", "data", "codebase", "usemap",
        "formaction",
    ].map { Array($0.utf8) }
}
