import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("A feed that makes up its ids anew (SK4)") struct ChurnGuardTests {
    private func document(
        _ numbers: Range<Int>, ids: String, links: Bool = true, dates: Bool = true
    ) throws -> [ChurnGuard.Entry] {
        let items = numbers.map { number in
            "<item><guid isPermaLink='false'>\(ids)\(number)</guid><title>t\(number)</title>"
                + (links ? "<link>https://example.org/\(number)</link>" : "<link>https://example.org/</link>")
                + (dates ? "<pubDate>Mon, 01 Jun 2020 00:00:\(10 + number) GMT</pubDate>" : "") + "</item>"
        }
        let read = try SyndicationRecords.page(of: PaddedBytes(ReadFeed.rss(items.joined())), base: nil)
        return try read.page.rows.map { row in
            ChurnGuard.Entry(
                key: row.key, digest: try #require(StoredEntries.digest(read.page.body(of: row))))
        }
    }

    @Test("has its items go on under the new ids, by link or by title and date", arguments: [true, false])
    func rekeys(links: Bool) throws {
        let stored = try document(0..<10, ids: "a", links: links)
        let listed = try document(0..<10, ids: "b", links: links)
        let rekeyings = ChurnGuard().rekeyings(listed: listed, stored: stored)
        #expect(rekeyings.map(\.from.text) == (0..<10).map { "a\($0)" })
        #expect(rekeyings.map(\.to.text) == (0..<10).map { "b\($0)" })
    }

    @Test("is told from one with new entries, with few entries, and with none that are found again")
    func believes() throws {
        let stored = try document(0..<10, ids: "a")
        let fresh = try document(10..<20, ids: "a")
        #expect(ChurnGuard().rekeyings(listed: fresh, stored: stored).isEmpty)
        let few = try document(0..<4, ids: "b")
        #expect(ChurnGuard().rekeyings(listed: few, stored: stored).isEmpty)
        let half = try document(0..<5, ids: "a") + document(5..<10, ids: "b")
        #expect(ChurnGuard().rekeyings(listed: half, stored: stored).isEmpty)
        let mixed = try document(5..<15, ids: "b")
        #expect(ChurnGuard().rekeyings(listed: mixed, stored: stored).isEmpty)
        #expect(ChurnGuard().rekeyings(listed: stored, stored: stored).isEmpty)
        #expect(ChurnGuard().rekeyings(listed: try document(0..<10, ids: "b"), stored: []).isEmpty)
    }

    @Test("leaves the few that nothing matches to be new")
    func leavesNew() throws {
        let stored = try document(0..<10, ids: "a")
        let listed = try document(1..<11, ids: "b")
        let rekeyings = ChurnGuard().rekeyings(listed: listed, stored: stored)
        #expect(rekeyings.count == 9)
        #expect(!rekeyings.contains { $0.to == RecordKey("b10") })
    }

    @Test("matches nothing by what several entries share")
    func isCareful() throws {
        let stored = try document(0..<10, ids: "a", links: false, dates: false)
        let listed = try document(0..<10, ids: "b", links: false, dates: false)
        #expect(ChurnGuard().rekeyings(listed: listed, stored: stored).isEmpty)
    }

    @Test("knows nothing of what is no record of an entry")
    func foreignRecords() {
        #expect(StoredEntries.digest(Array("[1]".utf8)[...]) == nil)
        #expect(
            StoredEntries.digest(Array("{\"title\":1}".utf8)[...])
                == EntryDigest(link: nil, titleAndDate: nil))
    }
}

@Suite("Changes that only the content shows (SC3)") struct QuietChangesTests {
    @Test("are told of twenty-four times at once, and then once a day")
    func areBounded() {
        var changes = QuietChanges()
        let start = Timestamp(seconds: 1_000_000)
        let hourly = (0..<24).map { changes.admits(at: start + .seconds($0 * 3_600)) }
        #expect(hourly.allSatisfy { $0 })
        let last = start + .seconds(23 * 3_600)
        let later = [60, 86_399, 86_400, 86_401].map { changes.admits(at: last + .seconds($0)) }
        #expect(later == [false, false, true, false])
        #expect(changes.count == 25)
    }

    @Test("are not held up by a clock that was set back")
    func survivesClock() {
        var changes = QuietChanges(count: 24, last: Timestamp(seconds: 2_000_000))
        let isAdmitted = changes.admits(at: Timestamp(seconds: 1_000_000))
        #expect(isAdmitted)
    }
}
