import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// A feed read for a test, its bodies as documents.
struct ReadFeed {
    let document: SyndicationDocument
    let bodies: [JSONDocument]
    let meta: JSONDocument

    init(_ text: String, base: String? = nil) throws { try self.init(bytes: Array(text.utf8), base: base) }

    init(bytes: [UInt8], base: String? = nil) throws {
        try self.init(bytes: bytes, at: base.map { try WebURL(parsing: $0) })
    }

    init(bytes: [UInt8], at url: WebURL?, contentType: String? = nil) throws(FormatFailure) {
        document = try SyndicationRecords.page(
            of: PaddedBytes(bytes), base: url, contentType: contentType.flatMap { MediaType(parsing: $0) })
        let page = document.page
        var bodies: [JSONDocument] = []
        for row in page.rows {
            bodies.append(try JSONDocument(parsing: PaddedBytes(Array(page.body(of: row)))))
        }
        self.bodies = bodies
        meta = try JSONDocument(parsing: PaddedBytes(document.meta))
    }

    var keys: [String] { document.page.rows.map(\.key.text) }
    var warnings: [SyndicationWarning.Code] { document.warnings.map(\.code) }

    /// A member of the entry at `index`, as text.
    func text(_ index: Int, _ member: String...) -> String? {
        guard index < bodies.count else { return nil }
        return ReadFeed.text(bodies[index], member)
    }

    func meta(_ member: String...) -> String? { ReadFeed.text(meta, member) }

    static func text(_ document: JSONDocument, _ names: [String]) -> String? {
        let path = JSONPath(names.map { Int($0).map { .index($0) } ?? .name(Array($0.utf8)) })
        guard let node = document.singular(path) else { return nil }
        return document.text(node) ?? document.canonical(node)
    }

    /// Entries in a channel, in elements of RSS.
    static func rss(_ items: String, channel: String = "", root: String = "") -> String {
        """
        <?xml version="1.0"?>
        <rss version="2.0"\(root)><channel><title>T</title><link>https://example.org/</link>\(channel)
        \(items)</channel></rss>
        """
    }

    static func atom(_ entries: String, feed: String = "") -> String {
        """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>\(feed)\(entries)</feed>
        """
    }
}

