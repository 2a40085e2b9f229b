/// Mends what most often makes a feed ill-formed, before libxml2 has a second look: bare ampersands, HTML's named
/// characters, control characters, stray bytes of Windows-1252, a document type.
struct XMLRepair {
    private var source: ArraySlice<UInt8>
    private let isUTF8: Bool
    private var text: [UInt8] = []

    /// - Parameter isUTF8: whether the document counts as UTF-8; bytes of any other charset are left alone.
    static func repaired(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> [UInt8] {
        var repair = XMLRepair(source: bytes, isUTF8: isUTF8)
        repair.run()
        return repair.text
    }

    private init(source: ArraySlice<UInt8>, isUTF8: Bool) {
        self.source = source
        self.isUTF8 = isUTF8
        text.reserveCapacity(source.count + source.count / 16)
    }

    private mutating func run() {
        var isInProlog = true
        while let byte = source.first {
            switch byte {
            case UInt8(ascii: "<"):
                if isInProlog, source.starts(with: "<!DOCTYPE".utf8) {
                    skipDocumentType()
                } else if source.starts(with: "<![CDATA[".utf8) {
                    copyCharacters(through: "]]>")
                } else if source.starts(with: "<!--".utf8) {
                    copyCharacters(through: "-->")
                } else {
                    isInProlog = isInProlog && (source.dropFirst().first ?? 0) | 0x20 &- 0x61 >= 26
                    copyCharacter()
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

    /// Entities that a document declares are refused, so nothing of its type is needed.
    private mutating func skipDocumentType() {
        var brackets = 0
        while let byte = source.popFirst() {
            if byte == UInt8(ascii: "[") { brackets += 1 }
            if byte == UInt8(ascii: "]") { brackets -= 1 }
            if byte == UInt8(ascii: ">"), brackets <= 0 { return }
        }
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
        guard let found = HTMLEntities.reference(source) else {
            text.append(contentsOf: "&amp;".utf8)
            source = source.dropFirst()
            return
        }
        let reference = source.prefix(found.length)
        if XMLRepair.known.contains(String(decoding: reference.dropFirst().dropLast(), as: UTF8.self)) {
            text.append(contentsOf: reference)
        } else {
            text.append(contentsOf: "&#\(found.scalar.value);".utf8)
        }
        source = source.dropFirst(found.length)
    }

    private mutating func copyCharacter() {
        guard let byte = source.first else { return }
        if byte >= 0x80, isUTF8 {
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

/// The charset that stray bytes in a text of UTF-8 come from, nearly always.
enum Windows1252 {
    private static let upper: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
        0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func character(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }
}
