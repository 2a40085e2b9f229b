import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("A charset") struct CharsetTests {
    static let texts: [(label: String, bytes: [UInt8], text: String)] = [
        ("latin1", [0xE9, 0x80, 0x81], "é€\u{81}"), ("iso-8859-2", [0xB1], "ą"), ("koi8-r", [0xC1], "а"),
        ("Windows-1251", [0xE0], "а"), ("shift_jis", [0x82, 0xA0, 0x5C], "あ\\"),
        ("euc-jp", [0xA4, 0xA2], "あ"), ("gb2312", [0xC4, 0xE3], "你"),
        ("gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"),
        ("big5", [0xA7, 0x41], "你"), ("euc-kr", [0xB0, 0xA1], "가"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42, 0x61], "あa"),
        ("utf-16le", [0x61, 0, 0x3D, 0xD8, 0, 0xDE], "a😀"), ("utf-16be", [0, 0x61], "a"),
        ("utf-8", [0xC3, 0xA9], "é"), (" UTF8\n", [0x61], "a"), ("macintosh", [0x8E], "é"),
        ("windows-874", [0xA1], "ก"),
    ]

    @Test("is known by its label and read into UTF-8", arguments: texts)
    func reads(label: String, bytes: [UInt8], text: String) throws {
        let charset = try #require(Charset(label: label))
        #expect(String(decoding: Transcoder.utf8(bytes[...], from: charset), as: UTF8.self) == text)
    }

    @Test("of every label is one that this system's iconv can read")
    func hasDecoders() {
        for (label, charset) in CharsetLabels.charsets {
            // Digits are the same everywhere, and without a decoder the zeros would stay.
            let text = Array("12".utf8)
            let wide = text.flatMap { digit -> [UInt8] in
                let zeros = [UInt8](repeating: 0, count: charset.unit - 1)
                return charset.name.hasSuffix("BE") ? zeros + [digit] : [digit] + zeros
            }
            #expect(Transcoder.utf8(wide[...], from: charset) == text, "\(label)")
            // So would this byte, which no charset has for itself.
            let high = Transcoder.utf8([UInt8](repeating: 0xE1, count: 4)[...], from: charset)
            #expect(UTF8Check.firstFault(in: high[...]) == nil && !high.isEmpty, "\(label)")
            let latin = Transcoder.utf8([0xE1, 0x80, 0x80][...], from: charset)
            #expect((latin == [0xE1, 0x80, 0x80]) == (charset == .utf8), "\(label)")
        }
        #expect(CharsetLabels.charsets.count > 230)
        #expect(Charset(label: "utf-7") == nil && Charset(label: "") == nil)
    }

    static let broken: [(label: String, bytes: [UInt8], text: String)] = [
        ("utf-8", [0x61, 0xFF, 0x62, 0xC3], "a\u{FFFD}b\u{FFFD}"),
        ("utf-16le", [0x61, 0, 0x62], "a\u{FFFD}"),
        ("utf-16le", [0, 0xD8, 0x61, 0], "\u{FFFD}a"), ("shift_jis", [0x82], "\u{FFFD}"),
        ("euc-jp", [0xFF, 0x61], "\u{FFFD}a"), ("iso-8859-6", [0xA1, 0x61], "\u{FFFD}a"),
        ("utf-32be", [0, 0x11, 0, 0, 0, 0, 0, 0x61], "\u{FFFD}a"),
    ]

    @Test("never fails on what it cannot read", arguments: broken)
    func replaces(label: String, bytes: [UInt8], text: String) throws {
        let charset = try #require(Charset(label: label))
        #expect(String(decoding: Transcoder.utf8(bytes[...], from: charset), as: UTF8.self) == text)
    }

    @Test("converts what is longer than one piece, whole")
    func convertsLong() throws {
        let charset = try #require(Charset(label: "shift_jis"))
        let bytes = (0..<100_000).flatMap { _ in [0x82, 0xA0] as [UInt8] }
        #expect(Transcoder.utf8(bytes[...], from: charset).count == 300_000)
    }

    struct Case: Sendable {
        let bytes: [UInt8]
        var type: String?
        var kind = CharsetDetector.Kind.xml
        let charset: String
    }

    private static func wide(_ text: String, big: Bool = false, unit: Int = 2) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            let zeros = [UInt8](repeating: 0, count: unit - 1)
            return big ? zeros + [byte] : [byte] + zeros
        }
    }

    private static let latin: [UInt8] = Array("<a>caf".utf8) + [0xE9] + Array("</a>".utf8)
    private static let russian = Array(#"<?xml version="1.0" encoding="koi8-r"?><a>"#.utf8) + [0xC1, 0xC2]

    static let cases: [Case] = [
        Case(bytes: Array("\u{FEFF}<a/>".utf8), type: "text/xml; charset=koi8-r", charset: "UTF-8"),
        Case(bytes: [0xFF, 0xFE] + wide("<a/>"), charset: "UTF-16LE"),
        Case(bytes: [0xFE, 0xFF] + wide("<a/>", big: true), charset: "UTF-16BE"),
        Case(bytes: wide("<?xml encoding='utf-8'?><a/>"), charset: "UTF-16LE"),
        Case(bytes: wide("\n<a/>", big: true), charset: "UTF-16BE"),
        Case(bytes: wide("<a/>", unit: 4), charset: "UTF-32LE"),
        Case(bytes: wide(" <a/>", big: true, unit: 4), charset: "UTF-32BE"),
        Case(bytes: Array("<a>é</a>".utf8), type: "text/xml; charset=gbk", charset: "UTF-8"),
        Case(
            bytes: Array("<?xml version='1.0' encoding='iso-2022-jp'?><a>\u{1B}$B$\"\u{1B}(B</a>".utf8),
            charset: "ISO-2022-JP"),
        Case(bytes: russian, charset: "KOI8-R"), Case(bytes: [0x0A] + russian, charset: "KOI8-R"),
        Case(bytes: russian, type: "text/xml; charset=windows-1251", charset: "windows-1251"),
        Case(bytes: russian, type: "text/xml; charset=nonsense", charset: "KOI8-R"),
        Case(bytes: russian, type: "text/xml; charset=utf-16", charset: "KOI8-R"),
        Case(bytes: latin, type: "text/xml; charset=ISO-8859-1", charset: "windows-1252"),
        Case(
            bytes: Array("a;b\n".utf8) + [0xE9], type: "text/csv; charset=latin1", kind: .text,
            charset: "windows-1252"),
        Case(bytes: wide("a,b\n1,2\n"), kind: .text, charset: "UTF-16LE"),
        Case(bytes: wide("a,b\n1,2\n", big: true), kind: .text, charset: "UTF-16BE"),
        Case(bytes: wide("a,b\n1,2\n", unit: 4), kind: .text, charset: "UTF-32LE"),
        Case(bytes: wide("a,b\n1,2\n", big: true, unit: 4), kind: .text, charset: "UTF-32BE"),
        Case(
            bytes: Array("a,b\0\nlong enough to be no UTF-16, whatever stands in it".utf8), kind: .text,
            charset: "UTF-8"),
        Case(bytes: [], charset: "UTF-8"),
        Case(bytes: Array("<meta charset=koi8-r>".utf8), kind: .html, charset: "KOI8-R"),
        Case(
            bytes: Array("<meta charset=koi8-r>".utf8), type: "text/html;charset=gbk", kind: .html,
            charset: "GBK"),
        Case(bytes: Array("<p>é".utf8), kind: .html, charset: "UTF-8"),
    ]

    @Test("is decided in the order of the policy", arguments: cases)
    func decides(_ item: Case) {
        let type = item.type.flatMap { MediaType(parsing: $0) }
        let charset = CharsetDetector.detect(bytes: item.bytes[...], contentType: type, kind: item.kind)
        #expect(charset.name == item.charset)
    }

    @Test("is guessed where nothing tells it")
    func guesses() {
        let russian =
            "Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний."
        // Letters of Windows-1251 stand in the order of Unicode.
        let bytes = russian.unicodeScalars.map { scalar -> UInt8 in
            switch scalar.value {
            case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
            case 0x451: 0xB8
            default: UInt8(truncatingIfNeeded: scalar.value)
            }
        }
        let charset = CharsetDetector.detect(bytes: bytes[...], contentType: nil, kind: .text)
        #expect(charset.name == "windows-1251")
        let text = Transcoder.utf8(bytes[...], contentType: nil, kind: .text)
        #expect(String(decoding: text, as: UTF8.self) == russian)
    }
}
