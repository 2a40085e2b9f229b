/// Mends what most often makes a feed ill-formed, before libxml2 has a second look: bare ampersands, HTML's named
/// characters, entities of the document's own, brackets that open no tag, control characters, stray bytes of
/// Windows-1252, a document type, an XML declaration that is not at the start.
struct XMLRepair {
    private var source: ArraySlice<UInt8>
    private var text: [UInt8] = []
    private var entities = UserEntities()

    /// `bytes`, which count as UTF-8, as far as they can be mended.
    static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var repair = XMLRepair(source: bytes)
        repair.run()
        return repair.text
    }

    private init(source: ArraySlice<UInt8>) {
        self.source = source
        text.reserveCapacity(source.count + source.count / 16)
    }

    private mutating func run() {
        var isInProlog = true
        while let byte = source.first {
            switch byte {
            case UInt8(ascii: "<"):
                if isInProlog, source.starts(with: "<!DOCTYPE".utf8) {
                    readDocumentType()
                } else if source.starts(with: "<![CDATA[".utf8) {
                    copyCharacters(through: "]]>")
                } else if source.starts(with: "<!--".utf8) {
                    copyCharacters(through: "-->")
                } else if source.starts(with: "<?xml ".utf8), !text.isEmpty {
                    skip(through: UInt8(ascii: ">"))
                } else {
                    openTag(&isInProlog)
                }
            case UInt8(ascii: "&"): copyReference()
            default: copyRun()
            }
        }
    }

    /// Copies what needs no look, at least one character.
    private mutating func copyRun() {
        let run = source.prefix { $0 < 0x80 && $0 >= 0x20 && $0 != 0x26 && $0 != 0x3C }
        if run.isEmpty { return copyCharacter() }
        text.append(contentsOf: run)
        source = source[run.endIndex...]
    }

    /// What stands behind a bracket tells whether it opens a tag.
    private mutating func openTag(_ isInProlog: inout Bool) {
        let next = source.dropFirst().first ?? 0
        let isName = next | 0x20 &- 0x61 < 26 || next == UInt8(ascii: "_") || next >= 0x80
        if isName { isInProlog = false }
        if isName || next == UInt8(ascii: "/") || next == UInt8(ascii: "?") || isInProlog {
            return copyCharacter()
        }
        text.append(contentsOf: "&lt;".utf8)
        source = source.dropFirst()
    }

    private mutating func skip(through end: UInt8) {
        source = source.drop { $0 != end }.dropFirst()
    }

    /// Takes the document type out; its entities are put where they are referred to.
    private mutating func readDocumentType() {
        let start = source
        var brackets = 0
        while let byte = source.popFirst() {
            if byte == UInt8(ascii: "[") { brackets += 1 }
            if byte == UInt8(ascii: "]") { brackets -= 1 }
            if byte == UInt8(ascii: ">"), brackets <= 0 { break }
        }
        entities = UserEntities(documentType: start[..<source.startIndex])
    }

    private mutating func copyCharacters(through end: String) {
        let last = end.utf8.count
        while !source.isEmpty, !source.starts(with: end.utf8) { copyCharacter() }
        text.append(contentsOf: source.prefix(last))
        source = source.dropFirst(last)
    }

    /// What XML itself names.
    private static let known: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

    private mutating func copyReference() {
        let name = source.dropFirst().prefix(64).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") }
        if let own = entities.text(name) {
            for byte in own {
                if byte == UInt8(ascii: "&") {
                    text.append(contentsOf: "&amp;".utf8)
                } else {
                    text.append(byte)
                }
            }
            source = source.dropFirst(name.count + 2)
            return
        }
        guard let found = HTMLEntities.reference(source) else {
            text.append(contentsOf: "&amp;".utf8)
            source = source.dropFirst()
            return
        }
        if XMLRepair.known.contains(String(decoding: name, as: UTF8.self)) {
            text.append(contentsOf: source.prefix(found.length))
        } else {
            text.append(contentsOf: "&#\(found.scalar.value);".utf8)
            if let second = found.second { text.append(contentsOf: "&#\(second.value);".utf8) }
        }
        source = source.dropFirst(found.length)
    }

    private mutating func copyCharacter() {
        guard let byte = source.first else { return }
        if byte >= 0x80 {
            if let length = UTF8Check.sequenceLength(in: source, at: source.startIndex) {
                text.append(contentsOf: source.prefix(length))
                source = source.dropFirst(length)
                return
            }
            text.append(
                contentsOf: UTF8.encode(Windows1252.character(byte)) ?? UTF8.encodedReplacementCharacter)
        } else if byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            text.append(byte)
        }
        source = source.dropFirst()
    }
}
