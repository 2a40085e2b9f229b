import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A hostile or broken document", .serialized) struct MarkupHostileTests {
    private static let plan = markupPlan("//r", key: ["@id"], fields: [("text", ".")])

    private func page(
        _ text: String, _ plan: RecordsPlan = MarkupHostileTests.plan,
        as language: MarkupDocument.Language = .xml, limits: RecordLimits = RecordLimits(),
        markup: MarkupLimits = MarkupLimits()
    ) throws(FormatFailure) -> RecordPage {
        try MarkupRecords.page(
            of: Array(text.utf8)[...], as: language, plan: plan, limits: limits, markup: markup)
    }

    private func code(_ text: String, as language: MarkupDocument.Language = .xml) -> String? {
        do throws(FormatFailure) {
            _ = try page(text, as: language)
            return nil
        } catch {
            return error.code
        }
    }

    // T-U9.
    @Test("cannot make small text large")
    func refusesEntities() {
        let bomb = """
            <!DOCTYPE l [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
            """
        #expect(
            throws: FormatFailure.xmlRefused(line: 3, what: "the entity &d; is none of the five of XML")
        ) { try self.page(bomb + "\n<l><r id='1'>&d;</r></l>") }
        #expect(code(bomb + "<l><r id='&d;'/></l>") == "xml-refused")
        #expect(code("<l><r id='1'>&nbsp;</r></l>") == "xml-refused")
    }

    @Test("of declared entities that it does not use is read")
    func readsUnusedEntities() throws {
        let page = try page(
            "<!DOCTYPE l [<!ENTITY a 'x'><!ATTLIST r big CDATA 'added'>]><l><r id='1'>&lt;</r></l>")
        #expect(bodies(page) == [#"{"text":"<"}"#])
        let added = try self.page(
            "<!DOCTYPE l [<!ATTLIST r big CDATA 'added'>]><l><r id='1'/></l>",
            markupPlan("//r", key: ["@id"], fields: [("big", "@big")]))
        #expect(bodies(added) == ["{}"])
    }

    // T-U9.
    @Test("opens no file and no other document")
    func opensNothing() throws {
        let folder = TemporaryFolder()
        let file = folder.write("secret", to: "file")
        let dtd = folder.write("<!ENTITY e 'secret'>", to: "dtd")
        let refusals = LibXML.refusals.load(ordering: .relaxed)
        for type in [
            "<!DOCTYPE l [<!ENTITY e SYSTEM \"file://\(file)\">]>", "<!DOCTYPE l SYSTEM \"\(dtd)\">",
            "<!DOCTYPE l PUBLIC \"-//x//y\" \"\(dtd)\">",
            "<!DOCTYPE l [<!ENTITY % p SYSTEM \"\(dtd)\"> %p;]>",
        ] {
            #expect(["xml-refused", "xml-invalid"].contains(code(type + "<l><r id='1'>a&e;b</r></l>")))
            #expect(["xml-refused", "xml-invalid"].contains(code(type + "<l><r id='&e;'/></l>")))
        }
        // Without a reference to it an external document type does not matter.
        let page = try page("<!DOCTYPE l SYSTEM \"\(dtd)\"><l><r id='1'/></l>")
        #expect(page.rows.count == 1)
        let included = try self.page(
            "<l xmlns:x='http://www.w3.org/2001/XInclude'><r id='1'><x:include href='\(file)' parse='text'/></r></l>"
        )
        #expect(bodies(included) == [#"{"text":""}"#])
        #expect(LibXML.refusals.load(ordering: .relaxed) == refusals)
    }

    static let broken: [(text: String, code: String)] = [
        ("", "xml-invalid"), (" ", "xml-invalid"), ("{}", "xml-invalid"), ("<l><r id='1'>", "xml-invalid"),
        ("<l><r id='1'/>", "xml-invalid"), ("<l><r id='1'/></l", "xml-invalid"), ("<l>&</l>", "xml-invalid"),
        ("<l><r id=1/></l>", "xml-invalid"), ("<l><r id='1' id='2'/></l>", "xml-invalid"),
        ("<l>a\0<r id='1'/></l>", "xml-invalid"), ("<l/><r/>", "xml-invalid"),
        ("<l>\u{1}</l>", "xml-invalid"),
        ("<l><r id='1'></l></r>", "xml-invalid"), ("<l><!-- ", "xml-invalid"), ("<l>]]></l>", "xml-invalid"),
        ("<html><body><p>an error<br></body></html>", "xml-invalid"), ("<l/>", "records-path-missing"),
    ]

    @Test("of XML is refused whole", arguments: broken)
    func refusesBroken(text: String, code: String) {
        #expect(self.code(text) == code)
    }

    @Test("of XML says the line")
    func saysLine() {
        let failure = #expect(throws: FormatFailure.self) { try self.page("<l>\n<r>\n</l>") }
        #expect(failure?.line == 3)
        #expect(failure?.detail.contains("r") == true)
    }

    @Test("cannot be deep, wide or large beyond its limits", arguments: [MarkupDocument.Language.xml, .html])
    func bounds(language: MarkupDocument.Language) throws {
        let prefix = language == .xml ? "xml" : "html"
        func code(_ text: String) -> String? { self.code(text, as: language) }
        let deep = String(repeating: "<b>", count: 300) + String(repeating: "</b>", count: 300)
        #expect(code(deep) == "\(prefix)-refused")
        #expect(code(String(repeating: "<b>", count: 100_000)) == "\(prefix)-refused")
        let attributes = (0...1_000).map { " a\($0)='x'" }.joined()
        #expect(code("<l><r id='1'\(attributes)/></l>") == "\(prefix)-refused")
        let fewer = (0..<900).map { " a\($0)='x > y'" }.joined()
        #expect(code("<l><r id='1'\(fewer)/></l>") == nil)
        // What would take hours to compare.
        let endless = "<l><r id='1'" + (0..<1_000_000).map { " b\($0)=\"\"" }.joined() + "/></l>"
        #expect(code(endless) == "\(prefix)-refused")
        var markup = MarkupLimits()
        markup.nodes = 100
        for text in [
            String(repeating: "<r id='1'/>", count: 60), String(repeating: "<!-- -->", count: 120),
            String(repeating: "<?p i?>", count: 120),
        ] {
            let failure = #expect(throws: FormatFailure.self) {
                try self.page("<l>\(text)</l>", as: language, markup: markup)
            }
            #expect(failure?.code == "\(prefix)-refused")
        }
    }

    // T-U9.
    @Test("with an attribute or a text of ten megabytes is refused or bounded")
    func boundsText() throws {
        let long = String(repeating: "x", count: 10_100_000)
        #expect(code("<l><r id='\(long)'/></l>") == "xml-invalid")
        #expect(code("<l><r id='1'>\(long)</r></l>") == "xml-invalid")
        // Within what libxml2 reads, the record is.
        let shorter = String(repeating: "x", count: 9_000_000)
        let page = try page("<l><r id='1'>\(shorter)</r><r id='2'/></l>")
        #expect(page.rows.map(\.key.text) == ["2"])
        #expect(page.rejections.map(\.reason) == ["it has 9000011 bytes; 8388608 are allowed"])
        let key = try self.page("<l><r id='\(shorter)'/><r id='2'/></l>")
        #expect(key.rejections.map(\.reason) == ["its key has 9000000 bytes; 1024 are allowed"])
    }

    @Test("with too many namespaces or declared attributes is refused")
    func boundsDeclarations() {
        let spaces = (0..<40).map { depth in
            "<l " + (0..<200).map { "xmlns:n\(depth)x\($0)='urn:x'" }.joined(separator: " ") + ">"
        }.joined()
        #expect(code(spaces + String(repeating: "</l>", count: 40)) == "xml-refused")
        let list = (0..<100).map { "a\($0) CDATA 'x'" }.joined(separator: " ")
        #expect(code("<!DOCTYPE l [<!ATTLIST r \(list)>]><l><r id='1'/></l>") == "xml-refused")
    }

    @Test("that is a feed is refused for the same, before it takes hours")
    func boundsFeeds() {
        let attributes = (0..<1_000_000).map { " b\($0)=\"\"" }.joined()
        let declared = (0..<100).map { "a\($0) CDATA 'x'" }.joined(separator: " ")
        let spaces = (0..<40).map { depth in
            "<l " + (0..<200).map { "xmlns:n\(depth)x\($0)='urn:x'" }.joined(separator: " ") + ">"
        }.joined()
        for text in [
            "<rss><channel\(attributes)/></rss>",
            "<!DOCTYPE rss [<!ATTLIST r \(declared)>]><rss><channel/></rss>",
            "<rss><channel>" + spaces + String(repeating: "</l>", count: 40) + "</channel></rss>",
        ] {
            let failure = #expect(throws: FormatFailure.self) {
                try SyndicationRecords.page(of: PaddedBytes(text), base: nil)
            }
            #expect(failure?.code == "xml-refused")
        }
    }

    // T-U10.
    @Test("cannot make an expression take steps without end")
    func boundsSteps() throws {
        let tree = "<l>" + String(repeating: "<a><b><c/></b><b/></a>", count: 2_000) + "<r id='1'/></l>"
        for path in ["//*[count(//*[count(//*) > 1]) > 1]", "//*[preceding::*[following::*]]"] {
            let failure = #expect(throws: FormatFailure.self) {
                try self.page(tree, markupPlan(path, key: ["."], fields: []))
            }
            #expect(
                failure == .xpathFailed(path: path, what: "it takes more steps than are allowed"), "\(path)")
        }
        // Of each row too.
        var markup = MarkupLimits()
        markup.steps = 100_000
        let failure = #expect(throws: FormatFailure.self) {
            try self.page(
                tree, markupPlan("//a", key: ["count(preceding::*)"], fields: []), markup: markup)
        }
        #expect(failure?.code == "xpath-failed")
        #expect(
            try page(tree, markupPlan("//r", key: ["count(//*)"], fields: [])).rows.map(\.key.text) == [
                "8002"
            ])
    }

    // T-U10.
    @Test("cannot make an expression compare each of many nodes with each")
    func boundsSquares() throws {
        let large = "<l>" + String(repeating: "<a/>", count: 30_000) + "</l>"
        for path in ["//*/..", "//a/following-sibling::a", "//a | //b", "/l[a = b]", "//a//b", "(//a)/.."] {
            let failure = #expect(throws: FormatFailure.self) {
                try self.page(large, markupPlan(path, key: ["."], fields: []))
            }
            #expect(failure?.detail.contains("30001 elements and attributes") == true, "\(path)")
        }
        // In a document of the largest size that they are asked of, they end.
        let small = "<l>" + String(repeating: "<a/>", count: 19_000) + "</l>"
        for path in ["//*/..", String(repeating: "//*", count: 20), "//a/following-sibling::a"] {
            _ = try? page(small, markupPlan(path, key: ["."], fields: []))
        }
        // One node to start from is no such case, however large the document.
        let plan = markupPlan(
            "/l/a[@n = 'x']/b", key: ["../@n"],
            fields: [("f", "../following-sibling::a"), ("g", "ancestor::l/a[1]/@n"), ("h", ".//c")])
        let one = try page("<l>" + String(repeating: "<a/>", count: 30_000) + "<a n='x'><b/></a></l>", plan)
        #expect(one.rows.map(\.key.text) == ["x"])
    }

    static let costs: [(text: String, isHigh: Bool)] = [
        ("//a", false), ("//a/b/@c", false), ("a//b", true), (".//a", false), ("..//a", false),
        ("../../a", false),
        ("a/..", true), ("a[1]/..", false), ("ancestor::a/b", false), ("a/ancestor::b", true),
        ("a[../b]", false),
        ("a[b/..]", true), ("a | b", true), ("a[b = c]", true), ("a[b = 'c']", false),
        ("a[b > count(c)]", false),
        ("//a[contains(., 'x')]/b", false), ("count(//a)", false), ("a * b", false), ("*/..", true),
        ("@a/..", true),
        ("self::a/..", false), ("string(a)", false), ("(a)/b", false), ("(a)//b", true),
        ("following::a[1]", false),
        ("/a/b/c", false), ("a/descendant::b", true), ("a and b/c", false), ("not(a = b)", true),
        ("a/text()", false),
    ]

    @Test("meets expressions that are known for their cost", arguments: costs)
    func knowsCosts(text: String, isHigh: Bool) {
        #expect(XPathCost.isHigh(text) == isHigh)
    }

    @Test("cannot bring more rows, or repeat more text, than is allowed")
    func boundsRows() throws {
        var limits = RecordLimits()
        limits.rows = 3
        let rows = (0..<4).map { "<r id='\($0)'/>" }.joined()
        #expect(throws: FormatFailure.tooManyRecords(limit: 3)) {
            try self.page("<l>\(rows)</l>", limits: limits)
        }
        let many = (0..<1_000).map { "<r id='\($0)'/>" }.joined()
        let plan = markupPlan("//r", key: ["@id"], fields: [("all", "string(/)"), ("list[]", "//r/@id")])
        let text = "<l>" + String(repeating: "x", count: 1_000) + many + "</l>"
        let document = try MarkupDocument(parsing: Array(text.utf8)[...], as: .xml)
        var small = RecordLimits()
        small.text = .kibibytes(100)
        let failure = #expect(throws: FormatFailure.self) {
            try MarkupRecords.page(of: document, plan: plan, limits: small)
        }
        #expect(failure?.code == "too-large")
    }

    @Test("of HTML is read as far as it goes")
    func readsGarbage() throws {
        let plan = markupPlan("//p", key: ["."], fields: [("a", "@a"), ("t", ".")])
        for (text, found) in [
            ("<p a=1>x", #"{"a":"1","t":"x"}"#), ("<p a='1>x</p>", nil),
            ("<p>x</b></i></p></html>y", #"{"t":"x"}"#),
            ("<p a=\"\0\">x\0y", "{\"a\":\"\u{FFFD}\",\"t\":\"x\u{FFFD}y\"}"),
            ("<<<p>x<", #"{"t":"x<"}"#), ("<p>&#xD800;x&#0;&bogus;&amp", #"{"t":"x&bogus;&amp"}"#),
            ("<p a=1 a=2 a>x", #"{"a":"1","t":"x"}"#), ("<!DOCTYPE x [<!ENTITY e 'y'>]><p>x&e;", nil),
            ("<p>x<!-- <p>y", nil),
        ] as [(String, String?)] {
            let read = try? page(text, plan, as: .html)
            if let found { #expect(read.map { bodies($0).first } == found, "\(text)") }
        }
        #expect(code("", as: .html) == "records-path-missing")
    }

    @Test(
        "changed at random is refused, or its records are JSON",
        arguments: [MarkupDocument.Language.xml, .html])
    func survivesChanges(language: MarkupDocument.Language) {
        var random = Randomness(seed: 5)
        let good = Array(
            """
            <?xml version="1.0" encoding="utf-8"?><!DOCTYPE l [<!ENTITY a "b">]><l xmlns:x="u"><r id="1" x:y='2'>t<b>é</b>
            </r><!-- c --><r id="2"><![CDATA[<x>]]>&amp;&#233;</r><script>if (a<b)</script><r id=3><p>a<p>b<table><td>
            """.utf8)
        let valid = Array(
            "<l xmlns:x='u'><r id='1'>t<b x:c='d'>é</b><![CDATA[z]]></r><!-- c --><r id='2'>&amp;</r></l>"
                .utf8)
        let pieces = Array("<>&;'\"/=![]-?x ".utf8) + [0, 0x80, 0xC3, 0xFF]
        var accepted = 0
        for round in 0..<3_000 {
            var bytes = round % 2 == 0 ? good : valid
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
                case 1: bytes.remove(at: at)
                default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 9)], at: at)
                }
            }
            guard
                let page = try? MarkupRecords.page(
                    of: bytes[...], as: language, plan: MarkupHostileTests.plan)
            else { continue }
            accepted += 1
            for row in page.rows {
                let body = Array(page.body(of: row))
                #expect(throws: Never.self) { try JSONDocument(parsing: PaddedBytes(body)) }
            }
        }
        #expect(accepted > (language == .xml ? 100 : 2_000))
    }
}
