import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A hostile or broken feed") struct SyndicationHostileTests {
    @Test(
        "is no feed, and says what it is",
        arguments: [
            ("<!DOCTYPE html><html><body/></html>", "an HTML page"), ("<html><head>", "an HTML page"),
            (#"<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>"#, "an HTML page"),
            ("<sitemap/>", "an XML document whose root is sitemap"), ("", "an empty document"),
            (" \n", "an empty document"),
            (#"{"version": "https://jsonfeed.org/version/1.1"}"#, "a JSON Feed without items"),
            (#"{"version": "https://jsonfeed.org/version/1.1", "items": {}}"#, "a JSON Feed without items"),
            (#"{"version": "https://jsonfeed.org/version/2", "items": []}"#, "JSON of another kind"),
            (#"{"items": []}"#, "JSON of another kind"),
            (#"{"version": 1, "items": []}"#, "JSON of another kind"),
            ("[]", "JSON"),
            ("hello", "something that does not start with a tag"),
            (
                #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>"#,
                "an RDF document without a channel"
            ),
        ])
    func refuses(text: String, found: String) {
        #expect(throws: FormatFailure.notAFeed(found: found)) { try ReadFeed(text) }
    }

    @Test("without any root fails with its line")
    func failsWithoutRoot() {
        let failure = #expect(throws: FormatFailure.self) { try ReadFeed("<!-- a -->\n< >") }
        #expect(failure?.code == "xml-invalid")
        #expect(failure?.line == 2)
    }

    // T-U9.
    @Test("cannot make small text large")
    func refusesEntities() throws {
        let bomb = """
            <!DOCTYPE rss [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
            """
        let read = try ReadFeed(
            bomb
                + "<rss><channel><item><guid>1</guid><title>&d;</title><link>https://example.org/</link></item></channel></rss>"
        )
        #expect(read.text(0, "title") == "&d;")
        #expect(read.document.page.text.count < 300)
        #expect(read.warnings == [.illFormed])
    }

    @Test("cannot have attributes added to every element by a document type")
    func ignoresDefaults() throws {
        let read = try ReadFeed(
            """
            <!DOCTYPE rss [<!ATTLIST enclosure type CDATA "added">]>
            <rss><channel><item><guid>1</guid><enclosure url="https://example.org/a"/></item></channel></rss>
            """)
        #expect(read.text(0, "enclosures") == #"[{"url":"https://example.org/a"}]"#)
    }

    // T-U9.
    @Test("opens no file and no other document")
    func opensNothing() throws {
        let folder = TemporaryFolder()
        let file = folder.write("secret", to: "file")
        let dtd = folder.write("<!ENTITY e 'secret'>", to: "dtd")
        for type in [
            "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file://\(file)\">]>", "<!DOCTYPE rss SYSTEM \"\(dtd)\">",
            "<!DOCTYPE rss [<!ENTITY % p SYSTEM \"\(dtd)\"> %p;]>",
        ] {
            let read = try ReadFeed(
                type + "<rss><channel><item><guid>1</guid><title>a&e;b</title></item></channel></rss>")
            #expect(read.text(0, "title")?.contains("secret") == false)
        }
    }

    @Test("is refused beyond its depth, its attributes and its entries")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        let good = try ReadFeed(ReadFeed.rss("<item><title>x\(nested(200))</title></item>"))
        #expect(good.keys.count == 1)
        let deep = #expect(throws: FormatFailure.self) {
            try ReadFeed(ReadFeed.rss("<item><title>\(nested(100_000))</title></item>"))
        }
        #expect(deep?.code == "xml-refused")
        let wide = (0...1_000).map { "a\($0)='1'" }.joined(separator: " ")
        let failure = #expect(throws: FormatFailure.self) { try ReadFeed("<rss \(wide)/>") }
        #expect(failure?.code == "xml-refused")
        #expect(throws: FormatFailure.tooManyRecords(limit: 2)) {
            try SyndicationRecords.page(
                of: PaddedBytes(ReadFeed.rss("<item/><item/><item/>")), base: nil, itemLimit: 2)
        }
    }

    @Test("with thousands of small things in one entry is read in no more time than its size asks for")
    func boundsLists() throws {
        let categories = (0..<20_000).map { "<category>\($0)</category>" }.joined()
        let links = (0..<20_000).map {
            "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='x' href='\($0)'/>"
        }
        let others = (0..<20_000).map { "<x:e>\($0)</x:e>" }.joined()
        let read = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid>\(categories)\(others)\(links.joined())</item>"))
        for name in ["categories", "links"] {
            let list = try #require(read.bodies[0].member(name))
            #expect(read.bodies[0].count(of: list) == 256)
        }
        let extensions = try #require(read.bodies[0].singular(path("extensions", "x", "e")))
        #expect(read.bodies[0].count(of: extensions) == 256)
    }

    @Test("cannot make short references long by a long base")
    func boundsBase() throws {
        let base = "https://example.org/\(String(repeating: "a", count: 5_000))/"
        let read = try ReadFeed(ReadFeed.rss("<item xml:base='\(base)'><link>b</link></item>"))
        #expect(read.text(0, "url") == "https://example.org/b")
    }

    // T-U9.
    @Test("with an attribute of ten megabytes neither fails the daemon nor is taken")
    func refusesLongAttribute() {
        let long = String(repeating: "a", count: 10_500_000)
        let read = try? ReadFeed(
            ReadFeed.rss("<item><guid>1</guid></item><item><guid>2</guid><enclosure url='\(long)'/></item>"))
        #expect((read?.document.page.text.count ?? 0) < 1_000)
    }

    static let mended: [(item: String, title: String?)] = [
        ("<title>Tom & Jerry</title>", "Tom & Jerry"),
        ("<title>AT&T &copy; caf&eacute;</title>", "AT&T © café"),
        ("<title>a\u{1}b</title>", "ab"),
        ("<title>a &lt; b &#8217; &#x41; &bogus; &</title>", "a < b ’ A &bogus; &"),
        ("<title><![CDATA[a & b]]></title> & ", "a & b"),
    ]

    @Test("is mended where it is ill-formed, with a warning", arguments: mended)
    func mends(item: String, title: String?) throws {
        let read = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid>\(item)<link>https://example.org/?a=1&b=2</link></item>"))
        #expect(read.text(0, "title") == title)
        #expect(read.text(0, "url") == "https://example.org/?a=1&b=2")
        #expect(read.warnings == [.illFormed])
        #expect(read.document.warnings.first?.line != nil)
    }

    @Test("that is cut off keeps the whole entries and drops the last")
    func survivesCut() throws {
        let text = ReadFeed.rss("<item><guid>1</guid></item><item><guid>2</guid><title>half")
        let cut = String(text.prefix(while: { _ in true }).dropLast("</channel></rss>".count))
        let read = try ReadFeed(cut)
        #expect(read.keys == ["1"])
        #expect(read.warnings == [.illFormed, .cutOff])
    }

    @Test("with an entry that never ends begins the next one all the same")
    func closesEntries() throws {
        let read = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid><title>a</title><item><guid>2</guid><title>b</title></item>"))
        #expect(read.keys == ["1", "2"])
    }

    static let charsets: [(name: String, bytes: [UInt8], title: String)] = [
        (
            "leading white space",
            Array(" \n<?xml version='1.0'?><rss><channel><item><title>é</title></item></channel></rss>".utf8),
            "é"
        ),
        (
            "a mark",
            [0xEF, 0xBB, 0xBF] + Array("<rss><channel><item><title>é</title></item></channel></rss>".utf8),
            "é"
        ),
        (
            "a declared charset",
            Array("<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><item><title>".utf8) + [0xE9]
                + Array("</title></item></channel></rss>".utf8), "é"
        ),
        (
            "stray bytes",
            Array("<?xml version='1.0' encoding='UTF-8'?><rss><channel><item><title>é ".utf8) + [
                0x93, 0xE9, 0x94,
            ]
                + Array("</title></item></channel></rss>".utf8), "é “é”"
        ),
        (
            "a stray byte, and nothing declared",
            Array("<rss><channel><item><title>äöüß ".utf8) + [0x96]
                + Array("</title></item></channel></rss>".utf8), "äöüß –"
        ),
        (
            "a declaration behind a line's end",
            Array("\n<?xml version='1.0' encoding='windows-1251'?><rss><channel><item><title>".utf8)
                + [0xEF, 0xF0, 0xE8] + Array("</title></item></channel></rss>".utf8), "при"
        ),
        (
            "UTF-8 that is declared as another",
            Array(
                "<?xml version='1.0' encoding='us-ascii'?><rss><channel><item><title>é</title></item></channel></rss>"
                    .utf8),
            "é"
        ),
        (
            "UTF-16",
            [0xFF, 0xFE]
                + Array("<rss><channel><item><title>é</title></item></channel></rss>".utf16).flatMap {
                    [UInt8($0 & 255), UInt8($0 >> 8)]
                }, "é"
        ),
    ]

    @Test("is read in its charset", arguments: charsets)
    func readsCharsets(name: String, bytes: [UInt8], title: String) throws {
        #expect(try ReadFeed(bytes: bytes).text(0, "title") == title, "\(name)")
    }

    @Test("of UTF-8 stays that under a header that says GBK; what is GBK is read as the header says")
    func distrustsHeader() throws {
        let start = Array("<rss><channel><item><title>".utf8)
        let end = Array("</title></item></channel></rss>".utf8)
        let utf8 = try ReadFeed(
            bytes: start + Array("中文".utf8) + end, at: nil, contentType: "text/xml; charset=gbk")
        #expect(utf8.text(0, "title") == "中文")
        let gbk = try ReadFeed(
            bytes: start + [0xD6, 0xD0, 0xCE, 0xC4] + end, at: nil, contentType: "text/xml; charset=gbk")
        #expect(gbk.text(0, "title") == "中文")
    }
}
