import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// A plan of XPath expressions in few words.
func markupPlan(
    _ path: String, key: [String], fields: [(String, String)], namespaces: [(String, String)] = []
) -> RecordsPlan {
    var plan = RecordsPlan(path: .xpath(path), key: key.map { .xpath($0) })
    plan.fields = fields.map { FieldPlan(name: $0.0, path: .xpath($0.1)) }
    plan.namespaces = namespaces.map { Namespace(prefix: $0.0, uri: $0.1) }
    return plan
}

func bodies(_ page: RecordPage) -> [String] {
    page.rows.map { String(decoding: page.body(of: $0), as: UTF8.self) }
}

@Suite("Records of an XML or HTML answer") struct MarkupRecordsTests {
    private static let text = """
        <?xml version="1.0"?><!-- c --><list xmlns:x="urn:x"><row id="1" n="1.50"><name>a<b>b</b>c</name>
        <tag>p</tag><tag>q</tag><x:e>é &amp; &#233;</x:e></row><row id="2"><![CDATA[<&]]>"\\\t</row></list>
        """

    private func page(
        _ text: String, _ plan: RecordsPlan, as language: MarkupDocument.Language = .xml,
        limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        try MarkupRecords.page(of: Array(text.utf8)[...], as: language, plan: plan, limits: limits)
    }