@Suite("Samples of feeds", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct FeedSampleTests {
    @Test("give their entries and keys", arguments: [("github-commits.atom", 20), ("gdacs-alerts.rss", 4)])
    func readsSamples(name: String, count: Int) throws {
        let index = try JSONLines("samples/index.jsonl").cases
        let line = try #require(index.first { $0.text($0.member("name")) == name })
        let keys = try #require(line.singular(path("expected", "keys")))
        let read = try ReadFeed(bytes: Array(sample(name).content))
        #expect(read.keys.count == count)
        #expect(read.keys == line.elements(of: keys).map { line.text($0) })
        #expect(read.document.page.newestFirst)
        #expect(read.document.page.rows.allSatisfy { $0.order != nil })
        #expect(read.document.warnings.isEmpty)
    }

    @Test("read an entry of Atom")
    func readsAtom() throws {
        let read = try ReadFeed(bytes: Array(sample("github-commits.atom").content))
        #expect(read.text(0, "title") == "Parse podcast categories")
        #expect(read.text(0, "url")?.hasPrefix("https://github.com/miniflux/v2/commit/6d97f8b4") == true)
        #expect(read.text(0, "content_text") == "Parse podcast categories")
        #expect(read.text(0, "content_html")?.hasPrefix("<pre style='white-space") == true)
        #expect(read.text(0, "updated_at") == "2024-03-12T05:30:27Z")
        #expect(read.text(0, "image") == "https://avatars.githubusercontent.com/u/1?s=30&v=4")
        #expect(read.text(0, "authors") == #"[{"name":"user-2","url":"https://github.com/user-2"}]"#)
        #expect(read.meta("title") == "Recent Commits to v2:main")
        #expect(read.meta("self_url") == "https://github.com/miniflux/v2/commits/main.atom")
        #expect(read.meta("format") == "atom10")
    }

    @Test("read an item of RSS with its extensions")
    func readsRSS() throws {
        let read = try ReadFeed(bytes: Array(sample("gdacs-alerts.rss").content))
        #expect(read.text(0, "url") == "http://www.gdacs.org/report.aspx?eventtype=TC&eventid=1000643")
        #expect(read.text(0, "published_at") == "2019-12-29T12:00:00Z")
        #expect(read.text(0, "enclosures", "0", "type") == "image/png")
        #expect(read.text(0, "categories", "0", "term") == "TC1")
        #expect(read.text(0, "extensions", "gdacs", "alertlevel", "0", "value") == "Green")
        #expect(read.text(0, "extensions", "gdacs", "severity", "0", "attrs", "unit") == "km/h")
        #expect(read.text(0, "extensions", "georss", "point", "0", "value") == "-19.4 59.8")
        #expect(read.meta("format") == "rss2")
    }
}

@Suite("A syndication feed") struct SyndicationTests {
    @Test("gives the same record from RSS and Atom, with what is absent left out")
    func normalizes() throws {
        let rss = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid isPermaLink="false">1</guid><title>A &amp;amp; B</title><link>/a#top</link>
                <description>short</description><content:encoded><![CDATA[<p>Long&nbsp;text</p>]]></content:encoded>
                <pubDate>Tue, 05 May 2020 10:00:00 EST</pubDate><dc:creator>Ann</dc:creator>
                <author>bob@example.org (Bob)</author><category domain="urn:x">news</category>
                <comments>https://example.org/a#c</comments>
                <enclosure url="a.mp3" type="audio/mpeg" length="12"/><itunes:duration>1:02</itunes:duration>
                <slash:comments>7</slash:comments></item>
                """,
                root: """
                     xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
                     xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
                     xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
                    """))
        #expect(
            rss.bodies.map { $0.canonical($0.root) } == [
                #"{"authors":[{"name":"Ann"},{"email":"bob@example.org","name":"Bob"}],"#
                    + #""categories":[{"scheme":"urn:x","term":"news"}],"comments_url":"https://example.org/a#c","#
                    + #""content_html":"<p>Long&nbsp;text</p>","content_text":"Long text","#
                    + #""enclosures":[{"duration_s":62,"length":12,"type":"audio/mpeg","url":"https://example.org/a.mp3"}],"#
                    + #""extensions":{"dc":{"creator":[{"value":"Ann"}]},"itunes":{"duration":[{"value":"1:02"}]},"#
                    + #""slash":{"comments":[{"value":"7"}]}},"#
                    + #""id":"1","key_origin":"id","published_at":"2020-05-05T15:00:00Z","#
                    + #""published_raw":"Tue, 05 May 2020 10:00:00 EST","summary":"short","title":"A & B","#
                    + #""title_html":"A &amp; B","url":"https://example.org/a#top"}"#
            ])
        #expect(rss.document.page.rows.first?.order == Timestamp(seconds: 1_588_690_800))
        let atom = try ReadFeed(
            ReadFeed.atom(
                """
                <entry><id> urn:1 </id><title type="html">A &lt;b&gt;B&lt;/b&gt;</title>
                <link href="https://example.org/a"/><link rel="enclosure" href="https://example.org/b" length="3"/>
                <link rel="edit" href="https://example.org/e"/>
                <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p class="x">1 &lt; 2<br/></p></div></content>
                <summary>s</summary><updated>2020-05-05T10:00:00.5+02:00</updated>
                <category term="t" label="L"/></entry>
                """))
        #expect(
            atom.bodies.map { $0.canonical($0.root) } == [
                #"{"categories":[{"label":"L","term":"t"}],"#
                    + #""content_html":"<p class=\"x\">1 &lt; 2<br></p>","content_text":"1 < 2","#
                    + #""enclosures":[{"length":3,"url":"https://example.org/b"}],"id":"urn:1","key_origin":"id","#
                    + #""links":[{"href":"https://example.org/a","rel":"alternate"},"#
                    + #"{"href":"https://example.org/b","rel":"enclosure"},{"href":"https://example.org/e","rel":"edit"}],"#
                    + #""summary":"s","title":"A B","title_html":"A <b>B</b>","updated_at":"2020-05-05T08:00:00.500Z","#
                    + #""updated_raw":"2020-05-05T10:00:00.5+02:00","url":"https://example.org/a"}"#
            ])
    }

    @Test("has its description as content and summary where there is no other content")
    func fallsBackToDescription() throws {
        let read = try ReadFeed(
            ReadFeed.rss(
                "<item><title>x</title><description>&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two</description></item>"))
        #expect(read.text(0, "content_html") == "<p>one</p><p>two")
        #expect(read.text(0, "content_text") == "one\ntwo")
        #expect(read.text(0, "summary") == "one\ntwo")
        #expect(read.text(0, "summary_html") == nil)
    }

    @Test("keys its entries down the ladder: link, date, title, hash, where most have no id (SK1, SK2)")
    func climbsLadder() throws {
        let read = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid> 0 </guid><link>https://example.org/0</link></item>
                <item><guid/><link>https://example.org/1</link></item>
                <item><link>https://example.org/2</link><pubDate>monday</pubDate></item>
                <item><link>https://example.org/2</link><pubDate>tuesday</pubDate></item>
                <item><link>https://example.org/3</link><pubDate>monday</pubDate><title>a</title></item>
                <item><link>https://example.org/3</link><pubDate>monday</pubDate><title>b</title></item>
                <item><title>only a title</title></item>
                """))
        #expect(read.keys[0] == "https://example.org/0")
        #expect(read.document.keyLevel == .link)
        #expect(read.keys[1] == "https://example.org/1")
        #expect(read.keys[2] == #"["https://example.org/2","monday"]"#)
        #expect(read.keys[5] == #"["https://example.org/3","monday","b"]"#)
        #expect(read.keys[6].utf8.count == 32)
        let origins = (0..<7).map { read.text($0, "key_origin") }
        #expect(
            origins == [
                "link", "link", "link_date", "link_date", "link_date_title", "link_date_title", "hash",
            ])
        #expect(read.warnings == [.badDate])
    }

    @Test("keeps entries apart that share an id, drops copies, takes the newest version (SK3)")
    func settlesRepeats() throws {
        let copies = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid>1</guid><title>a</title></item><item><guid>1</guid><title>a</title></item>
                <item><guid>2</guid><title>b</title></item>
                <item><guid>2</guid><title>c</title><link>https://example.org/c</link></item>
                """))
        #expect(copies.keys == ["1", "2", "2|https://example.org/c"])
        let versions = try ReadFeed(
            ReadFeed.atom(
                ["2020-01-02", "2020-01-03", "2020-01-01"].map {
                    "<entry><id>1</id><title>\($0)</title><updated>\($0)T00:00:00Z</updated></entry>"
                }.joined()))
        #expect(versions.keys == ["1"])
        #expect(versions.text(0, "title") == "2020-01-03")
        let numbered = try ReadFeed(
            ReadFeed.rss(
                "<item><guid>1</guid><title>a</title></item><item><guid>1</guid><title>b</title></item>"))
        #expect(numbered.keys == ["1", "1|#2"])
    }

    @Test("does not trust ids that are the same everywhere")
    func distrustsIDs() throws {
        let items = (0..<5).map {
            "<item><guid>x</guid><title>\($0)</title><link>https://example.org/\($0)</link></item>"
        }
        let read = try ReadFeed(ReadFeed.rss(items.joined()))
        #expect(read.keys == (0..<5).map { "https://example.org/\($0)" })
        #expect(read.warnings == [.sharedIDs])
    }

    @Test("of thirty items gives thirty rows, newest first, each with its own hash")
    func readsThirty() throws {
        let items = (0..<30).map {
            "<item><guid>g\($0)</guid><title>t\($0)</title><pubDate>Mon, 0\($0 % 9 + 1) Jun 2020 00:00:00 GMT</pubDate></item>"
        }
        let read = try ReadFeed(ReadFeed.rss(items.joined()))
        #expect(read.keys == (0..<30).map { "g\($0)" })
        #expect(Set(read.document.page.rows.map(\.hash)).count == 30)
        let again = try ReadFeed(ReadFeed.rss(items.reversed().joined()))
        // The place in the document is no part of a record.
        #expect(Set(again.document.page.rows.map(\.hash)) == Set(read.document.page.rows.map(\.hash)))
    }

    static let dates: [(raw: String, expected: String?)] = [
        ("Sat, 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z"),
        ("7 Sep 02 00:00 PDT", "2002-09-07T07:00:00Z"),
        ("Sat, 07 Sep 2002 00:00:01 CET", "2002-09-06T23:00:01Z"), ("2002-09-07", "2002-09-07T00:00:00Z"),
        ("2002-09-07T00:00:01-05:00", "2002-09-07T05:00:01Z"), ("soon", nil),
    ]

    @Test("reads dates with named zones, and keeps the text beside", arguments: dates)
    func readsDates(raw: String, expected: String?) throws {
        let read = try ReadFeed(ReadFeed.rss("<item><guid>1</guid><pubDate>\(raw)</pubDate></item>"))
        #expect(read.text(0, "published_at") == expected)
        #expect(read.text(0, "published_raw") == raw)
        #expect(read.warnings == (expected == nil ? [.badDate] : []))
    }

    @Test("says how often it is worth asking")
    func readsHints() throws {
        let read = try ReadFeed(
            ReadFeed.rss(
                "",
                channel: """
                    <ttl>90</ttl><skipHours><hour>24</hour><hour>3</hour><hour>25</hour></skipHours>
                    <skipDays><day>Sunday</day><day>Never</day></skipDays>
                    <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
                    """, root: #" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/""#))
        #expect(read.document.hints.ttl == .seconds(5_400))
        #expect(read.document.hints.skipHours == [0, 3])
        #expect(read.document.hints.skipDays == [0])
        #expect(read.document.hints.updatePeriod == .seconds(21_600))
        #expect(read.meta("ttl_s") == "5400")
        #expect(read.keys.isEmpty)
    }

    @Test("makes references absolute against xml:base, its page, its address")
    func resolves() throws {
        let feed =
            #"<entry xml:base="sub/"><id>1</id><link href="a?x#f"/></entry><entry><id>2</id><link href="a"/></entry>"#
        let read = try ReadFeed(ReadFeed.atom(feed), base: "https://example.org/feeds/all")
        #expect(read.text(0, "url") == "https://example.org/feeds/sub/a?x#f")
        #expect(read.text(1, "url") == "https://example.org/feeds/a")
        let other = try ReadFeed(ReadFeed.rss("<item><link>b</link><comments>mailto:a@b.c</comments></item>"))
        #expect(other.text(0, "url") == "https://example.org/b")
        #expect(other.text(0, "comments_url") == "mailto:a@b.c")
        // Nothing to resolve against: as it came.
        #expect(try ReadFeed(ReadFeed.atom(feed)).text(1, "url") == "a")
    }

    @Test("is recognised by its namespaces, not by its prefixes; a usual prefix may lack its declaration")
    func knowsNamespaces() throws {
        let prefixed = try ReadFeed(
            """
            <a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:id>1</a:id><a:title>t</a:title></a:entry></a:feed>
            """)
        #expect(prefixed.text(0, "title") == "t")
        let undeclared = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid><dc:creator>Ann</dc:creator><odd:x>y</odd:x></item>"))
        #expect(undeclared.text(0, "authors", "0", "name") == "Ann")
        #expect(undeclared.text(0, "extensions", "odd", "x", "0", "value") == "y")
        #expect(undeclared.warnings == [.undeclaredPrefix])
        let native = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid></item>", root: #" xmlns="http://backend.userland.com/rss2""#))
        #expect(native.keys == ["1"])
    }

    @Test("keeps parts of other things out of its entries")
    func separates() throws {
        let read = try ReadFeed(
            ReadFeed.atom(
                """
                <entry><id>1</id><title>mine</title><source><id>s</id><title>theirs</title></source></entry>
                """, feed: "<author><name>A</name></author>"))
        #expect(read.text(0, "title") == "mine")
        #expect(read.text(0, "source") == #"{"id":"s","title":"theirs"}"#)
        #expect(read.meta("authors", "0", "name") == "A")
        let rss = try ReadFeed(
            ReadFeed.rss(
                "<image><title>no</title><url>i.png</url><link>no</link></image><textInput><title>no</title></textInput>"
            ))
        #expect(rss.meta("title") == "T")
        #expect(rss.meta("image") == "https://example.org/i.png")
    }

    @Test("leaves out entries that say nothing, and keeps the others")
    func refusesEmpty() throws {
        let read = try ReadFeed(
            ReadFeed.rss("<item/><item><title>a</title></item><item><guid>1</guid></item>"))
        #expect(read.keys.count == 2)
        #expect(read.document.entries == 3)
        #expect(read.warnings == [.emptyEntry])
    }
}
