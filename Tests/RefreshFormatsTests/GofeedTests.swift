import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

/// Feeds in JSON and RDF with what another reader made of them.
@Suite("Another reader's view", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct GofeedTests {
    /// A member of the expected item, in the names of all its shapes, and ours.
    private static let members = [
        (["title"], "title"), (["link", "url"], "url"), (["guid", "id"], "id"),
        (["external_url"], "external_url"), (["content_html"], "content_html"), (["summary"], "summary"),
        (["content_text"], "content_text"), (["date_published"], "published_raw"),
    ]

    @Test("of JSON Feed and RDF agrees in the number of entries and in their fields")
    func agrees() throws {
        var tally = (feeds: 0, items: 0, fields: 0, others: 0)
        for line in try JSONLines("feeds-gofeed/cases.jsonl").cases {
            guard let input = line.text(line.member("input")), let expected = line.member("expected"),
                expected.kind == .object, let list = line.member("items", of: expected),
                input.contains("<rdf:RDF") || input.hasPrefix("{")
            else { continue }
            let name = line.text(line.member("name")) ?? "?"
            guard let read = try? ReadFeed(input) else {
                // A root with nothing in it that is of RSS could be RDF of any kind.
                #expect(!input.contains("<channel") && !input.contains("<item"), "\(name)")
                tally.others += 1
                continue
            }
            let items = Array(line.elements(of: list))
            #expect(read.bodies.count == items.count, "\(name)")
            tally.feeds += 1
            tally.items += items.count
            for (index, item) in items.enumerated() {
                tally.fields += compare(line, item, read, index, name)
            }
        }
        print("feeds-gofeed: \(tally)")
        #expect(tally.feeds >= 45)
        #expect(tally.fields >= 30)
    }

    private func compare(
        _ line: JSONDocument, _ item: JSONNode, _ read: ReadFeed, _ index: Int, _ name: String
    ) -> Int {
        var count = 0
        for (theirs, ours) in GofeedTests.members {
            guard let theirs = theirs.lazy.compactMap({ line.text(line.member($0, of: item)) }).first
            else { continue }
            // Of several links the other reader takes the last, we the first.
            if ours == "url", let links = line.member("links", of: item), line.count(of: links) > 1 {
                continue
            }
            // What came as markup stands as it is beside its text.
            let found = [read.text(index, ours), read.text(index, ours + "_html")]
            #expect(found.contains(theirs), "\(name): \(ours)")
            count += 1
        }
        return count
    }
}
