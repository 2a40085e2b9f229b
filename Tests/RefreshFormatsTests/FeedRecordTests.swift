import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A normalized record") struct FeedRecordTests {
    @Test("has the references of its markup resolved, in text that came escaped and in markup itself")
    func resolvesMarkup() throws {
        let read = try ReadFeed(
            ReadFeed.atom(
                """
                <entry xml:base="https://b.example/x/"><id>1</id>
                <summary type="html">&lt;a href="y"&gt;s&lt;/a&gt; &lt;img alt="a=b" src='/z'&gt;</summary>
                <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="../q?a=1&amp;b=2" title="y">c</a>
                </div></content></entry>
                """), base: "https://example.org/feed")
        #expect(
            read.text(0, "summary_html")
                == #"<a href="https://b.example/x/y">s</a> <img alt="a=b" src='https://b.example/z'>"#)
        #expect(
            read.text(0, "content_html") == #"<a href="https://b.example/q?a=1&amp;b=2" title="y">c</a>"#)
    }

    @Test("takes Atom 0.3 by its modes")
    func readsModes() throws {
        let read = try ReadFeed(
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><title mode="escaped" type="text/html">&lt;b&gt;T&lt;/b&gt;</title>
            <tagline>sub</tagline><info>about</info><modified>2004-01-01T00:00:00Z</modified>
            <entry><id>1</id><title mode="base64">VGhlIHRpdGxl</title><issued>2004-01-02</issued>
            <content type="application/xhtml+xml"><p xmlns="http://www.w3.org/1999/xhtml">x</p></content></entry></feed>
            """)
        #expect(read.meta("format") == "atom03")
        #expect(read.meta("title") == "T" && read.meta("title_html") == "<b>T</b>")
        #expect(read.meta("subtitle") == "sub" && read.meta("description") == "about")
        #expect(read.meta("updated_at") == "2004-01-01T00:00:00Z")
        #expect(read.text(0, "title") == "The title")
        #expect(read.text(0, "content_html") == "<p>x</p>")
        #expect(read.text(0, "published_at") == "2004-01-02T00:00:00Z")
    }

    @Test("tells of the feed that an entry was taken from")
    func readsSource() throws {
        let read = try ReadFeed(
            ReadFeed.atom(
                """
                <entry><id>1</id><title>mine</title><source><id>s</id><title type="html">&lt;i&gt;theirs&lt;/i&gt;</title>
                <link href="https://s.example/"/><link rel="self" href="https://s.example/feed"/>
                <updated>2020-01-01T00:00:00Z</updated><author><name>S</name></author><rights>r</rights></source>
                <updated>2021-01-01T00:00:00Z</updated></entry>
                """))
        #expect(read.text(0, "title") == "mine" && read.text(0, "updated_at") == "2021-01-01T00:00:00Z")
        #expect(read.text(0, "source", "url") == "https://s.example/")
        #expect(read.text(0, "source", "title") == "theirs")
        #expect(read.text(0, "source", "title_html") == "<i>theirs</i>")
        #expect(read.text(0, "source", "authors", "0", "name") == "S")
        #expect(read.text(0, "source", "updated_at") == "2020-01-01T00:00:00Z")
        #expect(read.text(0, "authors") == nil)
    }

    @Test("is not there for what the upstream says is gone; a whole feed says so")
    func readsDeletions() throws {
        let read = try ReadFeed(
            ReadFeed.atom(
                """
                <at:deleted-entry ref="urn:gone" when="2020-01-01T00:00:00Z"><at:comment>c</at:comment></at:deleted-entry>
                <entry><id>1</id></entry>
                """,
                feed: """
                    <fh:complete xmlns:fh="http://purl.org/syndication/history/1.0"/><link rel="next" href="/2"/>
                    <link rel="hub" href="https://hub.example/"/>
                    """
            ).replacing(
                "<feed ", with: #"<feed xmlns:at="http://purl.org/atompub/tombstones/1.0" "#),
            base: "https://example.org/")
        #expect(
            read.document.deletions == [
                DeletedEntry(id: Array("urn:gone".utf8), when: Timestamp(seconds: 1_577_836_800))
            ])
        #expect(read.document.isComplete)
        #expect(read.meta("complete") == "true")
        #expect(read.meta("next_url") == "https://example.org/2")
        #expect(read.meta("hubs") == #"[{"type":"websub","url":"https://hub.example/"}]"#)
        #expect(read.keys == ["1"])
    }

    @Test("is read from a document that is one entry, and from CDF")
    func readsOtherRoots() throws {
        let entry = try ReadFeed(
            "<entry xmlns='http://www.w3.org/2005/Atom'><id>1</id><title>t</title></entry>")
        #expect(entry.keys == ["1"] && entry.text(0, "title") == "t")
        let cdf = try ReadFeed(
            """
            <CHANNEL HREF="https://example.org/"><TITLE>T</TITLE><ITEM HREF="/1" LASTMOD="2004-04-06T23:05:43-05:00">
            <TITLE>one</TITLE><ABSTRACT>a</ABSTRACT></ITEM></CHANNEL>
            """)
        #expect(cdf.meta("format") == "cdf" && cdf.meta("title") == "T")
        #expect(cdf.text(0, "url") == "https://example.org/1" && cdf.text(0, "summary") == "a")
        #expect(cdf.text(0, "updated_at") == "2004-04-07T04:05:43Z")
    }

    @Test("has one language: its own, else that of its content; authors are not named twice")
    func readsLanguage() throws {
        let read = try ReadFeed(
            ReadFeed.atom(
                """
                <entry><id>1</id><title xml:lang="de">t</title><content xml:lang="fr_CA">c</content>
                <author><name>Ann</name></author><author><name>Ann</name><email>a@example.org</email></author></entry>
                <entry xml:lang="it"><id>2</id><content xml:lang="fr">c</content></entry>
                """))
        #expect(read.text(0, "language") == "fr-CA")
        #expect(read.text(1, "language") == "it")
        #expect(read.text(0, "authors") == #"[{"email":"a@example.org","name":"Ann"}]"#)
    }
}

@Suite("A document that is mended") struct FeedRepairTests {
    @Test("has its own entities resolved once, and no others")
    func resolvesOwnEntities() throws {
        let read = try ReadFeed(
            """
            <!DOCTYPE rss [<!ENTITY a "one &#38; two"><!ENTITY b "&a;&a;"><!ENTITY % p "x"><!ENTITY c SYSTEM "file:///x">]>
            <rss><channel><item><guid>1</guid><title>&a; &b; &c; &nosuch; &NotEqualTilde; &hellip;</title></item></channel></rss>
            """)
        #expect(read.text(0, "title") == "one & two &b; &c; &nosuch; \u{2242}\u{338} …")
        #expect(read.warnings == [.illFormed])
    }

    @Test("cannot become large by its own entities")
    func boundsEntities() throws {
        let value = String(repeating: "a", count: 1_000)
        let many = String(repeating: "&a;", count: 20_000)
        let read = try ReadFeed(
            "<!DOCTYPE rss [<!ENTITY a \"\(value)\">]><rss><channel><item><guid>1</guid><title>\(many)</title></item></channel></rss>"
        )
        #expect((read.text(0, "title")?.utf8.count ?? 0) < 1_200_000)
    }

    static let faults: [(name: String, text: String, title: String)] = [
        ("a bare ampersand", "<item><title>D&D</title></item>", "D&D"),
        (
            "HTML's names", "<item><title>a&nbsp;b &ecirc; &CounterClockwiseContourIntegral;</title></item>",
            "a\u{A0}b ê ∳"
        ),
        ("a bracket", "<item><title>a < b</title></item>", "a < b"),
        ("a control character", "<item><title>a\u{8}b</title></item>", "ab"),
    ]

    @Test("is read as it was meant", arguments: faults)
    func mends(name: String, text: String, title: String) throws {
        let read = try ReadFeed(ReadFeed.rss(text))
        #expect(read.text(0, "title") == title, "\(name)")
        #expect(read.warnings == [.illFormed])
    }

    @Test("may begin with something else, or be declared late")
    func findsStart() throws {
        let late = try ReadFeed(
            "<!-- c --><?xml version='1.0'?><rss><channel><item><title>t</title></item></channel></rss>")
        #expect(late.text(0, "title") == "t")
        let buried = try ReadFeed(
            "Warning: x in y\n<rss><channel><item><title>t</title></item></channel></rss>")
        #expect(buried.text(0, "title") == "t")
        #expect(buried.warnings == [.illFormed])
        let blank = try ReadFeed(
            "\n\n<?xml version='1.0'?><rss><channel><item><title>t</title></item></channel></rss>")
        #expect(blank.warnings.isEmpty)
    }
}

@Suite("A page that is no feed") struct PageTests {
    @Test("is refused with the feeds that it links to")
    func namesAlternates() {
        let page = """
            <!DOCTYPE html><html><head><link rel=stylesheet href=/s.css>
            <LINK REL="alternate" TYPE="application/rss+xml" HREF="/feed?a=1&amp;b=2">
            <link rel='alternate' type='application/atom+xml' href='https://other.example/atom'>
            <link rel="alternate" type="text/html" href="/mobile"></head></html>
            """
        let failure = #expect(throws: FormatFailure.self) {
            try ReadFeed(page, base: "https://example.org/blog/")
        }
        #expect(
            failure
                == .notAFeed(
                    found:
                        "an HTML page, which links to https://example.org/feed?a=1&b=2, https://other.example/atom"
                ))
        let commented = #expect(throws: FormatFailure.self) {
            try ReadFeed(
                "<!-- x --><html><head><link rel='alternate' type='application/rss+xml' href='/f'/></head></html>"
            )
        }
        #expect(commented == .notAFeed(found: "an HTML page, which links to /f"))
        let bare = #expect(throws: FormatFailure.self) { try ReadFeed("<html><body>x</body></html>") }
        #expect(bare == .notAFeed(found: "an HTML page"))
    }
}
