import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// What users of other feed readers have reported, each as the kind of fault that it is.
@Suite("Reports about reading feeds") struct FeedReportTests {
    private func rss(_ items: String) -> String {
        "<rss version='2.0'><channel><title>t</title>\(items)</channel></rss>"
    }

    private func read(_ items: String) throws -> ReadFeed { try ReadFeed(rss(items)) }

    // kurtmckee/feedparser#508, feedjira/feedjira#196: a newline before the declaration fails or mis-decodes.
    @Test("what stands before the declaration does no harm", arguments: ["\n", "\r\n  ", "\u{FEFF}\n", "\t"])
    func newlineFirst(_ start: String) throws {
        let word: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
        let head = "<?xml version=\"1.0\" encoding=\"windows-1251\"?>"
        let open = "<rss><channel><item><guid>1</guid><title>"
        var bytes = Array((start + head + open).utf8)
        // Behind a mark of UTF-8 nothing else counts.
        bytes += start.hasPrefix("\u{FEFF}") ? Array("Привет".utf8) : word
        bytes += Array("</title></item></channel></rss>".utf8)
        let read = try ReadFeed(bytes: bytes)
        #expect(read.text(0, "title") == "Привет")
    }

    // miniflux/v2#122, kurtmckee/feedparser#121: an entity of HTML that nobody declared loses the feed.
    @Test("names of HTML's characters are known outside of CDATA, and are plain text in it")
    func namedCharacters() throws {
        let feed = try read(
            "<item><guid>1</guid><title>a&nbsp;b &ecirc;&notanentity;</title></item>"
                + "<item><guid>2</guid><title><![CDATA[R&amp;D]]></title></item>")
        #expect(feed.text(0, "title")?.hasPrefix("a\u{A0}b ê") == true)
        #expect(feed.keys == ["1", "2"])
        #expect(feed.warnings == [.illFormed])
    }

    // miniflux/v2#416: a bare ampersand kills the document.
    @Test("a bare ampersand is an ampersand", arguments: ["D&D", "a & b", "a &", "a && b", "?x=1&y=2"])
    func bareAmpersand(_ title: String) throws {
        #expect(try read("<item><guid>1</guid><title>\(title)</title></item>").text(0, "title") == title)
    }

    // Etuldan/spaRSS#207, jocmp/capyreader#641: header, declaration and bytes disagree.
    @Test("the bytes decide where they are valid UTF-8, then the header, then the declaration")
    func charsets() throws {
        func title(_ word: [UInt8], header: String?, declared: String) throws -> String? {
            let head =
                "<?xml version=\"1.0\" encoding=\"\(declared)\"?><rss><channel><item><guid>1</guid><title>"
            let bytes = Array(head.utf8) + word + Array("</title></item></channel></rss>".utf8)
            return try ReadFeed(bytes: bytes, at: nil, contentType: header.map { "text/xml; charset=\($0)" })
                .text(0, "title")
        }
        #expect(try title(Array("中文".utf8), header: "gbk", declared: "gb2312") == "中文")
        #expect(try title([0xD6, 0xD0, 0xCE, 0xC4], header: "gbk", declared: "iso-8859-1") == "中文")
        #expect(try title([0xD6, 0xD0, 0xCE, 0xC4], header: nil, declared: "gbk") == "中文")
        #expect(try title([0xE9], header: nil, declared: "nonsense")?.isEmpty == false)
    }

    // mmcdole/gofeed#237, #94; kurtmckee/feedparser#20; feedbin/support#455: names of zones read as 0 or as local time.
    @Test(
        "names of zones mean what they mean everywhere",
        arguments: [
            ("Mon, 21 Apr 2025 06:00:00 EDT", "2025-04-21T10:00:00Z"),
            ("Mon, 21 Apr 2025 06:00:00 MEST", "2025-04-21T04:00:00Z"),
            ("Mon, 21 Apr 2025 06:00:00 Z", "2025-04-21T06:00:00Z"),
            ("Mon, 21 Apr 2025 06:00:00 PST", "2025-04-21T14:00:00Z"),
        ])
    func zones(_ written: String, _ time: String) throws {
        let feed = try read("<item><guid>1</guid><pubDate>\(written)</pubDate></item>")
        #expect(feed.text(0, "published_at") == time)
        #expect(feed.text(0, "published_raw") == written)
    }

