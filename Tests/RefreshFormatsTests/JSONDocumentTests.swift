import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("A JSON document") struct JSONDocumentTests {
    static let refused: [(text: String, offset: Int)] = [
        ("", 0), (" \n", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\":1,}", 7), ("{\"a\" 1}", 1), ("{1:2}", 1),
        ("[1]]", 3), ("[1] x", 4), ("[\"a]", 1), ("[01]", 1), ("[1.]", 1), ("[.5]", 1), ("[+1]", 1),
        ("[1e]", 1),
        ("[-]", 1), ("[tru]", 1), ("[truex]", 1), ("[nul", 1), ("[NaN]", 1), ("[\"\\x\"]", 2),
        ("[\"\\u12g4\"]", 2),
        ("[\"a\tb\"]", 3), ("[1}", 2), ("{\"a\":1]", 6), ("[", 1), ("{\"a\":", 5), ("[1,", 3), ("[\u{0}]", 1),
        ("\"a\"\"b\"", 3), ("'a'", 0), ("[1]\u{0}", 3),
    ]

    @Test("is refused where it breaks the grammar, at the byte", arguments: refused)
    func refuses(text: String, offset: Int) {
        let failure = #expect(throws: FormatFailure.self) { try JSONDocument(text) }
        #expect(failure?.code == "json-invalid")
        #expect(failure?.offset == offset, "\(text)")
    }

    @Test(
        "is refused where its bytes are not UTF-8",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22]])
    func refusesBytes(bytes: [UInt8]) {
        let failure = #expect(throws: FormatFailure.self) {
            try JSONDocument(parsing: PaddedBytes(bytes))
        }
        #expect(failure == .jsonInvalid(offset: 1, what: "the bytes are not UTF-8"))
    }

    @Test(
        "keeps what cannot be converted",
        arguments: [
            "1.10", "-0", "1e400", "0", "-12.5E+3", String(repeating: "7", count: 400), "\"\\ud800\"", "true",
            "null",
            "\"\\u0061\\n\\\\\"", "123456789012345678901234567890",
        ])
    func keeps(text: String) throws {
        for wrapped in [text, " \(text)\n", "[\(text)]", "{\"a\": \(text) }"] {
            let document = try JSONDocument(wrapped)
            let node = document.member("a") ?? document.elements(of: document.root).first { _ in true }
            #expect(String(decoding: document.text(of: node ?? document.root), as: UTF8.self) == text)
        }
    }

    @Test("may start with a byte order mark, which counts in offsets")
    func skipsByteOrderMark() throws {
        let document = try JSONDocument(parsing: PaddedBytes([0xEF, 0xBB, 0xBF] + Array("[1, 2]".utf8)))
        #expect(document.elements(of: document.root).map { document.int64($0) } == [1, 2])
        #expect(document.root.range == 3..<9)
        let failure = #expect(throws: FormatFailure.self) {
            try JSONDocument(parsing: PaddedBytes([0xEF, 0xBB, 0xBF] + Array("[1, x]".utf8)))
        }
        #expect(failure?.offset == 7)
    }

    @Test("is refused beyond the depth, at the bracket, however deep it goes")
    func limitsDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONDocument(nested(256))
        #expect(throws: FormatFailure.jsonTooDeep(offset: 256, limit: 256)) { try JSONDocument(nested(257)) }
        #expect(throws: FormatFailure.jsonTooDeep(offset: 256, limit: 256)) {
            try JSONDocument(String(repeating: "[", count: 100_000))
        }
        #expect(throws: FormatFailure.jsonTooDeep(offset: 1, limit: 1)) {
            try JSONDocument(parsing: PaddedBytes("[{}]"), depth: 1)
        }
    }

    @Test("gives members by their name without escapes, the last of several")
    func findsMembers() throws {
        let document = try JSONDocument(
            #"{"\u0061": 1, "b\\n": 2, "c": 3, "c": 4, "é": 5, "": 6, "d": {"a": 7}}"#)
        let found = ["a", "b\\n", "c", "é", "", "b\n", "d", "e"].map { document.int64(document.member($0)) }
        #expect(found == [1, 2, 4, 5, 6, nil, nil, nil])
        #expect(
            document.members(of: document.root).map { document.text($0.name) } == [
                "a", "b\\n", "c", "c", "é", "", "d",
            ])
        #expect(document.int64(document.singular(path("d", "a"))) == 7)
    }

    @Test(
        "decodes escapes, and no half of a pair",
        arguments: [
            (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
            (#""\ud83d\ude00 \u00e9""#, "😀 é"),
            (#""\ud83d""#, nil), (#""\ud83dx""#, nil), (#""\ude00\ud83d""#, nil), (#""\ud83d\u0041""#, nil),
            (#""\u0000""#, "\u{0}"),
        ])
    func decodes(text: String, expected: String?) throws {
        let document = try JSONDocument(text)
        #expect(document.string(of: document.root) == expected.map { Array($0.utf8) })
    }

    @Test("reads small values typed, and nothing of another type")
    func readsTyped() throws {
        let document = try JSONDocument(
            #"{"i": -5, "big": 9223372036854775808, "f": 1.0, "t": true, "n": null, "s": "1", "h": 1e400}"#)
        #expect(document.int64(document.member("i")) == -5)
        #expect(document.int64(document.member("big")) == nil)
        #expect(document.int64(document.member("f")) == nil)
        #expect(document.double(document.member("f")) == 1)
        #expect(document.double(document.member("h")) == nil)
        #expect(document.bool(document.member("t")) == true)
        #expect(document.bool(document.member("n")) == nil)
        #expect(document.text(document.member("s")) == "1")
        #expect(document.text(document.member("absent")) == nil)
    }

    @Test("selects by path, from the document or from a node")
    func selects() throws {
        let document = try JSONDocument(#"{"a": [{"b": 1}, {"b": 2}, {"c": 3}], "o": {"x": [], "y": 9}}"#)
        func selected(_ path: JSONPath) throws -> [String] {
            try document.nodes(at: path).map { String(decoding: document.text(of: $0), as: UTF8.self) }
        }
        #expect(try selected(path("a", "*", "b")) == ["1", "2"])
        #expect(try selected(path("a", "-1", "c")) == ["3"])
        #expect(try selected(path("a", "-4")) == [])
        #expect(try selected(path("a", "3")) == [])
        #expect(try selected(path("o", "*")) == ["[]", "9"])
        #expect(try selected(path("o", "0")) == [])
        #expect(
            document.singular(path("a", "1", "b")).map { document.text(of: $0).elementsEqual([0x32]) } == true
        )
        let row = try #require(document.singular(path("a", "0")))
        #expect(document.int64(document.singular(path("b"), from: row)) == 1)
    }

    @Test("of many megabytes is read in one go")
    func readsLarge() throws {
        let row =
            #"{"id": 12345, "name": "a name with \"quotes\"", "tags": [1, 2, 3], "deep": {"a": [null, true]}},"#
        let count = 175_000
        let text = "[" + String(repeating: row, count: count) + "0]"
        let document = try JSONDocument(text)
        #expect(document.bytes.count > 16 * 1_048_576)
        #expect(document.count(of: document.root) == count + 1)
        #expect(document.int64(document.singular(path("-1"))) == 0)
    }
}
