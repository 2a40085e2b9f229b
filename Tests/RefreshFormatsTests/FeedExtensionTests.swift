import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("What no field of a record stands for") struct FeedExtensionTests {
    @Test("is kept under the prefix that everybody uses, whatever the document calls it")
    func usesCanonicalPrefixes() throws {
        let read = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid>1</guid><a:episode xmlns:a="http://www.itunes.com/DTDs/PodCast-1.0.dtd">7</a:episode>
                <b:transcript xmlns:b="https://podcastindex.org/namespace/1.0" url="t.srt" type="text/srt"/>
                <c:point xmlns:c="http://www.georss.org/georss">1 2</c:point>
                <w:commentRss xmlns:w="http://wellformedweb.org/CommentAPI/">/c</w:commentRss>
                <own:thing xmlns:own="urn:x" a="b">t</own:thing></item>
                """))
        #expect(read.text(0, "extensions", "itunes", "episode", "0", "value") == "7")
        #expect(
            read.text(0, "extensions", "podcast", "transcript", "0", "attrs", "url")
                == "https://example.org/t.srt")
        #expect(read.text(0, "extensions", "georss", "point", "0", "value") == "1 2")
        #expect(read.text(0, "extensions", "wfw", "commentRss", "0", "value") == "https://example.org/c")
        #expect(read.text(0, "extensions", "own", "thing", "0") == #"{"attrs":{"a":"b"},"value":"t"}"#)
    }

    @Test("keeps what is mapped to a field as well, but not the content twice")
    func keepsMapped() throws {
        let read = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid>1</guid><dc:creator>Ann</dc:creator><itunes:duration>90</itunes:duration>
                <media:group><media:content url="/v.mp4" medium="video" width="3"><media:title>V</media:title>
                <media:thumbnail url="/t.jpg"/></media:content></media:group>
                <content:encoded>long</content:encoded></item>
                """,
                channel: "<itunes:keywords>a, b</itunes:keywords><itunes:category text='C'/>",
                root: """
                     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
                     xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
                     xmlns:content="http://purl.org/rss/1.0/modules/content/"
                    """))
        #expect(read.text(0, "authors", "0", "name") == "Ann")
        #expect(read.text(0, "extensions", "dc", "creator", "0", "value") == "Ann")
        #expect(
            read.text(0, "enclosures", "0")
                == #"{"duration_s":90,"medium":"video","thumbnail":"https://example.org/t.jpg","title":"V","#
                + #""url":"https://example.org/v.mp4","width":3}"#)
        #expect(read.text(0, "image") == "https://example.org/t.jpg")
        let content = "extensions.media.group.0.children.media.content.0"
        #expect(
            ReadFeed.text(
                read.bodies[0],
                "\(content).children.media.title.0.value".split(separator: ".").map(String.init))
                == "V")
        #expect(read.text(0, "content_text") == "long")
        #expect(read.text(0, "extensions", "content") == nil)
        #expect(read.meta("categories", "2", "term") == "C")
        #expect(read.meta("extensions", "itunes", "category", "0", "attrs", "text") == "C")
    }

    @Test("of the format's own names stands under rss or atom")
    func keepsOwnNames() throws {
        let rss = try ReadFeed(
            ReadFeed.rss(
                "<item><guid>1</guid><price>5</price></item>",
                channel: "<docs>/d</docs><cloud domain='h' port='80' path='/p' protocol='xml-rpc'/>"))
        #expect(rss.meta("extensions", "rss", "docs", "0", "value") == "https://example.org/d")
        #expect(rss.text(0, "extensions", "rss", "price", "0", "value") == "5")
        #expect(rss.meta("hubs") == #"[{"type":"rsscloud","url":"http://h:80/p"}]"#)
        let atom = try ReadFeed(
            ReadFeed.atom(
                "<entry><id>1</id><contributor><name>C</name></contributor></entry>",
                feed: "<generator uri='https://g.example/' version='2'>G</generator>"))
        let name = "extensions.atom.contributor.0.children.atom.name.0.value"
        #expect(ReadFeed.text(atom.bodies[0], name.split(separator: ".").map(String.init)) == "C")
        #expect(atom.meta("generator") == "G")
        #expect(atom.meta("extensions", "atom", "generator", "0", "attrs", "version") == "2")
    }

    @Test("changes an entry's hash, but for how often it is commented on (SC1)")
    func hashesWithoutCounts() throws {
        func hash(_ extra: String) throws -> ContentHash? {
            try ReadFeed(
                ReadFeed.rss(
                    "<item><guid>1</guid><title>t</title>\(extra)</item>",
                    root: " xmlns:slash='http://purl.org/rss/1.0/modules/slash/' xmlns:x='urn:x'"
                        + " xmlns:thr='http://purl.org/syndication/thread/1.0'")
            ).document.page.rows.first?.hash
        }
        let few = try hash("<slash:comments>1</slash:comments><thr:total>1</thr:total><x:y>1</x:y>")
        let many = try hash("<slash:comments>99</slash:comments><thr:total>99</thr:total><x:y>1</x:y>")
        let other = try hash("<slash:comments>1</slash:comments><thr:total>1</thr:total><x:y>2</x:y>")
        #expect(few == many)
        #expect(few != other)
    }

    @Test("of JSON Feed has a name that begins with an underscore")
    func readsJSON() throws {
        let read = try ReadFeed(
            #"""
            {"version": "https://jsonfeed.org/version/1.1", "title": "T", "user_comment": "for you",
            "_shed": {"about": "https://example.org/", "n": 5, "deep": {"a": [1]}}, "items": [
            {"id": "1", "image": "https://example.org/i", "banner_image": "https://example.org/b", "_x": true}]}
            """#)
        #expect(read.meta("extensions", "_shed", "about", "0", "value") == "https://example.org/")
        #expect(read.meta("extensions", "_shed", "n", "0", "value") == "5")
        #expect(read.meta("extensions", "_shed", "deep", "0", "value") == #"{"a": [1]}"#)
        #expect(read.meta("extensions", "jsonfeed", "user_comment", "0", "value") == "for you")
        #expect(read.text(0, "extensions", "_x", "value", "0", "value") == "true")
        #expect(
            read.text(0, "extensions", "jsonfeed", "banner_image", "0", "value") == "https://example.org/b")
    }

    @Test("nested without end is cut off")
    func boundsDepth() throws {
        let deep = String(repeating: "<x:a>", count: 100) + String(repeating: "</x:a>", count: 100)
        let read = try ReadFeed(
            ReadFeed.rss("<item><guid>1</guid>\(deep)<x:b>t</x:b></item>", root: " xmlns:x='urn:x'"))
        #expect(read.text(0, "extensions", "x", "b", "0", "value") == "t")
    }

    @Test("is not mixed up where entries stand within each other")
    func survivesNesting() throws {
        let inner = "<item><guid>2</guid><x:c>c</x:c></item>"
        let read = try ReadFeed(
            ReadFeed.rss(
                """
                <item><guid>1</guid><media:group><x:a>a<x:b/></x:a>\(inner)<x:d>d</x:d></media:group><x:e>e</x:e></item>
                <item><guid>3</guid><a:source><a:title>s</a:title><x:f>f</x:f></a:source><x:g>g</x:g></item>
                """,
                root: """
                     xmlns:x="urn:x" xmlns:media="http://search.yahoo.com/mrss/" xmlns:a="http://www.w3.org/2005/Atom"
                    """))
        #expect(read.keys == ["1", "2", "3"])
        #expect(read.text(1, "extensions", "x", "c", "0", "value") == "c")
        #expect(read.text(2, "source", "extensions", "x", "f", "0", "value") == "f")
        #expect(read.text(2, "extensions", "x", "g", "0", "value") == "g")
    }
}
