import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A JSON Feed") struct JSONFeedTests {
    static func feed(_ items: String, members: String = "", version: String = "1.1") -> String {
        """
        {"version": "https://jsonfeed.org/version/\(version)", "title": "T",
        "home_page_url": "https://example.org/", \(members) "items": [\(items)]}
        """
    }

    @Test("gives the same record as a feed in XML")
    func normalizes() throws {
        let read = try ReadFeed(
            JSONFeedTests.feed(
                #"""
                {"id": " 1 ", "url": "/a#top", "external_url": "https://example.com/b", "title": "A & B",
                "content_html": "<p>Long&nbsp;text</p>", "content_text": "Long\ntext", "summary": "s",
                "image": "i.png", "banner_image": "b.png", "language": "en", "tags": ["t", "t", "", 1, "u"],
                "date_published": "2020-05-05T10:00:00-05:00", "date_modified": "2020-05-06T00:00:00Z",
                "authors": [{"name": "Ann", "url": "/ann", "avatar": "/ann.png"}, {}], "author": {"name": "no"},
                "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg", "title": "x", "size_in_bytes": 12,
                "duration_in_seconds": 62.5}, {"mime_type": "audio/mpeg"}], "_own": {"a": 1}}
                """#))
        #expect(
            read.bodies.map { $0.canonical($0.root) } == [
                #"{"authors":[{"avatar":"https://example.org/ann.png","name":"Ann","url":"https://example.org/ann"}],"#
                    + #""categories":[{"term":"t"},{"term":"u"}],"content_html":"<p>Long&nbsp;text</p>","#
                    + #""content_text":"Long\ntext","#
                    + #""enclosures":[{"duration_s":62,"length":12,"title":"x","type":"audio/mpeg","#
                    + #""url":"https://example.org/a.mp3"}],"extensions":{"_own":{"a":[{"value":"1"}]},"#
                    + #""jsonfeed":{"banner_image":[{"value":"https://example.org/b.png"}]}},"external_url":"https://example.com/b","id":"1","#
                    + #""image":"https://example.org/i.png","key_origin":"id","language":"en","#
                    + #""published_at":"2020-05-05T15:00:00Z","published_raw":"2020-05-05T10:00:00-05:00","#
                    + #""summary":"s","title":"A & B","updated_at":"2020-05-06T00:00:00Z","#
                    + #""updated_raw":"2020-05-06T00:00:00Z","url":"https://example.org/a#top"}"#
            ])
        #expect(read.keys == ["1"])
        #expect(read.document.page.newestFirst)
        #expect(read.document.page.rows.first?.order == Timestamp(seconds: 1_588_690_800))
        #expect(read.warnings.isEmpty)
    }

    @Test("says of itself what the others say")
    func readsFeed() throws {
        let read = try ReadFeed(
            JSONFeedTests.feed(
                "",
                members: #"""
                    "description": "D", "feed_url": "/feed.json", "next_url": "/feed.json?page=2", "icon": "/i.png",
                    "favicon": "/f.png", "language": "de", "expired": true, "author": {"name": "Ann"},
                    "hubs": [{"type": "WebSub", "url": "https://hub.example.org/"}, {"type": "rssCloud"}],
                    """#))
        #expect(
            read.meta.canonical(read.meta.root)
                == #"{"authors":[{"name":"Ann"}],"description":"D","expired":true,"format":"jsonfeed1.1","#
                + #""hubs":[{"type":"websub","url":"https://hub.example.org/"}],"icon":"https://example.org/f.png","#
                + #""image":"https://example.org/i.png","language":"de","next_url":"https://example.org/feed.json?page=2","#
                + #""self_url":"https://example.org/feed.json","site_url":"https://example.org/","title":"T"}"#
        )
        #expect(read.document.hints.isExpired)
        #expect(try !ReadFeed(JSONFeedTests.feed("")).document.hints.isExpired)
    }

    static let keys: [(item: String, key: String, origin: String)] = [
        (#"{"id": "a"}"#, "a", "id"), (#"{"id": 12}"#, "12", "id"), (#"{"id": 0}"#, "0", "id"),
        (#"{"id": -1.50}"#, "-1.50", "id"),
        (#"{"id": 123456789012345678901}"#, "123456789012345678901", "id"),
        (#"{"id": "", "url": "https://example.org/1"}"#, "https://example.org/1", "link"),
        (#"{"id": null, "external_url": "https://example.com/1"}"#, "https://example.com/1", "link"),
        (#"{"id": true, "url": "/2"}"#, "https://example.org/2", "link"),
        (#"{"id": "\u00e9\ud83d\ude00"}"#, "é😀", "id"),
        (#"{"id": "\ud83d", "url": "https://example.org/3"}"#, "https://example.org/3", "link"),
        (#"{"\u0069d": "a"}"#, "a", "id"), (#"{"id": "a", "id": "b"}"#, "b", "id"),
    ]

    @Test("is keyed by its id, numbers as text, else by its address (SK1, SK2)", arguments: keys)
    func keysItems(item: String, key: String, origin: String) throws {
        let read = try ReadFeed(JSONFeedTests.feed(item))
        #expect(read.keys == [key])
        #expect(read.text(0, "key_origin") == origin)
    }

    static let versions = [
        ("https://jsonfeed.org/version/1", "jsonfeed1"), ("https://jsonfeed.org/version/1.1", "jsonfeed1.1"),
        ("http://jsonfeed.org/version/1/", "jsonfeed1"), ("1.0", "jsonfeed1"), ("1.1", "jsonfeed1.1"),
    ]

    @Test("is known by its version", arguments: versions)
    func knowsVersions(version: String, format: String) throws {
        let text = #"{"items": [{"id": 1, "author": {"name": "A"}}], "version": "\#(version)"}"#
        for start in ["", " \n", "\u{FEFF}"] {
            let read = try ReadFeed(start + text)
            #expect(read.meta("format") == format)
            #expect(read.text(0, "authors", "0", "name") == "A")
        }
    }

    @Test("has the text of its markup where it gives none")
    func makesText() throws {
        let read = try ReadFeed(
            JSONFeedTests.feed(
                #"{"id": 1, "content_html": "<p>one</p><p>two"}, {"id": 2, "content_text": "a < b"}"#))
        #expect(read.text(0, "content_text") == "one\ntwo")
        #expect(read.text(1, "content_text") == "a < b")
        #expect(read.text(1, "content_html") == nil)
        #expect(read.text(1, "summary") == nil)
    }

    @Test("takes members of a wrong kind for absent, and leaves out items that say nothing")
    func isLenient() throws {
        let read = try ReadFeed(
            JSONFeedTests.feed(
                #"""
                {"id": 1, "title": 5, "authors": {}, "tags": "x", "attachments": [1, {"url": "u",
                "size_in_bytes": -1, "duration_in_seconds": 1e300}], "date_published": "soon"}, 7, {}, {"id": 2}
                """#, members: #""hubs": 1, "expired": "yes","#))
        #expect(read.keys == ["1", "2"])
        #expect(read.text(0, "title") == nil)
        #expect(read.text(0, "enclosures") == #"[{"url":"https://example.org/u"}]"#)
        #expect(read.text(0, "published_raw") == "soon")
        #expect(read.warnings == [.badDate, .emptyEntry])
        #expect(read.document.entries == 4)
        #expect(!read.document.hints.isExpired)
    }

    @Test("has no more items than are allowed")
    func hasBounds() throws {
        let text = JSONFeedTests.feed(#"{"id": 1}, {"id": 2}, {"id": 3}"#)
        #expect(throws: FormatFailure.tooManyRecords(limit: 2)) {
            try SyndicationRecords.page(of: PaddedBytes(text), base: nil, itemLimit: 2)
        }
    }

    @Test("that breaks off fails with its place")
    func failsWhenBroken() {
        let failure = #expect(throws: FormatFailure.self) { try ReadFeed(#"{"version": "1.1", "items": ["#) }
        #expect(failure?.code == "json-invalid")
        #expect(failure?.offset != nil)
    }
}
