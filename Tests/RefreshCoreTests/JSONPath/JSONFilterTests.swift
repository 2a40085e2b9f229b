import RefreshCore
import Testing

@Suite("JSON filters as text") struct JSONFilterTests {
    @Test(
        "stand alone",
        arguments: [
            ("@.status == 'cancelled'", "@.status == 'cancelled'"), ("@.test != true", "@.test != true"),
            (" @.a&&!@.b ", "@.a && !@.b"), ("@.tags[?@=='x']", "@.tags[?@ == 'x']"), ("@", "@"),
            ("(@.a)", "@.a"),
        ])
    func standAlone(text: String, canonical: String) throws {
        let filter = try JSONFilter(parsing: text)
        #expect(filter.text == canonical)
        #expect(try JSONFilter(parsing: canonical) == filter)
    }

    @Test(
        "are refused with place and remedy",
        arguments: [
            ("", 0, "empty filter; write for example @.status == 'open'"),
            ("  ", 2, "empty filter; write for example @.status == 'open'"),
            ("status == 'x'", 0, "a member is written @.status, a text 'status'"),
            ("@.a == 'x' @.b", 11, #"expected "&&" or "||", or the end of the filter"#),
            ("@.a == x", 7, "a member is written @.x, a text 'x'"),
            ("@.a == 'x", 7, "quoted name without its end"), ("?@.a", 0, nil),
        ])
    func areRefused(text: String, offset: Int, message: String?) {
        let failure = #expect(throws: JSONPath.Failure.self) { try JSONFilter(parsing: text) }
        #expect(failure?.offset == offset)
        if let message { #expect(failure?.message == message) }
    }
}

@Suite("Patterns of RFC 9485") struct IRegexpTests {
    @Test(
        "become patterns of PCRE",
        arguments: [
            ("a.b", #"a[^\n\r]b"#), ("(a|b)*c{2,3}d{4}e{5,}", "(?:a|b)*c{2,3}d{4}e{5,}"), ("", ""),
            ("a||b", "a||b"),
            (#"\p{Lu}\P{N}[\p{L}-]"#, #"\p{Lu}\P{N}[\p{L}\-]"#), ("[-a-z^.]", #"[\-a-z\^.]"#),
            ("[^é-ü]", "[^é-ü]"), (#"\.\-\^\n"#, #"\.\-\^\n"#), ("^a$", "^a$"), ("()", "(?:)"),
            (#"[\]\[\-]"#, #"[\]\[\-]"#), ("é+", "é+"),
        ])
    func become(text: String, pattern: String) throws {
        #expect(String(decoding: try IRegexp(parsing: Array(text.utf8)).pattern, as: UTF8.self) == pattern)
    }

    @Test(
        "are nothing that only PCRE knows",
        arguments: [
            "(?i)a", "(*UTF)a", "a*?", "a++", "a{1", "a{,2}", "a{}", "*a", "^*", "a)", "(a", "[a", "[]",
            "[^]",
            #"\d"#, #"\w"#, #"\b"#, #"\1"#, #"\Qa"#, #"\p{Lx}"#, #"\p{Greek}"#, #"\p{}"#, #"\pL"#, "\\",
            "[[:alpha:]]", "[a&&[b]]", "]", "}", "[a-b-c]", #"[a-\p{L}]"#,
        ])
    func areNothingElse(text: String) {
        #expect(throws: IRegexp.Failure.self) { try IRegexp(parsing: Array(text.utf8)) }
    }

    @Test("are bounded in depth")
    func areBounded() {
        let deep = String(repeating: "(", count: 65) + String(repeating: ")", count: 65)
        #expect(throws: IRegexp.Failure.self) { try IRegexp(parsing: Array(deep.utf8)) }
    }
}
