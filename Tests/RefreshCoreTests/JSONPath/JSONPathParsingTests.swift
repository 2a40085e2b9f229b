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
        "of every kind are written in their shortest notation",
        arguments: [
            ("$..a", "$..a"), ("a..b", "$.a..b"), ("$..*", "$..[*]"), ("$..[0]", "$..[0]"),
            ("$..['a b', \"c\"]", "$..['a b','c']"), ("$[1:2]", "$[1:2]"), ("$[ : 2 ]", "$[:2]"),
            ("$[::-1]", "$[::-1]"), ("$[1 : 5 : 2]", "$[1:5:2]"), ("$[:]", "$[:]"), ("$[::]", "$[:]"),
            ("$['a','b']", "$['a','b']"), ("$[0, 1,*]", "$[0,1,*]"), ("$[?@.a]", "$[?@.a]"),
            ("a[?(@.b>1)]", "$.a[?@.b > 1]"), ("$[? !@.a ]", "$[?!@.a]"),
            ("$[?@.a&&@.b||@.c]", "$[?@.a && @.b || @.c]"),
            ("$[?@.a&&(@.b||@.c)]", "$[?@.a && (@.b || @.c)]"),
            ("$[?(@.a&&@.b)&&@.c]", "$[?(@.a && @.b) && @.c]"),
            ("$[?!(@.a==1)]", "$[?!(@.a == 1)]"), ("$[?!(!@.a)]", "$[?!(!@.a)]"),
            ("$[?@['a'] <= -1.50E+3]", "$[?@.a <= -1.50E+3]"),
            ("$[?@ == \"it's\"]", #"$[?@ == 'it\'s']"#), ("$[?true==@.x,'y']", "$[?true == @.x,'y']"),
            ("$[?length( @.a )>=count($..b)]", "$[?length(@.a) >= count($..b)]"),
            ("$[?match(@.a,'x.*')]", "$[?match(@.a, 'x.*')]"),
            ("$[?!search(@, value($.p))]", "$[?!search(@, value($.p))]"),
            ("$[?@.a[?@.b[?@.c]]]", "$[?@.a[?@.b[?@.c]]]"), ("$[?@ .a [0]==null]", "$[?@.a[0] == null]"),
        ])
    func areWritten(text: String, canonical: String) throws {
        let path = try JSONPath(parsing: text)
        #expect(path.text == canonical)
        #expect(try JSONPath(parsing: canonical, isStrict: true) == path)
    }

    @Test(
        "are singular as long as they name one child a step",
        arguments: [
            ("$", true), ("a.b[0]", true), ("a[-1]['x']", true), ("a.*", false), ("a..b", false),
            ("a[0:1]", false), ("a['b','c']", false), ("a[?@.b]", false),
        ])
    func areSingular(text: String, isSingular: Bool) throws {
        #expect(try JSONPath(parsing: text).isSingular == isSingular)
    }

    @Test("are bounded in depth and length, whatever they are made of")
    func areBounded() throws {
        func nested(_ count: Int) -> String {
            "$" + String(repeating: "[?@", count: count) + String(repeating: "]", count: count)
        }
        func parenthesised(_ count: Int) -> String {
            "$[?" + String(repeating: "(", count: count) + "@" + String(repeating: ")", count: count) + "]"
        }
        _ = try JSONPath(parsing: nested(64))
        _ = try JSONPath(parsing: parenthesised(63))
        for text in [nested(65), parenthesised(64), nested(100_000), parenthesised(100_000)] {
            let failure = #expect(throws: JSONPath.Failure.self) { try JSONPath(parsing: text) }
            #expect(failure?.message == "filters and parentheses are nested too deep")
        }
        let functions =
            "$[?" + String(repeating: "length(", count: 100) + "@" + String(repeating: ")", count: 100)
            + "==1]"
        #expect(throws: JSONPath.Failure.self) { try JSONPath(parsing: functions) }
        _ = try JSONPath(parsing: "$" + String(repeating: ".a", count: 512))
        #expect(throws: JSONPath.Failure.self) {
            try JSONPath(parsing: "$" + String(repeating: ".a", count: 513))
        }
    }

    @Test(
        "are refused with place and remedy",
        arguments: [
            ("@.a", 0, #"a path starts with "$"; a filter stands in [?…]"#),
            ("$..", 3, #"missing name after "..""#),
            ("$.[0]", 2, #"between "." and "[" stands a name; leave out the ".""#),
            ("$[?@.a=1]", 6, #"write "==" to compare"#), ("$[?@.a & @.b]", 7, #"write "&&""#),
            ("$[?a=='x']", 3, "a member is written @.a, a text 'a'"),
            ("$[?@.a=='x'", 11, #"missing "]""#), ("$[?(@.a]", 7, #"missing ")""#),
            ("$[?]", 3, "here stands @ or $ with a path, a quoted text, a number, true, false or null"),
            ("$[?", 3, "the filter ends too early"),
            ("$[?1]", 3, "a value alone is no condition; compare it with another"),
            ("$[?length(@.a)]", 3, "the result of this function has to be compared, as in length(@.a) > 0"),
            ("$[?@.*==1]", 3, "this query may select several values; only the query of one can be compared"),
            ("$[?1==match(@,'a')]", 6, "the result of this function is a truth, which is not compared"),
            ("$[?size(@)>1]", 3, "unknown function; there are length, count, value, match and search"),
            ("$[?match(@)]", 3, "match takes two arguments"),
            ("$[?count()>1]", 3, "count takes one argument"),
            ("$[?count(1)>1]", 9, "this function takes a query such as @.items[*]"),
            (#"$[?match(@,'\\d')]"#, 11, "no pattern of RFC 9485: no such escape; write [0-9]"),
            ("", 0, #"empty path; "$" is the whole document"#),
            ("a-b", 1, #"expected "." or "["; a name with other letters is written ['like this']"#),
            ("$ref", 1, #"after "$" comes "." or "["; a member "$ref" is written ['$ref']"#),
            ("a.", 2, #"missing name after ".""#), ("$.", 2, #"missing name after ".""#),
            ("a.0", 2, "a name that begins with a digit is written ['0'], an index [0]"),
            ("$.'a'", 2, "a name with other letters is written ['like this']"),
            ("a ", 1, "white space at the end of the path"),
            (" a", 0, "a name with other letters is written ['like this']"),
            ("$. a", 2, "a name with other letters is written ['like this']"),
            (
                "$[", 2,
                #"in brackets stands a quoted name, an index, "*", a slice such as 0:5, or "?" and a filter"#
            ),
            (
                "$[]", 2,
                #"in brackets stands a quoted name, an index, "*", a slice such as 0:5, or "?" and a filter"#
            ),
            (
                "$[a]", 2,
                #"in brackets stands a quoted name, an index, "*", a slice such as 0:5, or "?" and a filter"#
            ), ("$[0", 3, #"missing "]""#),
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

    @Test(
        "agree with the compliance suite of RFC 9535",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        var right = 0
        let cases = CorpusValue.lines(of: "jsonpath/cases.jsonl")
        for item in cases {
            let selector = try #require(item["selector"].text)
            let isValid = !item["expected"]["invalid_selector"].isTrue
            let path = try? JSONPath(parsing: selector, isStrict: true)
            #expect((path != nil) == isValid, "\(selector)")
            if (path != nil) == isValid { right += 1 }
            guard let path else { continue }
            #expect(try JSONPath(parsing: path.text, isStrict: true) == path, "\(selector)")
        }
        #expect(cases.count == 516)
        print("jsonpath selectors: \(right) of \(cases.count) judged right")
    }
}
