import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The level of a feed's keys (SK2)") struct KeyLevelTests {
    private func read(_ items: [String], keys: KeyPolicy = .undecided) throws -> SyndicationDocument {
        try SyndicationRecords.page(of: PaddedBytes(ReadFeed.rss(items.joined())), base: nil, keys: keys)
    }

    private func item(_ number: Int, id: String? = nil, link: String? = nil, date: String? = nil) -> String {
        let guid = id.map { "<guid isPermaLink='false'>\($0)</guid>" } ?? ""
        let address = link.map { "<link>https://example.org/\($0)</link>" } ?? ""
        let day = date.map { "<pubDate>\($0)</pubDate>" } ?? ""
        return "<item>\(guid)\(address)\(day)<title>t\(number)</title></item>"
    }

    @Test("is the id where entries have one; a single entry without does not lower it")
    func keepsIDs() throws {
        let read = try read((0..<10).map { item($0, id: $0 == 3 ? nil : "g\($0)", link: "\($0)") })
        #expect(read.keyLevel == .id)
        #expect(read.page.rows[0].key == RecordKey("g0"))
        #expect(read.page.rows[3].key == RecordKey("https://example.org/3"))
    }

    @Test("falls where two entries and one in twenty lack an id or share it")
    func falls() throws {
        let lacking = try read((0..<10).map { item($0, id: $0 < 2 ? nil : "g\($0)", link: "\($0)") })
        #expect(lacking.keyLevel == .link)
        #expect(lacking.page.rows.map(\.key.text) == (0..<10).map { "https://example.org/\($0)" })
        let few = try read((0..<40).map { item($0, id: $0 < 2 ? nil : "g\($0)", link: "\($0)") })
        #expect(few.keyLevel == .id)
        let shared = try read((0..<10).map { item($0, id: "g\($0 / 2)", link: "\($0)") })
        #expect(shared.keyLevel == .link)
        #expect(shared.warnings.map(\.code) == [.sharedIDs])
    }

    @Test("never falls to a level that tells even fewer apart")
    func doesNotFallInVain() throws {
        let read = try read((0..<10).map { item($0, id: $0 < 2 ? nil : "g\($0)") })
        #expect(read.keyLevel == .id)
        #expect(read.page.rows[5].key == RecordKey("g5"))
        #expect(Set(read.page.rows.map(\.key)).count == 10)
    }

    @Test("is only ever lowered, not raised again by a better document")
    func staysLow() throws {
        let items = (0..<5).map { item($0, id: "g\($0)", link: "\($0)", date: "day \($0)") }
        #expect(try read(items, keys: KeyPolicy(stored: .link)).keyLevel == .link)
        let dated = try read(items, keys: KeyPolicy(stored: .linkDate))
        #expect(dated.keyLevel == .linkDate)
        #expect(dated.page.rows[0].key == RecordKey(#"["https://example.org/0","day 0"]"#))
        let worse = (0..<5).map { item($0, id: "g", link: "same", date: "day \($0)") }
        #expect(try read(worse, keys: KeyPolicy(stored: .link)).keyLevel == .linkDate)
    }

    @Test("can be forced, and then holds whatever the document says")
    func isForced() throws {
        let items = (0..<5).map { item($0, id: "g", link: "\($0)") }
        let forced = try read(items, keys: KeyPolicy(forced: .id))
        #expect(forced.keyLevel == .id)
        #expect(forced.page.rows[0].key == RecordKey("g"))
        #expect(Set(forced.page.rows.map(\.key)).count == 5)
        let hashed = try read(items, keys: KeyPolicy(forced: .hash))
        #expect(hashed.page.rows.allSatisfy { $0.key.bytes.count == 32 })
    }

    @Test("lowered, gives stored items the keys that the next document has")
    func rekeysStored() throws {
        let first = try read((0..<3).map { item($0, id: "g\($0)", link: "\($0)") })
        var stored = StoredEntries()
        for row in first.page.rows { stored.add(row.key, body: first.page.body(of: row)) }
        let changes = stored.rekeyings(to: .link)
        #expect(changes.map(\.from.text) == ["g0", "g1", "g2"])
        #expect(changes.map(\.to.text) == (0..<3).map { "https://example.org/\($0)" })
        #expect(stored.rekeyings(to: .id).isEmpty)
        let hashed = stored.rekeyings(to: .hash)
        let again = try read(
            (0..<3).map { item($0, id: "g\($0)", link: "\($0)") }, keys: KeyPolicy(forced: .hash))
        #expect(hashed.map(\.to) == again.page.rows.map(\.key))
    }
}
