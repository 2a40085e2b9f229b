import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A feed in RDF") struct RDFFeedTests {
    /// RSS 1.0 with its entries beside the channel.
    static func rdf(_ items: String, namespace: String = "http://purl.org/rss/1.0/") -> String {
        """
        <?xml version="1.0"?>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="\(namespace)"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
          xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
        <channel rdf:about="https://example.org/rss"><title>T</title><link>https://example.org/</link>
          <description>D</description><image rdf:resource="https://example.org/i.png"/>
          <items><rdf:Seq><rdf:li resource="https://example.org/1"/></rdf:Seq></items>
          <dc:date>2020-05-05T10:00:00Z</dc:date><sy:updatePeriod>hourly</sy:updatePeriod></channel>
        <image rdf:about="https://example.org/i.png"><title>no</title><url>/i.png</url><link>no</link></image>
        \(items)
        <textinput rdf:about="https://example.org/s"><title>no</title><name>q</name></textinput>
        </rdf:RDF>
        """
    }

    @Test("gives the same record as the others")
    func normalizes() throws {
        let read = try ReadFeed(
            RDFFeedTests.rdf(
                """
                <item rdf:about="https://example.org/1"><title>One</title><link>/a</link>
                <description>short</description><content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
                <dc:creator>Ann</dc:creator><dc:date>2020-05-05T10:00:00+02:00</dc:date><dc:subject>s</dc:subject>
                </item>
                """))
        #expect(
            read.bodies.map { $0.canonical($0.root) } == [
                #"{"authors":[{"name":"Ann"}],"categories":[{"term":"s"}],"content_html":"<p>Long</p>","#
                    + #""content_text":"Long","extensions":{"dc":{"creator":[{"value":"Ann"}],"#
                    + #""date":[{"value":"2020-05-05T10:00:00+02:00"}],"subject":[{"value":"s"}]}},"#
                    + #""id":"https://example.org/1","key_origin":"id","#
                    + #""published_at":"2020-05-05T08:00:00Z","published_raw":"2020-05-05T10:00:00+02:00","#
                    + #""summary":"short","title":"One","updated_at":"2020-05-05T08:00:00Z","#
                    + #""updated_raw":"2020-05-05T10:00:00+02:00","url":"https://example.org/a"}"#
            ])
        #expect(read.document.page.newestFirst)
        #expect(read.document.page.rows.first?.order == Timestamp(seconds: 1_588_665_600))
        #expect(
            read.meta.canonical(read.meta.root)
                == #"{"description":"D","extensions":{"dc":{"date":[{"value":"2020-05-05T10:00:00Z"}]},"#
                + #""rss":{"image":[{"attrs":{"rdf:about":"https://example.org/i.png"},"#
                + #""children":{"rss":{"link":[{"value":"no"}],"title":[{"value":"no"}]}}}]},"#
                + #""sy":{"updatePeriod":[{"value":"hourly"}]}},"#
                + #""format":"rss1","image":"https://example.org/i.png","#
                + #""site_url":"https://example.org/","title":"T","#
                + #""update_period_s":3600,"updated_at":"2020-05-05T10:00:00Z","#
                + #""updated_raw":"2020-05-05T10:00:00Z"}"#)
        #expect(read.document.hints.updatePeriod == .seconds(3_600))
        #expect(read.warnings.isEmpty)
    }

    static let keys: [(item: String, key: String, url: String?)] = [
        (
            #"<item rdf:about=" urn:x "><link>https://example.org/1</link></item>"#, "urn:x",
            "https://example.org/1"
        ),
        (
            #"<item rdf:about="https://example.org/2"><title>t</title></item>"#, "https://example.org/2",
            "https://example.org/2"
        ),
        ("<item><link>https://example.org/3</link></item>", "https://example.org/3", "https://example.org/3"),
        (
            #"<item rdf:about=""><link>https://example.org/4</link></item>"#, "https://example.org/4",
            "https://example.org/4"
        ),
        (#"<item about="https://example.org/5"/>"#, "https://example.org/5", "https://example.org/5"),
    ]

    @Test("is keyed by rdf:about, else by the link (SK1, SK2)", arguments: keys)
    func keysItems(item: String, key: String, url: String?) throws {
        let read = try ReadFeed(RDFFeedTests.rdf(item))
        #expect(read.keys == [key])
        #expect(read.text(0, "url") == url)
    }

    static let versions = [
        ("http://purl.org/rss/1.0/", "rss1"), ("http://purl.org/rss/1.0", "rss1"),
        ("http://my.netscape.com/rdf/simple/0.9/", "rss0.9x"),
        ("http://channel.netscape.com/rdf/simple/0.9/", "rss0.9x"),
    ]

    @Test("is RSS 1.0 or 0.90", arguments: versions)
    func knowsVersions(namespace: String, format: String) throws {
        let read = try ReadFeed(
            RDFFeedTests.rdf(
                "<item><title>a</title><link>https://example.org/1</link></item>", namespace: namespace))
        #expect(read.keys == ["https://example.org/1"])
        #expect(read.meta("format") == format)
    }

    @Test("may have its entries in the channel, or a prefix for RSS")
    func isLenient() throws {
        let inside = try ReadFeed(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/">
            <r:channel><r:title>T</r:title><r:item rdf:about="urn:1"><r:title>a</r:title></r:item></r:channel>
            </rdf:RDF>
            """)
        #expect(inside.keys == ["urn:1"])
        #expect(inside.text(0, "title") == "a")
        #expect(inside.meta("title") == "T")
    }

    @Test("of version 0.91 and 0.92 is an RSS without ids", arguments: ["0.91", "0.92"])
    func readsOld(version: String) throws {
        let read = try ReadFeed(
            """
            <!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://example.org/rss-0.91.dtd">
            <rss version="\(version)"><channel><title>T</title><language>en</language>
            <item><title>a</title><link>https://example.org/1</link><description>d</description></item></channel></rss>
            """)
        #expect(read.keys == ["https://example.org/1"])
        #expect(read.text(0, "content_text") == "d")
        #expect(read.meta("format") == "rss0.9x")
        #expect(read.meta("language") == "en")
    }
}
