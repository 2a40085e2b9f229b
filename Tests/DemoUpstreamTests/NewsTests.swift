import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("The demo news") struct NewsTests {
    private let news = News(seed: 1)
    private let start = Timestamp(seconds: 1_767_225_600)

    @Test("shows the last twenty entries, newest first, each once")
    func showsTwenty() {
        for second in stride(from: Int64(0), to: 3_600, by: 13) {
            let entries = news.entries(at: start + .seconds(second))
            #expect(entries.count == 20)
            #expect(Set(entries.map(\.number)).count == 20)
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.published > $1.published })
            #expect(entries.allSatisfy { $0.updated <= start + .seconds(second) })
        }
    }

    @Test("has a new entry in every minute or so")
    func grows() {
        let newest = (0...3_600).compactMap { news.entries(at: start + .seconds($0)).first?.number }
        #expect((newest.last ?? 0) - (newest.first ?? 0) == 60)
    }

    @Test("corrects an entry now and then, which keeps its number and its published time")
    func corrects() throws {
        let entries = (0..<3_600).flatMap { news.entries(at: start + .seconds($0)) }
        let corrected = try #require(entries.first { $0.corrected != nil })
        let before = try #require(entries.first { $0.number == corrected.number && $0.corrected == nil })
        #expect(before.published == corrected.published)
        #expect(before.updated < corrected.updated)
    }

    @Test("says when it last changed, and changes at no other time")
    func datesItsChanges() {
        for second in Int64(0)..<600 {
            let before = news.feed(at: start + .seconds(second))
            let after = news.feed(at: start + .seconds(second + 1))
            #expect((before.changed == after.changed) == (before.body == after.body))
        }
    }

    @Test("is Atom, with nothing that XML would want escaped")
    func writesAtom() {
        let feed = news.feed(at: start)
        let text = String(decoding: feed.body, as: UTF8.self)
        #expect(feed.type == "application/atom+xml; charset=utf-8")
        #expect(text.utf8.starts(with: #"<?xml version="1.0" encoding="utf-8"?>"#.utf8))
        #expect(
            text.utf8.split(separator: UInt8(ascii: "\n")).count { $0.elementsEqual("  <entry>".utf8) } == 20)
        #expect(!text.utf8.contains(UInt8(ascii: "&")))
        for entry in news.entries(at: start) {
            #expect(!entry.title.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
            #expect(!entry.published.rfc3339.isEmpty && text.contains(entry.published.rfc3339))
        }
    }
}
