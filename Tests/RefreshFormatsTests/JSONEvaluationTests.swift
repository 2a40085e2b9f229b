import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("JSON paths and filters, evaluated") struct JSONEvaluationTests {
    private func selected(_ path: String, in text: String) throws -> [String] {
        let document = try JSONDocument(text)
        return try document.nodes(at: JSONPath(parsing: path)).map {
            String(decoding: document.text(of: $0), as: UTF8.self)
        }
    }

    @Test(
        "select what the compliance suite does not ask for",
        arguments: [
            // Numbers of any size are exact.
            (
                "[?@ > 9007199254740992]", "[9007199254740992, 9007199254740993, 1e16]",
                ["9007199254740993", "1e16"]
            ),
            ("[?@ == 1]", "[1, 1.0, 10e-1, 1.0000000000000000001]", ["1", "1.0", "10e-1"]),
            ("[?@ < 1e400]", "[1e399, 1e401, -1e500]", ["1e399", "-1e500"]),
            // Halves of pairs compare by their code, between what is below and above them.
            (#"[?@ > '\ud7ff' && @ < '\ue000']"#, #"["\ud800", "a", "\uffff"]"#, [#""\ud800""#]),
            // Of a repeated name the last counts.
            ("[?@.a == 2]", #"[{"a": 1, "a": 2}, {"a": 2, "a": 1}]"#, [#"{"a": 1, "a": 2}"#]),
            (
                "[?@ == $[0]]", #"[{"a": 1, "b": [2.0]}, {"b": [2], "a": 1e0}, {"a": 1, "b": [2], "c": 3}]"#,
                [#"{"a": 1, "b": [2.0]}"#, #"{"b": [2], "a": 1e0}"#]
            ),
            (
                "..[?length(@) == 2]", #"{"a": "é😀", "b": [[], [1, 2]]}"#,
                [#""é😀""#, "[[], [1, 2]]", "[1, 2]"]
            ),
            ("items[::-2]", #"{"items": [1, 2, 3, 4]}"#, ["4", "2"]),
            ("..id", #"{"id": 1, "a": [{"id": 2, "id": 3}]}"#, ["1", "3"]),
            ("[?@.a[?@.b]]", #"[{"a": [{"b": null}]}, {"a": [{"c": 1}]}]"#, [#"{"a": [{"b": null}]}"#]),
            ("[?count(@..x) > 1]", #"[{"x": {"x": 1}}, {"x": 1}]"#, [#"{"x": {"x": 1}}"#]),
            ("[?value(@..x) == 1]", #"[{"a": {"x": 1}}, {"x": {"x": 1}}]"#, [#"{"a": {"x": 1}}"#]),
        ])
    func select(path: String, text: String, expected: [String]) throws {
        #expect(try selected(path, in: text) == expected)
    }

    @Test("take patterns out of documents, and bad ones match nothing")
    func takePatterns() throws {
        let text = #"{"p": "%", "v": ["", "a", "ab", "%", "("]}"#
        for (pattern, expected) in [
            ("a.", [#""ab""#]), ("(", []), ("\\\\d", []), ("[ab]*", [#""""#, #""a""#, #""ab""#]), ("(a", []),
            ("a{70000}", []), ("(?:a)", []), ("\\\\(", [#""(""#]), ("%", [#""%""#]),
        ] {
            let filled = text.replacing(pattern, at: "%")
            #expect(try selected("v[?match(@, $.p)]", in: filled) == expected, "\(pattern)")
        }
        #expect(try selected("v[?search(@, $.p)]", in: #"{"p": "\ud800", "v": ["\ud800"]}"#) == [])
        let long = String(repeating: "a", count: 5_000)
        #expect(try selected("v[?match(@, $.p)]", in: #"{"p": "\#(long)", "v": ["\#(long)"]}"#) == [])
    }

    @Test("end patterns that backtrack without end")
    func endsBacktracking() throws {
        let text = #"{"p": "(a|a)*[bc]{2}", "v": ["\#(String(repeating: "a", count: 5_000))c"]}"#
        let failure = #expect(throws: FormatFailure.self) { try selected("v[?search(@, $.p)]", in: text) }
        #expect(failure?.code == "query-too-costly")
        // Many that are each within the bound share one.
        let many = String(repeating: #""\#(String(repeating: "a", count: 12))c","#, count: 20_000)
        #expect(throws: FormatFailure.self) {
            try selected("v[?match(@, $.p)]", in: #"{"p": "(a|a)*[bc]{2}", "v": [\#(many) 0]}"#)
        }
    }

    @Test("end paths that visit the document over and over")
    func endsVisits() throws {
        let text = "[" + String(repeating: "[[[0]]],", count: 3_000) + "0]"
        for path in [
            "$..[?@..[?@..[?count($..*) < 0]]]", "$..[?count($..*) < 0]",
            "$[*,*,*,*,*][*,*,*,*][*,*,*,*][*,*,*,*]",
        ] {
            let failure = #expect(throws: FormatFailure.self) { try selected(path, in: text) }
            #expect(failure?.code == "query-too-costly", "\(path)")
        }
    }

    @Test("follow long paths into deep documents")
    func followLong() throws {
        let deep = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
        #expect(try selected("$" + String(repeating: "[*]", count: 255), in: deep) == ["[]"])
        #expect(try selected("$" + String(repeating: "[?@ || 1 == 1]", count: 100), in: deep).count == 1)
    }

    @Test("hold for a document as a whole")
    func hold() throws {
        let document = try JSONDocument(#"{"success": false, "error": {"code": 7}}"#)
        #expect(try document.satisfies(JSONFilter(parsing: "@.success == false && @.error.code > 6")))
        #expect(try !document.satisfies(JSONFilter(parsing: "@.success")) == false)
        #expect(try !document.satisfies(JSONFilter(parsing: "@.data")))
    }

    @Test("give single values as text, with their kind")
    func giveScalars() throws {
        let document = try JSONDocument(
            #"{"s": "a\u00e9\ud800", "n": 1.10, "b": true, "z": null, "o": {}, "a": []}"#)
        func scalar(_ path: String) throws -> ScalarValue? {
            document.scalar(at: try JSONPath(parsing: path))
        }
        #expect(try scalar("s") == ScalarValue("aé\u{FFFD}"))
        #expect(try scalar("n") == ScalarValue(kind: .number, bytes: Array("1.10".utf8)))
        #expect(try scalar("b")?.flag == true)
        #expect(try scalar("z")?.kind == .null)
        for path in ["o", "a", "x", "*"] { #expect(try scalar(path) == nil) }
    }
}

extension String {
    fileprivate func replacing(_ text: String, at mark: Character) -> String {
        // Only the first: the pattern's place.
        guard let index = firstIndex(of: mark) else { return self }
        return self[..<index] + text + self[self.index(after: index)...]
    }
}
