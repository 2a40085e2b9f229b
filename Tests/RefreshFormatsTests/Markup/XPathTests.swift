import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("An XPath expression") struct XPathTests {
    private static let namespaces = [Namespace(prefix: "s", uri: "urn:s")]

    @Test(
        "is taken where it means something without a document",
        arguments: [
            "//a", "/s:a/s:*/@s:b", "string(@id)", "concat('a', \"b\", c)", "a[position() = last()]", "..",
            ".",
            "a | b", "xml:lang", "@xml:id", "text()", "processing-instruction('x')", "self::node()", "a-b.c",
            "div div mod mod (and)", "* * *", "-1 - .5", "normalize-space()", "ancestor-or-self::*[1]/@*",
            "a[b = 'it(s) $x']", "substring(a, 2)", "é", "count(//a[@b][. > 3])",
        ])
    func accepts(text: String) {
        #expect(XPath.check(text, namespaces: XPathTests.namespaces) == nil)
    }

    static let faults: [(text: String, offset: Int, message: String)] = [
        ("", 0, "an empty XPath"), ("  ", 0, "an empty XPath"),
        ("t:a", 0, "the prefix \"t\" is not in namespaces"),
        ("a/$x", 2, "there are no variables here, so $x means nothing"),
        ("//a[contain(., 'x')]", 4, "XPath 1.0 has no function \"contain\"; did you mean \"contains\"?"),
        ("document('file:///etc/passwd')", 0, "XPath 1.0 has no function \"document\""),
        ("s:f()", 0, "XPath 1.0 has no function \"s:f\""),
        ("contains(a)", 0, "contains() takes 2 arguments, not 1"),
        ("substring(a)", 0, "substring() takes 2 to 3 arguments, not 1"),
        ("concat('a')", 0, "concat() takes at least 2 arguments, not 1"),
        ("count()", 0, "count() takes 1 arguments, not 0"), ("true(1)", 0, "true() takes 0 arguments, not 1"),
        ("a['x", 2, "a text without its closing quote"),
        (String(repeating: "(", count: 65), 64, "more than 64 brackets deep"),
        (String(repeating: "a", count: 4_097), 4_096, "an XPath has 4096 bytes at most"),
        ("a\0b", 1, "a zero byte"),
    ]

    @Test("is refused with the place and the reason", arguments: faults)
    func refuses(text: String, offset: Int, message: String) {
        #expect(
            XPath.check(text, namespaces: XPathTests.namespaces)
                == XPath.Failure(offset: offset, message: message))
    }

    @Test(
        "is refused where the grammar does not allow it",
        arguments: [
            "a b", "/a/", "a[", "a[1", "foo::a", "//", "a[]", "1 +", "a//", "@@a", "a:b:c", "()", "!", "#",
        ])
    func refusesGrammar(text: String) {
        #expect(XPath.check(text, namespaces: XPathTests.namespaces) != nil)
    }

    @Test("of many steps, signs or brackets does no harm")
    func survivesLength() {
        for text in [
            String(repeating: "a/", count: 2_000) + "a", String(repeating: "-", count: 4_000) + "1",
            String(repeating: "(", count: 64) + "1" + String(repeating: ")", count: 64),
            String(repeating: "a[", count: 60) + "1" + String(repeating: "]", count: 60),
            "a" + String(repeating: "|a", count: 2_000), "1" + String(repeating: "+1", count: 2_000),
        ] {
            _ = XPath.check(text, namespaces: [])
            let document = try? MarkupDocument(parsing: Array("<a/>".utf8)[...], as: .xml)
            _ = try? document?.text(at: text)
        }
    }

    @Test(
        "has a parent where its last step is that of a child",
        arguments: [
            ("/a/b", "/a"), ("/s:a/s:b[@c = 'd/e']", "/s:a"), ("a/b/c", "a/b"), ("/a", nil), ("//a", nil),
            ("/a//b", nil), ("//a/b", "//a"), ("a | b/c", nil), ("count(/a/b)", nil), ("/a/*", "/a"),
            ("/a/@b", "/a"),
        ] as [(String, String?)])
    func findsParent(text: String, parent: String?) {
        #expect(XPath.parent(of: text) == parent)
    }
}