    // RSSNext/Folo#984, newsboat/newsboat#2871: far dates overflow. That a future one does not stay on top is the store's.
    @Test(
        "far dates are kept as written and break nothing",
        arguments: [
            "Fri, 01 Jan 2099 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "1 Jan 99999 00:00:00 GMT", "0",
        ])
    func farDates(_ written: String) throws {
        let feed = try read("<item><guid>1</guid><pubDate>\(written)</pubDate></item>")
        #expect(feed.text(0, "published_raw") == written)
        #expect(feed.keys == ["1"])
    }

    // brief-rss/brief#428, FreshRSS/FreshRSS#5329: one guid on several items, and one survives.
    @Test("of entries with one id the first keeps it, the others get their links behind it")
    func sameGUID() throws {
        let filler = (0..<40).map { "<item><guid>f\($0)</guid><link>https://e.org/f\($0)</link></item>" }
            .joined()
        let feed = try read(
            "<item><guid>g</guid><link>https://e.org/a#1</link><title>a</title></item>"
                + "<item><guid>g</guid><link>https://e.org/a#2</link><title>b</title></item>" + filler)
        #expect(Array(feed.keys.prefix(2)) == ["g", "g|https://e.org/a#2"])
        #expect(feed.keys.count == 42)
    }

    // brief-rss/brief#435, newsboat/newsboat#1729: no guid, and the link repeats or the date is restamped each day.
    @Test("without ids what is unique in the document tells entries apart, and no more than that")
    func noGUID() throws {
        func item(_ link: String, _ day: Int) -> String {
            "<item><link>https://e.org/\(link)</link><title>t</title><pubDate>\(day) Jan 2024</pubDate></item>"
        }
        let repeated = try read(item("x", 1) + item("x", 2) + item("x", 3))
        #expect(Set(repeated.keys).count == 3)
        #expect(repeated.keys[1] == #"["https://e.org/x","2 Jan 2024"]"#)
        let monday = try read(item("a", 1) + item("b", 1))
        let tuesday = try read(item("a", 2) + item("b", 2))
        #expect(monday.keys == tuesday.keys)
    }

    // feed-rs/feed-rs#11: an item of RSS 1.0 gets a random id at each reading.
    @Test("an item of RDF is known by rdf:about, else by its link")
    func rdf() throws {
        let text =
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
            + "<channel><title>t</title></channel><item rdf:about='urn:a'><link>https://e.org/a</link></item>"
            + "<item><link>https://e.org/b</link></item></rdf:RDF>"
        #expect(try ReadFeed(text).keys == ["urn:a", "https://e.org/b"])
        #expect(try ReadFeed(text).keys == ReadFeed(text).keys)
    }

    // lemon24/reader#76: a feed older than its entries is skipped.
    @Test("the feed's own date decides nothing")
    func oldFeed() throws {
        let text =
            "<feed xmlns='http://www.w3.org/2005/Atom'><updated>2000-01-01T00:00:00Z</updated>"
            + "<entry><id>1</id><updated>2024-01-01T00:00:00Z</updated><title>x</title></entry></feed>"
        #expect(try ReadFeed(text).keys == ["1"])
    }

    // Athou/commafeed#1580, miniflux/v2#2374: feeds of many megabytes are refused.
    @Test("a large feed is read")
    func large() throws {
        let words = String(repeating: "<p>words &amp; words</p>\n", count: 40_000)
        let feed = try read(
            (0..<6).map { "<item><guid>\($0)</guid><description><![CDATA[\(words)]]></description></item>" }
                .joined())
        #expect(feed.keys.count == 6)
        #expect(feed.warnings.isEmpty)
    }
}
