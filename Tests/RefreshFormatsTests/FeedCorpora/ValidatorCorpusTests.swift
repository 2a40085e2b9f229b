import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("Feeds of a validator's tests", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct ValidatorCorpusTests {
    @Test("are read without a crash, into as many entries as another reader finds")
    func counts() throws {
        var tally = (cases: 0, feeds: 0, right: 0, others: 0, refused: 0)
        var differing: Set<String> = []
        var taken: Set<String> = []
        for line in try JSONLines("feeds-validator/cases.jsonl").cases {
            tally.cases += 1
            let feed = try CorpusFeed(line)
            let peer = try #require(line.member("peer_feedparser_6_0_14"))
            let version = line.text(line.member("version", of: peer)) ?? ""
            if version.isEmpty {
                tally.others += 1
                if feed.read == nil { tally.refused += 1 } else { taken.insert(feed.name) }
                continue
            }
            tally.feeds += 1
            let wanted = line.int64(line.member("entries", of: peer)) ?? 0
            let found = feed.read.map { $0.document.entries }
            if found == Int(wanted) {
                tally.right += 1
            } else {
                differing.insert(feed.name)
                if ValidatorLists.differing.entries[feed.name] == nil {
                    print("\(feed.name): \(wanted) entries, not \(found.map(String.init) ?? feed.failure)")
                }
            }
        }
        print("feeds-validator: \(tally)")
        ValidatorLists.differing.expect(differing, "feeds with other counts")
        ValidatorLists.taken.expect(taken, "documents taken for feeds")
        #expect(tally.cases == 1_504 && tally.feeds == 1_397)
        #expect(tally.right * 100 >= tally.feeds * 99)
    }
}

/// Where we differ from the other reader, each with its reason.
enum ValidatorLists {
    private static let service = "a service document of AtomPub is no feed"
    private static let conflict = "an entry within an extension tells of a conflict, it is none of the feed's"

    static let differing = NamedList([
        "ext/app/accept-missing.xml": service,
        "ext/app/accept-none.xml": service,
        "ext/app/accept-param.xml": service,
        "ext/app/accept-wildcard.xml": service,
        "ext/app/category-href-children.xml": service,
        "ext/app/category-href-fixed.xml": service,
        "ext/app/category.xml": service,
        "ext/app/invalid-fixed.xml": service,
        "ext/app/service-example.xml": service,
        "ext/app/service-with-id.xml": service,
        "ext/feedsync/spec-example-atom-2.xml": conflict,
        "ext/feedsync/spec-example-rss-2.xml": conflict,
    ])
    static let taken = NamedList([
        "rss/must/rss10_invalid_namespace2.xml": "a channel in RDF is read even where it has no namespace"
    ])
}
