import RefreshCore

/// Long CDATA sections taken out of a document before libxml2 reads it: it calls a function for each of their
/// characters, although nothing in them concerns it.
///
/// In the place of each stands a processing instruction, which may stand wherever a section may; its callback hands the
/// section on. What libxml2 would object to within one, or make something else of, is left to it.
struct CDATACut {
    /// The name of the instructions; a document that has one of its own is left as it is.
    static let target = "refreshd-cdata"
    /// Shorter ones are not worth it.
    private static let shortest = 64
    /// Longer ones are refused by libxml2 (XML_MAX_TEXT_LENGTH).
    private static let longest = 10_000_000

    /// The document without the sections; lines are where they were.
    let text: [UInt8]
    /// What was taken out of the bytes that this was made of, in order.
    let sections: [Range<Int>]

    /// Nil where nothing is to be taken out.
    ///
    /// - Parameter found: where the insides of all sections are.
    init?(_ bytes: ArraySlice<UInt8>, found: [Range<Int>]) {
        var text: [UInt8] = []
        var sections: [Range<Int>] = []
        var at = bytes.startIndex
        for section in found where (CDATACut.shortest...CDATACut.longest).contains(section.count) {
            guard let lines = CDATACut.plainLines(bytes[section]) else { continue }
            if sections.isEmpty { text.reserveCapacity(bytes.count / 2) }
            text.append(contentsOf: bytes[at..<(section.lowerBound - CDATACut.start.count)])
            text.append(contentsOf: "<?\(CDATACut.target) \(sections.count)".utf8)
            for _ in 0..<lines { text.append(0x0A) }
            text.append(contentsOf: "?>".utf8)
            at = section.upperBound + CDATACut.end.count
            sections.append(section)
        }
        if sections.isEmpty { return nil }
        text.append(contentsOf: bytes[at...])
        self.text = text
        self.sections = sections
    }

    static let start = Array("<![CDATA[".utf8)
    static let end = Array("]]>".utf8)

    /// How many line feeds stand in a section that is as it would come out of the parser; nil of another: one with
    /// characters that XML does not know (2.2), carriage returns (2.11) or bytes that are no UTF-8.
    private static func plainLines(_ section: ArraySlice<UInt8>) -> Int? {
        var lines = 0
        var isOdd = false
        var hasMarks = false
        // Without a way out in the middle it looks at many bytes at a time.
        unsafe section.withUnsafeBufferPointer { bytes in
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                lines &+= byte == 0x0A ? 1 : 0
                isOdd = isOdd || (byte < 0x20 && byte != 0x0A && byte != 0x09)
                hasMarks = hasMarks || byte == 0xEF
            }
        }
        if isOdd || UTF8Check.firstFault(in: section) != nil { return nil }
        return hasMarks && hasNoncharacter(section) ? nil : lines
    }

    /// U+FFFE or U+FFFF.
    private static func hasNoncharacter(_ section: ArraySlice<UInt8>) -> Bool {
        var rest = section
        while let at = rest.firstIndex(of: 0xEF) {
            rest = rest[(at + 1)...]
            guard rest.first == 0xBF else { continue }
            if let last = rest.dropFirst().first, last >= 0xBE { return true }
        }
        return false
    }
}