    static let fields: [(expression: String, first: String?, second: String?)] = [
        ("@id", #""1""#, #""2""#), ("name", #""abc""#, nil), ("tag", #""p""#, nil), ("tag[2]", #""q""#, nil),
        ("u:e", #""é & é""#, nil), ("string(tag)", #""p""#, #""""#), ("number(@n)", "1.5", nil),
        ("count(tag)", "2", "0"), ("boolean(tag)", "true", "false"), ("1 div 0", nil, nil),
        ("@id + 0.5", "1.5", "2.5"), ("1000000 * 1000000 * 1000000 * 1000", "1e+21", "1e+21"),
        ("text()", #""\n""#, #""<&\"\\\t""#), ("../@none", nil, nil),
        ("local-name(..)", #""list""#, #""list""#),
        ("tag | name", #""abc""#, nil), ("ancestor::list/row[1]/@id", #""1""#, #""1""#),
        ("position()", "1", "1"), ("-1 * 0", "0", "0"),
    ]

    @Test("have fields of texts, numbers and truth values", arguments: fields)
    func readsFields(expression: String, first: String?, second: String?) throws {
        let plan = markupPlan(
            "/list/row", key: ["@id"], fields: [("f", expression)], namespaces: [("u", "urn:x")])
        let page = try page(MarkupRecordsTests.text, plan)
        #expect(page.rows.map(\.key.text) == ["1", "2"])
        #expect(bodies(page) == [first, second].map { $0.map { "{\"f\":\($0)}" } ?? "{}" })
        #expect(page.rows.map(\.hash) == bodies(page).map { ContentHash.of(Array($0.utf8)) })
    }

    @Test("have fields of lists")
    func readsLists() throws {
        let plan = markupPlan(
            "//row", key: ["id"],
            fields: [
                ("id", "@id"), ("t[]", "tag"), ("n[]", "count(tag)"), ("u[]", "tag[2] | tag[1]"),
                ("z[]", "0 div 0"),
            ])
        #expect(
            try bodies(page(MarkupRecordsTests.text, plan)) == [
                #"{"id":"1","t":["p","q"],"n":["2"],"u":["p","q"],"z":[]}"#,
                #"{"id":"2","t":[],"n":["0"],"u":[],"z":[]}"#,
            ])
    }

    static let keys: [(key: [String], first: String?, reason: String)] = [
        (["@id"], "1", ""), (["f"], "abc", ""), (["@id", "tag"], #"["1","p"]"#, ""),
        (["count(tag)"], "2", ""),
        (["boolean(tag)"], "true", ""), (["@none"], nil, "its key @none is missing"),
        (["@id + 0.5"], nil, "its key @id + 0.5 is a number with a fraction or an exponent"),
        (["''"], nil, "its key '' is empty"), (["l"], nil, "its key l is a list"),
        (
            ["substring('\(String(repeating: "k", count: 1_025))', 1)"], nil,
            "its key has 1025 bytes; 1024 are allowed"
        ),
    ]

    @Test("have keys of fields and of expressions, or are refused with the reason", arguments: keys)
    func readsKeys(key: [String], first: String?, reason: String) throws {
        let plan = markupPlan("//row[1]", key: key, fields: [("f", "name"), ("l[]", "tag")])
        if let first {
            #expect(try page(MarkupRecordsTests.text, plan).rows.map(\.key.text) == [first])
        } else {
            #expect(throws: FormatFailure.recordsRejected(rejected: 1, of: 1, first: reason)) {
                try self.page(MarkupRecordsTests.text, plan)
            }
        }
    }

    static let paths: [(path: String, count: Int?)] = [
        ("/list/row", 2), ("//tag", 2), ("//row | /list", 3), ("//@id", 2), ("/list/none", 0),
        ("/none/row", nil),
        ("//none", nil), ("/none", nil), ("//text()[. = 'p']", 1), ("/list/row[@id = 3]", 0),
    ]

    @Test(
        "are the nodes of the path; a list that is not there fails, an empty one does not", arguments: paths)
    func findsRows(path: String, count: Int?) throws {
        var plan = markupPlan(
            path, key: ["concat(., @id, name(), count(preceding::*))"], fields: [("f", "1")])
        if let count {
            #expect(try page(MarkupRecordsTests.text, plan).rows.count == count)
        } else {
            #expect(throws: FormatFailure.recordsPathMissing(path: path)) {
                try self.page(MarkupRecordsTests.text, plan)
            }
            plan.isOptional = true
            #expect(try page(MarkupRecordsTests.text, plan).rows.isEmpty)
        }
    }

    @Test("need a path that selects nodes")
    func needsNodes() {
        #expect(
            throws: FormatFailure.xpathFailed(path: "count(//a)", what: "it selects no nodes but a value")
        ) {
            try self.page("<a/>", markupPlan("count(//a)", key: ["."], fields: []))
        }
        let failure = #expect(throws: FormatFailure.self) {
            try self.page("<a/>", markupPlan("/a", key: ["."], fields: [("f", "count('a')")]))
        }
        #expect(failure?.code == "xpath-failed")
    }

    @Test("of HTML are found in what browsers would see of it")
    func readsHTML() throws {
        let text = """
            <!DOCTYPE html><html><head><META charset=utf-8><title>T&eacute;</title><script>if (a < b) "<tr>";</script>
            </head><body><p>one<p class=x>two<table><tr><td>1<td><a href="/a?b&c">A&nbsp;B</a><tr><td>2</table>\0
            """
        let plan = markupPlan(
            "//tr", key: ["td[1]"],
            fields: [("href", "td[2]/a/@href"), ("text", "td[2]"), ("p", "string(//p[@class])")])
        let page = try page(text, plan, as: .html)
        #expect(page.rows.map(\.key.text) == ["1", "2"])
        #expect(bodies(page) == [#"{"href":"/a?b&c","text":"A\#u{A0}B","p":"two"}"#, #"{"p":"two"}"#])
    }

    @Test("come in the charset that is told or declared")
    func readsCharsets() throws {
        let plan = markupPlan("/a", key: ["."], fields: [("f", ".")])
        let koi8: [UInt8] =
            Array("\n<?xml version='1.0' encoding='koi8-r'?><a>".utf8) + [0xC1] + Array("</a>".utf8)
        #expect(try bodies(MarkupRecords.page(of: koi8[...], as: .xml, plan: plan)) == [#"{"f":"а"}"#])
        let wide: [UInt8] =
            [0xFF, 0xFE]
            + Array("<?xml version='1.0' encoding='utf-16'?><a>é</a>".utf16).flatMap {
                [UInt8($0 & 255), UInt8($0 >> 8)]
            }
        #expect(try bodies(MarkupRecords.page(of: wide[...], as: .xml, plan: plan)) == [#"{"f":"é"}"#])
        let html: [UInt8] = Array("<meta charset=shift_jis><b>".utf8) + [0x82, 0xA0]
        let bold = markupPlan("//b", key: ["."], fields: [("f", ".")])
        #expect(try bodies(MarkupRecords.page(of: html[...], as: .html, plan: bold)) == [#"{"f":"あ"}"#])
        let header = try MarkupRecords.page(
            of: html[...], as: .html, contentType: MediaType(parsing: "text/html; charset=latin1"), plan: bold
        )
        #expect(bodies(header) == [#"{"f":"‚\#u{A0}"}"#])
    }

    @Test("leave single values of the whole document to be read")
    func readsValues() throws {
        let document = try MarkupDocument(parsing: Array(MarkupRecordsTests.text.utf8)[...], as: .xml)
        func text(_ expression: String) throws -> String? {
            try document.text(at: expression).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try text("/list/row[2]/@id") == "2")
        #expect(try text("list/row/tag") == "p")
        #expect(try text("/list/next") == nil)
        #expect(try text("string(/list/next)") == "")
        #expect(try text("number(/list/next)") == nil)
        #expect(try text("count(//row)") == "2")
        #expect(try text("boolean(//next)") == "false")
    }
}

@Suite("Samples of XML", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct MarkupSampleTests {
    @Test("of exchange rates, a sitemap and subscriptions give their records and keys")
    func readsSamples() throws {
        let rates = try MarkupRecords.page(
            of: sample("ecb-eurofxref-daily.xml").content, as: .xml,
            plan: markupPlan(
                "//e:Cube[@currency]", key: ["@currency"],
                fields: [("currency", "@currency"), ("rate", "@rate"), ("date", "../@time")],
                namespaces: [("e", "http://www.ecb.int/vocabulary/2002-08-01/eurofxref")]))
        #expect(rates.rows.count == 31 && rates.rejected == 0)
        #expect(bodies(rates).first == #"{"currency":"USD","rate":"1.1831","date":"2015-01-07"}"#)
        let sitemap = try MarkupRecords.page(
            of: sample("sitemap.xml").content, as: .xml,
            plan: markupPlan(
                "/s:urlset/s:url", key: ["s:loc"], fields: [("loc", "s:loc")],
                namespaces: [("s", "http://www.sitemaps.org/schemas/sitemap/0.9")]))
        #expect(sitemap.rows.map(\.key.text) == (try indexed("sitemap.xml")))
        let outlines = try MarkupRecords.page(
            of: sample("subscriptions.opml").content, as: .xml,
            plan: markupPlan(
                "//outline[@xmlUrl]", key: ["@xmlUrl"], fields: [("title", "@title"), ("in", "../@text")]))
        #expect(outlines.rows.count == 7)
        print("samples: 31 rates, \(sitemap.rows.count) addresses, \(outlines.rows.count) outlines")
    }

    @Test("of a harvest give seven rows on four pages, chained by tokens")
    func readsPages() throws {
        let pages = try JSONDocument(parsing: sample("oai-pmh-listrecords-pages.json"))
        let plan = markupPlan(
            "/o:OAI-PMH/o:ListRecords/o:record", key: ["o:header/o:identifier"],
            fields: [("deleted", "o:header/@status = 'deleted'"), ("creators[]", ".//dc:creator")],
            namespaces: [
                ("o", "http://www.openarchives.org/OAI/2.0/"), ("dc", "http://purl.org/dc/elements/1.1/"),
            ])
        var keys: [String] = []
        var tokens: [String] = []
        var deleted = 0
        for page in pages.elements(of: pages.root) {
            let response = try #require(pages.member("response", of: page))
            let body = try #require(pages.member("body", of: response).flatMap { pages.string(of: $0) })
            let document = try MarkupDocument(parsing: body[...], as: .xml, namespaces: plan.namespaces)
            let read = try MarkupRecords.page(of: document, plan: plan)
            keys += read.rows.map(\.key.text)
            deleted += bodies(read).count { $0.contains(#""deleted":true"#) }
            let token = try document.text(at: "//o:resumptionToken")
            if let token, !token.isEmpty { tokens.append(String(decoding: token, as: UTF8.self)) }
        }
        #expect(keys.count == 7 && deleted == 3 && tokens.count == 3)
        #expect(Set(keys) == Set(try indexed("oai-pmh-listrecords-pages.json")))
    }

    /// The keys that the index of the samples names.
    private func indexed(_ name: String) throws -> [String] {
        let line = try #require(try JSONLines("samples/index.jsonl").cases.first { $0.corpusName == name })
        let expected = try #require(line.member("expected"))
        let keys = try #require(line.member("keys", of: expected))
        return line.elements(of: keys).map { line.text($0) ?? "?" }
    }
}
