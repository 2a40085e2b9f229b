import RefreshClient
import RefreshConfig
import RefreshCore
import TestSupport
import Testing

@Suite("Import") struct ImportTests {
    /// The feeds that the printed text configures.
    private func feeds(_ yaml: String) throws -> [Feed] {
        let result = ConfigReader.read(bytes: Array("version: 1\nfeeds:\n\(yaml)".utf8), file: "import")
        #expect(result.errors.map(\.text) == [])
        return try #require(result.plan).feeds
    }

    @Test(
        "of a reader's sample gives every subscription",
        .enabled(if: Corpora.folder != nil, .init(rawValue: Corpora.absent)))
    func sample() async throws {
        let path = try #require(Corpora.path("samples/subscriptions.opml"))
        let rig = try Rig([:])
        let ending = try await rig.run(["import", path, "--every", "2h"])
        #expect(ending.code == .ok)
        let feeds = try feeds(ending.output)
        #expect(feeds.count == 7)
        #expect(feeds.allSatisfy { $0.adapter == .feed && $0.title != nil })
        #expect(Set(feeds.map { $0.id.name }).contains("example-com-website-rss-0-9-feed"))
        #expect(feeds.first { $0.id.name == "notes-by-b" }?.tags == ["Blogs", "friends"])
        print("OPML: \(feeds.count) of 7 subscriptions")
    }

    @Test("makes names that are legal and unique, and keeps titles harmless")
    func names() async throws {
        let rig = try Rig([:])
        let long = String(repeating: "x", count: 90)
        let opml = rig.folder.write(
            """
            <opml version="2.0"><body>
            <outline text="News: &quot;all&quot; # of it" xmlUrl="https://a.example/1?x=1&amp;y=2"/>
            <outline text="news all of it!" xmlUrl="https://a.example/2"/>
            <outline text="\(long)" xmlUrl="https://a.example/3"/>
            <outline text="\(long)" xmlUrl="https://a.example/4"/>
            <outline text="価格" xmlUrl="https://b.example/5"/>
            <outline xmlURL="https://b.example/6"/>
            <outline text="twice" xmlUrl="https://b.example/6"/>
            <outline text="no" xmlUrl="https://b.example/7"/>
            <outline text="mail" xmlUrl="mailto:x@y"/>
            </body></opml>
            """, to: "a.opml")
        let ending = try await rig.run(["import", opml])
        let feeds = try feeds(ending.output)
        #expect(
            Set(feeds.map { $0.id.name }) == [
                "news-all-of-it", "news-all-of-it-2", String(long.prefix(64)), "\(long.prefix(62))-2",
                "b-example",
                "b-example-2", "no",
            ])
        #expect(feeds.first { $0.id.name == "news-all-of-it" }?.title == #"News: "all" # of it"#)
        #expect(feeds.first { $0.id.name == "no" }?.title == "no")
        #expect(ending.errors.contains("mailto:x@y"))
    }

    @Test("of what is no list says so")
    func wrong() async throws {
        let rig = try Rig([:])
        #expect(try await rig.run(["import", rig.folder.path("none")]).errors.contains("No such file"))
        let text = rig.folder.write("hello", to: "a.txt")
        #expect(try await rig.run(["import", text]).errors.contains("no OPML can be read"))
        let empty = rig.folder.write("<opml><body/></opml>", to: "b.opml")
        #expect(try await rig.run(["import", empty]).errors.contains("no outline"))
    }
}
