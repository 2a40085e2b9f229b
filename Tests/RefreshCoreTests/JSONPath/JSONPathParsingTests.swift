import RefreshCore
import TestSupport
import Testing

@Suite("JSON paths as text") struct JSONPathParsingTests {
    private static func name(_ text: String) -> JSONPath.Segment { .name(Array(text.utf8)) }

    @Test(
        "are read with or without their root",
        arguments: [
            ("$", [JSONPath.Segment](), "$"), ("items", [name("items")], "$.items"),
            ("$.items", [name("items")], "$.items"),
            ("result.orders", [name("result"), name("orders")], "$.result.orders"),
            ("$.a['b c'][0][-1]", [name("a"), name("b c"), .index(0), .index(-1)], "$.a['b c'][0][-1]"),
            ("items[*]", [name("items"), .wildcard], "$.items[*]"), ("$.*", [.wildcard], "$[*]"),
            ("*", [.wildcard], "$[*]"),
            ("[0]", [.index(0)], "$[0]"), ("['a']", [name("a")], "$.a"), (".a", [name("a")], "$.a"),
            ("$[\"a\"]", [name("a")], "$.a"), ("$[ 'a' ]\t[ 1 ]", [name("a"), .index(1)], "$.a[1]"),
            ("$ .a", [name("a")], "$.a"),
            ("größe", [name("größe")], "$.größe"), ("$['']", [name("")], "$['']"),
            ("_a1", [name("_a1")], "$._a1"),
            (#"$['\u0041\n\'"\\\/']"#, [name("A\n'\"\\/")], #"$['A\n\'"\\/']"#),
            (#"$["\ud83d\uDE00\"'"]"#, [name("😀\"'")], #"$['😀"\'']"#),
            (#"$['\u0001\b\t\f\r']"#, [name("\u{1}\u{8}\t\u{C}\r")], #"$['\u0001\b\t\f\r']"#),
            (#"$['\u001f']"#, [name("\u{1F}")], #"$['\u001f']"#), ("$['a-b']", [name("a-b")], "$['a-b']"),
            ("$['1']", [name("1")], "$['1']"),
            ("$[9007199254740991]", [.index(9_007_199_254_740_991)], "$[9007199254740991]"),
        ])
    func areRead(text: String, segments: [JSONPath.Segment], canonical: String) throws {
        let path = try JSONPath(parsing: text)
        #expect(path == JSONPath(segments))
        #expect(path.text == canonical)
        #expect(try JSONPath(parsing: canonical) == path)
    }

    @Test(
        "of further kinds are refused by name",
        arguments: [
            ("$..a", 1, #"descendants ("..")"#), ("a..b", 1, #"descendants ("..")"#),
            ("$[?@.a]", 2, #"filters ("?")"#),
            ("a[?(@.b>1)]", 2, #"filters ("?")"#), ("@.a", 0, #"filters ("?")"#),
            ("$[1:2]", 3, #"slices (":")"#),
            ("$[:2]", 2, #"slices (":")"#), ("$['a','b']", 5, #"unions (",")"#),
            ("$[0, 1]", 3, #"unions (",")"#),
            ("$[*,1]", 3, #"unions (",")"#),
        ])
    func unsupported(text: String, offset: Int, what: String) {
        #expect(
            throws: JSONPath.Failure(offset: offset, message: "\(what) are not supported in this version")
        ) {
            try JSONPath(parsing: text)
        }
    }

    @Test(
        "are refused with place and remedy",
        arguments: [
            ("", 0, #"empty path; "$" is the whole document"#),
            ("a-b", 1, #"expected "." or "["; a name with other letters is written ['like this']"#),
            ("$ref", 1, #"after "$" comes "." or "["; a member "$ref" is written ['$ref']"#),
            ("a.", 2, #"missing name after ".""#), ("$.", 2, #"missing name after ".""#),
            ("a.0", 2, "a name that begins with a digit is written ['0'], an index [0]"),
            ("$.'a'", 2, "a name with other letters is written ['like this']"),
            ("a ", 1, "white space at the end of the path"),
            (" a", 0, "a name with other letters is written ['like this']"),
            ("$. a", 2, "a name with other letters is written ['like this']"),
            ("$[", 2, #"in brackets stands a quoted name, an index or "*""#),
            ("$[]", 2, #"in brackets stands a quoted name, an index or "*""#),
            ("$[a]", 2, #"in brackets stands a quoted name, an index or "*""#), ("$[0", 3, #"missing "]""#),
            ("$['a'", 5, #"missing "]""#),
            ("$['a", 2, "quoted name without its end"), ("$['a\\", 4, "quoted name without its end"),
            ("$[01]", 2, "an index has no leading zeros and no minus zero"),
            ("$[-0]", 2, "an index has no leading zeros and no minus zero"),
            ("$[-]", 3, #"missing digits after "-""#), ("$[9007199254740992]", 2, "index beyond 2^53 - 1"),
            ("$['\\x']", 3, "unknown escape"), ("$['\\\"']", 3, "unknown escape"),
            ("$['\\ud800']", 3, "half of a surrogate pair"),
            ("$['\\udc00']", 3, "half of a surrogate pair"),
            ("$['\\ud800\\u0041']", 3, "half of a surrogate pair"),
            ("$['\\u12']", 3, #"four hexadecimal digits follow "\u""#),
            ("$['\n']", 3, #"control character in a name; write it as "\u00…""#),
            ("$.a]", 3, #"expected "." or "["; a name with other letters is written ['like this']"#),
            ("a$", 1, #"expected "." or "["; a name with other letters is written ['like this']"#),
        ])
    func areRefused(text: String, offset: Int, message: String) {
        #expect(throws: JSONPath.Failure(offset: offset, message: message)) { try JSONPath(parsing: text) }
    }

    /// What the standard refuses is refused, save for a missing `$`, which we let be missing; what it accepts is read
    /// or refused by the name of what is not supported.
    @Test(
        "agree with the compliance suite of RFC 9535",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        var counts: [String: Int] = [:]
        for item in CorpusValue.lines(of: "jsonpath/cases.jsonl") {
            let selector = try #require(item["selector"].text)
            let isInvalid = item["expected"]["invalid_selector"].isTrue
            let kind: String
            do {
                _ = try JSONPath(parsing: selector)
                kind = !isInvalid ? "read" : selector.hasPrefix("$") ? "WRONGLY READ" : "read without $"
            } catch {
                let isNamed = error.message.hasSuffix("not supported in this version")
                kind = isInvalid ? "refused" : isNamed ? "not supported" : "WRONGLY REFUSED"
            }
            #expect(kind.first?.isLowercase == true, "\(selector)")
            counts[kind, default: 0] += 1
        }
        #expect(counts.values.reduce(0, +) >= 516)
        print("jsonpath selectors: \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
    }
}
