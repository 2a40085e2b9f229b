import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite(
    "Feeds as a third reader sees them",
    .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct GofeedCorpusTests {
    @Test("have as many entries")
    func counts() throws {
        var tally = (feeds: 0, right: 0)
        var failing: Set<String> = []
        for line in try JSONLines("feeds-gofeed/cases.jsonl").cases {
            guard let expected = line.member("expected"), expected.kind == .object else { continue }
            let list = line.member("items", of: expected) ?? line.member("entries", of: expected)
            let wanted = list.map { line.count(of: $0) } ?? 0
            let feed = try CorpusFeed(line)
            tally.feeds += 1
            if feed.read?.document.entries == wanted {
                tally.right += 1
            } else {
                failing.insert(feed.name)
                if GofeedLists.counts.entries[feed.name] == nil {
                    print("\(feed.name): \(wanted), not \(feed.read?.document.entries ?? -1) \(feed.failure)")
                }
            }
        }
        print("feeds-gofeed, entries: \(tally)")
        GofeedLists.counts.expect(failing, "feeds with other counts")
        #expect(tally.feeds == 407 && tally.right + GofeedLists.counts.entries.count == tally.feeds)
    }

    @Test("say the same in every field that both have, by the table")
    func agrees() throws {
        var tally = (feeds: 0, values: 0, mapped: 0, right: 0)
        var unmapped: Set<String> = []
        var failing: Set<String> = []
        for line in try JSONLines("feeds-gofeed/cases.jsonl").cases {
            guard let expected = line.member("expected"), expected.kind == .object,
                line.text(line.member("kind"))?.hasPrefix("translator") == true
            else { continue }
            let feed = try CorpusFeed(line)
            tally.feeds += 1
            for leaf in GofeedLeaf.all(of: expected, in: line) {
                tally.values += 1
                guard let field = GofeedField.of(leaf.pattern) else {
                    unmapped.insert(leaf.pattern)
                    continue
                }
                tally.mapped += 1
                let found = leaf.views(of: feed, field)
                if found.contains(leaf.value) {
                    tally.right += 1
                } else {
                    let name = "\(feed.name) \(leaf.pattern)"
                    failing.insert(name)
                    if GofeedLists.values.entries[name] == nil {
                        print("\(name): \(leaf.value), not \(found)")
                    }
                }
            }
        }
        print("feeds-gofeed, values: \(tally)")
        GofeedLists.unmapped.expect(unmapped, "paths without a field")
        GofeedLists.values.expect(failing, "values that differ")
        #expect(tally.feeds == 73 && tally.values == 446)
        #expect(tally.mapped >= 400)
        #expect(tally.right * 100 >= tally.mapped * 97)
    }
}

/// One value of the other reader's object.
struct GofeedLeaf {
    let path: [String]
    let value: String

    static func all(of node: JSONNode, in line: JSONDocument) -> [GofeedLeaf] {
        switch node.kind {
        case .object:
            return line.members(of: node).flatMap { name, value in
                all(of: value, in: line).map {
                    GofeedLeaf(path: [line.text(name) ?? "?"] + $0.path, value: $0.value)
                }
            }
        case .array:
            return line.elements(of: node).enumerated().flatMap { index, value in
                all(of: value, in: line).map { GofeedLeaf(path: ["\(index)"] + $0.path, value: $0.value) }
            }
        default: return [GofeedLeaf(path: [], value: line.text(node) ?? line.canonical(node))]
        }
    }

    var pattern: String { path.map { Int($0) == nil ? $0 : "#" }.joined(separator: ".") }

    private var indexes: [Int] { path.compactMap { Int($0) } }
    private var item: Int? { path.first == "items" ? indexes.first : nil }

    func views(of feed: CorpusFeed, _ field: GofeedField) -> [String] {
        let index = (item == nil ? indexes.first : indexes.dropFirst().first) ?? 0
        func texts(_ paths: [String]) -> [String] { feed.texts(paths, item: item, index: index) }
        switch field {
        case .text(let paths):
            let found = texts(paths)
            return found.isEmpty && value.isEmpty ? [""] : found
        case .time(let path):
            let wanted = Timestamp(rfc3339: value.utf8)
            return texts([path]).contains { Timestamp(rfc3339: $0.utf8) == wanted } ? [value] : texts([path])
        case .name(let path): return texts([path]).isEmpty ? [] : path.split(separator: ".").map(String.init)
        case .kind, .version:
            let format = feed.read?.meta("format") ?? "none"
            let known = [
                "rss2": ("rss", "2.0"), "rss1": ("rss", "1.0"), "rss0.9x": ("rss", "0.9"),
                "atom10": ("atom", "1.0"),
                "atom03": ("atom", "0.3"), "jsonfeed1": ("json", "1.0"), "jsonfeed1.1": ("json", "1.1"),
            ]
            guard let names = known[format] else { return [format] }
            if case .kind = field { return [names.0] }
            return [names.1, value.hasPrefix(names.1) ? value : ""]
        }
    }
}

/// Where we differ from the third reader, each with its reason.
enum GofeedLists {
    private static let first = "of several links the first is the page, not the last"
    private static let picture = "a picture within the text is not the entry's image"
    private static let ofItems = "a JSON Feed has no dates; the other reader takes those of an item"
    private static let program = "a generator is its name; version and address stand among the extensions"

    static let counts = NamedList([:])
    static let unmapped = NamedList(["items.#.image.title": "an entry's image is an address"])
    static let values = NamedList([
        "translator/atom/feed_generator_-_atom03_feed_generator.xml generator": program,
        "translator/atom/feed_generator_-_atom10_feed_generator_name.xml generator": program,
        "translator/json/json10_full.json published": ofItems,
        "translator/json/json10_full.json publishedParsed": ofItems,
        "translator/json/json10_full.json updated": ofItems,
        "translator/json/json10_full.json updatedParsed": ofItems,
        "translator/rss/feed_item_enclosure_-_rss_channel_item_enclosure.xml items.#.enclosure.type":
            "the document says image/jpeg, the expected value audio/jpeg",
        "translator/rss/feed_item_image_-_rss_channel_item_content.xml items.#.image.url": picture,
        "translator/rss/feed_item_image_-_rss_channel_item_description.xml items.#.image.url": picture,
        "translator/rss/feed_item_links_-_rss_channel_item_links.xml items.#.link": first,
        "translator/rss/feed_links_-_rdf_channel_links.xml link": first,
        "translator/rss/feed_links_-_rss_channel_links.xml link": first,
    ])
}
