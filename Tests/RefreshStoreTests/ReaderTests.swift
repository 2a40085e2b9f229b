import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Reader") struct ReaderTests {
    /// Pages of 20 by keyset until one is empty.
    private func pages(_ reader: StoreReader, _ feed: FeedID) throws -> [[String]] {
        var pages: [[String]] = []
        var position: ItemPosition?
        repeat {
            var page: [String] = []
            try reader.items(of: feed, after: position, limit: 20) { row in
                page.append(row.key.text)
                position = ItemPosition(row.position.encode())
                return true
            }
            pages.append(page)
        } while pages.last?.isEmpty == false
        return pages
    }

    @Test("pages through 45 items as 20, 20, 5 and nothing", arguments: [true, false])
    func pages(_ isDated: Bool) throws {
        let bench = try Bench()
        // Few dates, so that pages end amid equal ones.
        try bench.pass((1...45).map { Sample("k\($0)", order: isDated ? Int64($0 / 7) : nil) })
        let pages = try pages(bench.reader(), bench.feed)
        #expect(pages.map(\.count) == [20, 20, 5, 0])
        #expect(pages.flatMap { $0 } == (1...45).reversed().map { "k\($0)" })
    }

    @Test("goes on from a place whose item has moved or vanished") func vanishedPlace() throws {
        let bench = try Bench()
        let records = (1...100).map { Sample("k\($0)", "1", order: Int64($0)) }
        try bench.pass(records)
        var position: ItemPosition?
        try bench.reader().items(of: bench.feed, after: nil, limit: 40) { row in
            position = row.position
            return true
        }
        // k61 was the fortieth: once it goes to the top, once it goes away.
        try bench.pass(records.map { $0.key == "k61" ? Sample("k61", "2", order: 1_000) : $0 })
        try bench.pass(records.filter { $0.key != "k61" })
        var next: [String] = []
        try bench.reader().items(of: bench.feed, after: position, limit: 20) { row in
            next.append(row.key.text)
            return true
        }
        #expect(next == (41...60).reversed().map { "k\($0)" })
    }

    @Test(
        "reads one range of an index, without a sort",
        arguments: [
            (ListStatements.queries(ListStatements.live, reverse: false).next, "items_order"),
            (ListStatements.queries(ListStatements.live, reverse: true).next, "items_order"),
            (ListStatements.queries(ListStatements.live, reverse: false).first, "items_order"),
            (ListStatements.queries(ListStatements.gone, reverse: false).next, "items_gone"),
            (ListStatements.keyQuery, "sqlite_autoindex_items_1"),
            (ListStatements.keyWithGoneQuery, "sqlite_autoindex_items_1"),
            (LogStatements.rowsQuery, "sqlite_autoindex_items_2"),
            (LogStatements.outlineQuery, "sqlite_autoindex_items_2"),
            (StoreReader.itemQuery, "sqlite_autoindex_items_1"),
        ])
    func plans(_ item: (query: String, index: String)) throws {
        let bench = try Bench()
        let path = CacheFile(folder: bench.folder.path).path
        let statement = try Connection.open(path, for: .read).prepare("EXPLAIN QUERY PLAN \(item.query)")
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3) ?? "") }
        #expect(steps.count == 1)
        let step = steps.first ?? ""
        #expect(step.hasPrefix("SEARCH items USING INDEX \(item.index) (feed=?"))
        // The range is bound on both columns, so a page costs what it shows and not what lies before it.
        if item.query.contains("(sort, created_seq)") { #expect(step.contains("(sort,created_seq)")) }
    }

    @Test("sees one state until the round ends, whatever is written meanwhile") func snapshot() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1")])
        let reader = try bench.reader()
        let before = try reader.head(of: bench.feed)
        try bench.pass([Sample("a", "2"), Sample("b", "1")])
        var seen: [String] = []
        try reader.items(of: bench.feed, after: nil) { row in
            seen.append(row.key.text)
            return true
        }
        #expect(seen == ["a"])
        #expect(try reader.head(of: bench.feed) == before)
        reader.endRound()
        #expect(try reader.head(of: bench.feed)?.seq == 3)
        reader.endRound()
        reader.endRound()
    }

    @Test("shows an item with its stamps, and a tombstone without its body") func oneItem() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1"), Sample("b", "1", order: 5)])
        let first = bench.now
        try bench.pass([Sample("b", "22", order: 6)])
        let reader = try bench.reader()
        var shown: [String] = []
        for key in ["b", "a"] {
            let isKnown = try reader.item(of: bench.feed, key: RecordKey(key)) { row in
                #expect(row.firstSeen == first)
                #expect(row.changedAt == bench.now)
                let order = row.order.timestamp.map { "\($0.milliseconds)" } ?? "none"
                let body = unsafe String(decoding: row.body, as: UTF8.self)
                shown.append(
                    "\(row.key.text) \(row.rev) \(row.seq) \(row.createdSeq) \(order) "
                        + "\(row.deleted?.name ?? "live")\(row.isGone ? " gone" : "") [\(body)]")
            }
            #expect(isKnown)
        }
        #expect(shown == ["b 2 3 2 6000 live [22]", "a 1 4 1 none missing []"])
        #expect(try !reader.item(of: bench.feed, key: RecordKey("c")) { _ in })
        #expect(try !reader.item(of: Bench.feed("nobody"), key: RecordKey("a")) { _ in })
        #expect(try reader.head(of: Bench.feed("nobody")) == nil)
    }

    @Test("finds a feed that was begun after the reader") func lateFeed() throws {
        let bench = try Bench()
        let reader = try bench.reader()
        #expect(try reader.head(of: bench.feed) == nil)
        reader.endRound()
        try bench.pass([Sample("a")])
        #expect(try reader.item(of: bench.feed, key: RecordKey("a")) { _ in })
    }

    @Test("stops where the visit says so") func stops() throws {
        let bench = try Bench()
        try bench.pass((1...10).map { Sample("k\($0)") })
        let reader = try bench.reader()
        var items = 0
        var changes = 0
        try reader.items(of: bench.feed, after: nil) { _ in
            items += 1
            return items < 3
        }
        try reader.changes(of: bench.feed, since: 4, limit: 2) { _ in
            changes += 1
            return true
        }
        #expect([items, changes] == [3, 2])
    }

    @Test("cannot write") func readOnly() throws {
        let bench = try Bench()
        let connection = try Connection.open(CacheFile(folder: bench.folder.path).path, for: .read)
        #expect(throws: StoreFailure.self) { try connection.execute("DELETE FROM items") }
    }

    @Test(
        "spells a place as bytes and reads it back",
        arguments: [
            ItemPosition(order: .null, createdSeq: 1),
            ItemPosition(order: .time(Timestamp(microseconds: 0)), createdSeq: .max),
            ItemPosition(order: .time(Timestamp(microseconds: -1)), createdSeq: 7),
            ItemPosition(order: .text(Array("a\0b".utf8)), createdSeq: 0),
            ItemPosition(
                sort: OrderValue.number(DecimalNumber(-12)).stored(isDescending: false), createdSeq: 3),
        ])
    func positions(_ position: ItemPosition) {
        let bytes = position.encode()
        #expect(ItemPosition(bytes) == position)
        #expect(ItemPosition(bytes.prefix(8)) == nil)
        #expect(ItemPosition(bytes.prefix(8) + [0x7F]) == nil)
    }
}
