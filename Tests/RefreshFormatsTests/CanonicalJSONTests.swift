import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("Canonical JSON (C1)") struct CanonicalJSONTests {
    private func canonical(_ text: String, ignoring: [String] = [], unordered: [String] = []) throws
        -> String?
    {
        CanonicalJSON.text(
            of: Array(text.utf8)[...], ignoring: try ignoring.map { try JSONPath(parsing: $0) },
            unordered: try unordered.map { try JSONPath(parsing: $0) }
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "is one text for all spellings",
        arguments: [
            (#"{"b": 1, "a": [1.0, "\u0041\/"]}"#, #"{"a":[1,"A/"],"b":1}"#), ("1.50e1", "15"), ("-0", "0"),
            ("-0.0", "0"), ("0", "0"), ("-12", "-12"), ("1E400", "0.1e401"),
            ("12345678901234567890", "12345678901234567890"),
            ("1234567890123456789012e0", "1234567890123456789012"),
            ("[ ]", "[]"), (#" "a\tb\u0009" "#, #""a\tb\t""#), (#"{"a":1,"a":2}"#, #"{"a":2}"#),
            (#"{"\u0061":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#), ("null", "null"),
            ("[true ,false]", "[true,false]"),
            (#""\uD83D\uDE00\ud800\uDBFFx\udbff\ud7ff""#, #""😀\ud800\udbffx\udbff\#u{D7FF}""#),
            (#""\uDFFF\uD800""#, #""\udfff\ud800""#), (#""\\ud800""#, #""\\ud800""#),
            (#"{"é":1,"z":2}"#, #"{"z":2,"é":1}"#),
        ])
    func isOne(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
        #expect(try canonical(expected) == expected)
    }

    @Test(
        "differs where the value does",
        arguments: [
            ("1", "\"1\""), ("[1,2]", "[2,1]"), (#"{"a":null}"#, "{}"), ("1", "1.0000000000000000001"),
            ("9007199254740992", "9007199254740993"), (#""e\u0301""#, #""é""#), (#""\ud800""#, #""\ud801""#),
            ("[]", "{}"), ("[1,[2]]", "[1,2]"), ("\"a\"", "\"A\""),
        ])
    func differs(left: String, right: String) {
        func bytes(_ text: String) -> [UInt8]? { CanonicalJSON.text(of: Array(text.utf8)[...]) }
        #expect(bytes(left) != bytes(right))
        #expect(
            CanonicalJSON.hash(of: Array(left.utf8)[...]) != CanonicalJSON.hash(of: Array(right.utf8)[...]))
    }

    @Test("texts that surely differ have no canonical text in common")
    func surelyDiffer() {
        let texts = [
            #"{"a":1,"b":"x"}"#, #"{"a":2,"b":"x"}"#, #"{"b":"x","a":1}"#, #"{"a":1.0,"b":"x"}"#,
            #"{ "a" : 10e-1 , "b" : "x" }"#, #"{"a":1,"a":2}"#, #"{"a":3,"a":2}"#, #"{"a":2,"\u0061":2}"#,
            #"{"a":7,"\u0061":2}"#, #"{"a":2}"#, #"{"a":1,"b":"\u0078"}"#, #"{"a":1,"b":"y"}"#,
            #"{"a":1,"b":"\u0079"}"#, #"{"a":true,"b":"x"}"#, #"{"a":null,"b":"x"}"#, #"{"a":[1],"b":"x"}"#,
            #"{"a":[1,2],"b":"x"}"#, #"{"a":[2,1],"b":"x"}"#, #"{"a":{"a":1},"b":"x"}"#,
            #"{"a":{"a":2},"b":"x"}"#,
            #"{"a":"1","b":"x"}"#, "1", "1.0", "-0", "0", "2", "[]", "{}", "[[]]", "\"1\"", "null", "false",
            "1 ",
            " 1", "", "x", "{", #"{"a"}"#, #"{"a":"#, #"{"a":"x"#, "[1,", "]", #"{"a":1}}"#,
        ].map { Array($0.utf8)[...] }
        var told = 0
        for one in texts {
            for other in texts where CanonicalJSON.surelyDiffer(one, other) {
                told += 1
                #expect(
                    CanonicalJSON.hash(of: one) != CanonicalJSON.hash(of: other),
                    "\(String(decoding: one, as: UTF8.self)) and \(String(decoding: other, as: UTF8.self))")
            }
        }
        #expect(told > 50)
    }

    @Test("records whose values have changed are told apart, and the same in another spelling are not")
    func comparesRecords() {
        let record =
            #"{"id":7,"price":10.50,"tags":["a","b"],"owner":{"id":3,"name":"Ann"},"at":"2026-01-01"}"#
        func differs(_ other: String) -> Bool {
            CanonicalJSON.surelyDiffer(Array(record.utf8)[...], Array(other.utf8)[...])
        }
        #expect(
            differs(
                #"{"id":7,"price":10.75,"tags":["a","b"],"owner":{"id":3,"name":"Ann"},"at":"2026-01-01"}"#))
        #expect(
            differs(#"{"id":7,"price":10.5,"tags":["a","b"],"owner":{"id":3,"name":"Bo"},"at":"2026-01-01"}"#)
        )
        #expect(
            differs(
                #"{"id":7,"price":null,"tags":["a","c"],"owner":{"id":3,"name":"Ann"},"at":"2026-01-02"}"#))
        #expect(!differs(record))
        #expect(
            !differs(
                #"{"id":7,"price":10.5,"tags":["a","b"],"owner":{"id":3,"name":"Ann"},"at":"2026-01-01"}"#))
    }

    @Test("leaves out what is ignored, whatever the path")
    func ignores() throws {
        let text = #"{"id": 1, "seen": 5, "tags": [{"n": 1, "at": 2}, {"n": 2, "at": 3}], "x": {"seen": 1}}"#
        #expect(
            try canonical(text, ignoring: ["seen", "tags[*].at"])
                == #"{"id":1,"tags":[{"n":1},{"n":2}],"x":{"seen":1}}"#)
        #expect(try canonical(text, ignoring: ["$..seen", "tags"]) == #"{"id":1,"x":{}}"#)
        #expect(try canonical("[1,2,3]", ignoring: ["[?@ > 1]"]) == "[1]")
        #expect(try canonical(text, ignoring: ["nothing.here"]) == (try canonical(text)))
    }

    @Test("compares unordered arrays by what is in them, and how often")
    func unordered() throws {
        func same(_ left: String, _ right: String) throws -> Bool {
            try canonical(left, unordered: ["t", "l[*].t"]) == canonical(right, unordered: ["t", "l[*].t"])
        }
        #expect(try same(#"{"t": [1, "a", {"x": 1, "y": 2}]}"#, #"{"t": [{"y": 2, "x": 1.0}, "a", 1]}"#))
        #expect(try !same(#"{"t": [1, 1, 2]}"#, #"{"t": [1, 2, 2]}"#))
        #expect(try !same(#"{"t": [[1, 2]]}"#, #"{"t": [[2, 1]]}"#))
        #expect(try same(#"{"l": [{"t": [1, 2]}]}"#, #"{"l": [{"t": [2, 1]}]}"#))
        #expect(try !same(#"{"l": [1, 2]}"#, #"{"l": [2, 1]}"#))
    }

    @Test("of what is no JSON, or too deep, is the hash of the bytes")
    func ofOther() throws {
        let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
        for text in ["<p>", "", deep] {
            #expect(try canonical(text) == nil)
            let bytes = Array(text.utf8)
            #expect(CanonicalJSON.hash(of: bytes[...]) == ContentHash.of(bytes))
        }
        let well = String(repeating: "[", count: 1_024) + String(repeating: "]", count: 1_024)
        #expect(try canonical(well) == well)
        // A slice in the middle of a buffer.
        let buffer = Array("xx{\"a\": 1}yy".utf8)
        #expect(
            CanonicalJSON.hash(of: buffer[2..<10]) == CanonicalJSON.hash(of: Array(#"{"a":1}"#.utf8)[...]))
    }
}
