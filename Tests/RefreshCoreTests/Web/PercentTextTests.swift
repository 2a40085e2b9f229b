import RefreshCore
import Testing

@Suite("Values in URLs and forms") struct PercentTextTests {
    @Test(
        "are encoded so that nothing in them has a meaning",
        arguments: [
            ("a b", "a%20b", "a+b"), ("a+b&c=d", "a%2Bb%26c%3Dd", "a%2Bb%26c%3Dd"), ("é", "%C3%A9", "%C3%A9"),
            ("-._~", "-._~", "-._~"), ("\r\n#", "%0D%0A%23", "%0D%0A%23"), ("", "", ""),
        ])
    func encodes(_ value: String, _ url: String, _ form: String) {
        #expect(PercentText.encoded(value) == url)
        #expect(PercentText.formEncoded(value) == form)
        #expect(PercentText.decoded(url.utf8).map { String(decoding: $0, as: UTF8.self) } == value)
    }

    @Test("are not decoded where a percent sign encodes nothing", arguments: ["%", "%a", "a%zz", "%%41"])
    func refuses(_ text: String) {
        #expect(PercentText.decoded(text.utf8) == nil)
    }

    @Test("are added behind the query of a URL")
    func adds() throws {
        let bare = try WebURL(parsing: "https://a.example/x")
        #expect(
            bare.adding(params: [("a", "1"), ("b", "é")]).description == "https://a.example/x?a=1&b=%C3%A9")
        #expect(bare.adding(params: []) == bare)
        let query = try WebURL(parsing: "https://a.example/x?a=1")
        #expect(query.adding(params: [("a", "2")]).query == "a=1&a=2")
        #expect(query.adding(params: [("a", "2")], onlyAbsent: true) == query)
        #expect(try WebURL(parsing: "https://a.example/?").adding(params: [("a", "2")]).query == "a=2")
    }

    @Test("are found in a query however they are spelt")
    func finds() throws {
        let url = try WebURL(parsing: "https://a.example/?a%62c=1&d+e&f")
        for name in ["abc", "d e", "f"] { #expect(url.hasParam(name)) }
        for name in ["ab", "1", "a%62c", ""] { #expect(!url.hasParam(name)) }
    }

    // RFC 4648, section 10.
    @Test(
        "have the Base64 of the standard's examples",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("~~~???", "fn5+Pz8/"),
        ])
    func base64(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }
}
