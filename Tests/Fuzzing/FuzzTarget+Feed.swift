import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A syndication feed of any kind, as it is and mended; its entries read once more as stored ones.
    static let feed = FuzzTarget(
        "feed",
        texts: [
            "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">"
                + "<channel><title>t</title><link>https://e.org/</link><ttl>60</ttl><skipHours><hour>1</hour></skipHours>"
                + "<item><guid>1</guid><link>/a</link><title>x &amp; y</title>"
                + "<pubDate>Mon, 21 Apr 2025 06:00:00 EDT</pubDate><enclosure url=\"a.mp3\" length=\"7\" type=\"audio/mpeg\"/>"
                + "<content:encoded><![CDATA[<p>b</p>]]></content:encoded></item></channel></rss>",
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://e.org/b/\"><title type=\"xhtml\">"
                + "<div xmlns=\"http://www.w3.org/1999/xhtml\">a<b>c</b></div></title><entry><id>u:1</id>"
                + "<updated>2024-01-01T00:00:00Z</updated><link rel=\"alternate\" href=\"x\"/><content type=\"html\">&lt;i&gt;"
                + "</content><author><name>n</name></author><category term=\"c\"/></entry>"
                + "<at:deleted-entry xmlns:at=\"http://purl.org/atompub/tombstones/1.0\" ref=\"u:2\" when=\"2024-01-01T00:00:00Z\"/>"
                + "<fh:complete xmlns:fh=\"http://purl.org/syndication/history/1.0\"/></feed>",
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">"
                + "<channel><title>t</title></channel><item rdf:about=\"a\"><title>b</title></item></rdf:RDF>",
            #"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":1,"url":"a","content_html":"<a href=x>"}]}"#,
            "<rss><channel><item><title>D&D &nbsp; &ecirc;</title><media:content url='x'/><pubDate>x</pubDate>",
            "<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel><title>&a;</title></channel></rss>",
            "<!doctype html><html><link rel=alternate type='application/rss+xml' href='/f'>",
        ],
        words: [
            "<item>", "</item>", "<entry>", "<![CDATA[", "]]>", "&amp;", "&nbsp;", "&#x1F600;", "&#0;",
            "xmlns:a=\"\"",
            "xml:base=\"..\"", "<!--", "-->", "<?x ?>", "<guid>", "<link href=\"", "type=\"xhtml\"",
            "itunes:", "media:",
            "encoding=\"utf-16\"", "\u{FEFF}", "<at:deleted-entry ref=\"", "fh:complete",
        ]
    ) { input in
        let base = try? WebURL(parsing: "https://example.org/feed/")
        for type in [nil, MediaType(parsing: "application/rss+xml; charset=iso-8859-1")] {
            guard
                let read = try? SyndicationRecords.page(
                    of: PaddedBytes(input), base: base, contentType: type, itemLimit: 1_000)
            else { continue }
            if let broken = brokenPromise(of: read) { return broken }
        }
        return nil
    }

    private static func brokenPromise(of read: SyndicationDocument) -> String? {
        if (try? JSONDocument(parsing: PaddedBytes(read.meta))) == nil {
            return "the feed's own members are no JSON"
        }
        var keys: Set<RecordKey> = []
        var stored = StoredEntries()
        for row in read.page.rows {
            let body = read.page.body(of: row)
            guard let document = try? JSONDocument(parsing: PaddedBytes(Array(body))),
                document.root.kind == .object
            else { return "an entry is no JSON object" }
            if document.member(Array("key_origin".utf8), of: document.root) == nil {
                return "a key has no origin"
            }
            if row.key.bytes.isEmpty { return "an entry has an empty key" }
            if !keys.insert(row.key).inserted { return "two entries have one key" }
            if StoredEntries.isQuietChange(from: body, to: body) == false {
                return "an entry is older than itself"
            }
            stored.add(row.key, body: body)
        }
        for level in KeyLevel.allCases {
            let targets = stored.rekeyings(to: level).map(\.to)
            if Set(targets).count != targets.count { return "two stored entries get one key" }
        }
        return read.entries < read.page.rows.count ? "there are more records than entries" : nil
    }
}
