import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

@Suite("Telling changes, and paging") struct TellingTests {
    /// A client's list, by the rule P5: a change beyond what it has loaded is dropped, else it is put in its place.
    private struct Screen {
        var rows: [(key: String, order: Int64)] = []
        var isAtEnd = false
        var tombstones: [String] = []

        var keys: [String] { rows.map(\.key) }

        mutating func apply(_ change: ItemChange) {
            let key = change.row.key.text
            let last = rows.last
            rows.removeAll { $0.key == key }
            if change.row.deleted != nil { return tombstones.append(key) }
            let order = change.row.order.timestamp?.milliseconds ?? .min
            if !isAtEnd, let last, order < last.order { return }
            let index = rows.firstIndex { $0.order < order } ?? rows.endIndex
            rows.insert((key, order), at: index)
        }

        mutating func append(_ row: ItemRow) {
            rows.removeAll { $0.key == row.key.text }
            rows.append((row.key.text, row.order.timestamp?.milliseconds ?? .min))
        }
    }

    private func filled(_ count: Int) throws -> (Bench, [Sample]) {
        let bench = try Bench()
        let records = (1...count).map { Sample("k\($0)", "1", order: Int64(count - $0)) }
        try bench.pass(records)
        return (bench, records)
    }

    private func more(
        _ bench: Bench, _ screen: inout Screen, _ place: inout ItemCursor.Place?, _ key: inout SyncKey?,
        limit: Int = 20
    ) throws -> MoreEnd {
        let request = MoreRequest(list: ListRequest(place: place, limit: limit), since: key)
        var changed = screen
        var items: [(String, Int64)] = []
        let answer = try bench.reader().more(of: bench.feed, request) { change in
            changed.apply(change)
            return true
        } item: { row in
            items.append((row.key.text, row.order.timestamp?.milliseconds ?? .min))
            return true
        }
        let end = try #require(try answer?.get())
        for (item, order) in items {
            changed.rows.removeAll { $0.key == item }
            changed.rows.append((item, order))
        }
        changed.isAtEnd = !end.list.hasMore
        screen = changed
        place = end.list.place
        key = end.key ?? end.head.key
        return end
    }

    @Test("2.8, P1: the record at the cursor jumps to the top: the next page is 41–60 and the jump is told")
    func jumps()
        throws
    {
        var (bench, records) = try filled(100)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        for _ in 1...2 { _ = try more(bench, &screen, &place, &key) }
        #expect(screen.keys == (1...40).map { "k\($0)" })
        records[39] = Sample("k40", "2", order: 1_000)
        try bench.pass(records)
        let end = try more(bench, &screen, &place, &key)
        #expect(end.changes?.shown == 1 && end.list.shown == 20)
        #expect(screen.keys == ["k40"] + (1...39).map { "k\($0)" } + (41...60).map { "k\($0)" })
    }

    @Test("2.9, P1: the record at the cursor is deleted: the next page is 41–60 and the tombstone is told")
    func deleted()
        throws
    {
        let (bench, records) = try filled(100)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        for _ in 1...2 { _ = try more(bench, &screen, &place, &key) }
        try bench.pass(records.filter { $0.key != "k40" })
        _ = try more(bench, &screen, &place, &key)
        #expect(screen.keys == (1...39).map { "k\($0)" } + (41...60).map { "k\($0)" })
        #expect(screen.tombstones == ["k40"])
    }

    @Test("2.10, P3: one record changes before each of five calls, and five calls give five pages")
    func fivePages() throws {
        var (bench, records) = try filled(100)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        for turn in 0..<5 {
            records[turn * 3] = Sample(records[turn * 3].key, "\(turn + 2)", by: records[turn * 3].order)
            try bench.pass(records)
            #expect(try more(bench, &screen, &place, &key).list.shown == 20)
        }
        #expect(screen.keys == (1...100).map { "k\($0)" })
        #expect(screen.isAtEnd)
    }

    @Test("P3: changes that fill the answer put the page off, by as many calls as there are changes for")
    func deferred()
        throws
    {
        var (bench, records) = try filled(100)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        _ = try more(bench, &screen, &place, &key)
        for index in 0..<50 {
            records[index] = Sample(records[index].key, "\(index + 2)", by: records[index].order)
            try bench.pass(records)
        }
        var deferred = 0
        while try more(bench, &screen, &place, &key).isPageDeferred { deferred += 1 }
        #expect(deferred == 2)
        #expect(screen.keys == (1...40).map { "k\($0)" })
    }

    @Test("2.11, P5: a change beyond what is loaded is dropped or put in its place, and never held twice")
    func beyond()
        throws
    {
        var (bench, records) = try filled(200)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        for _ in 1...2 { _ = try more(bench, &screen, &place, &key) }
        records[149] = Sample("k150", "2", by: records[149].order)
        try bench.pass(records)
        while !screen.isAtEnd { _ = try more(bench, &screen, &place, &key) }
        #expect(screen.keys == (1...200).map { "k\($0)" })
    }

    @Test("2.12: a tombstone of a record that was never loaded harms nobody") func unknownTombstone() throws {
        let (bench, records) = try filled(3)
        let key = try #require(try bench.head()?.key)
        try bench.pass(Array(records.dropLast()))
        var screen = Screen()
        _ = try bench.reader().tellChanges(of: bench.feed, since: key.seq, limit: 10) {
            screen.apply($0)
            return true
        }
        #expect(screen.keys.isEmpty && screen.tombstones == ["k3"])
    }

    @Test("rows inserted at the top between page reads: pages and changes together are the whole list")
    func inserted() throws {
        var (bench, records) = try filled(60)
        var (screen, place, key) = (Screen(), nil as ItemCursor.Place?, nil as SyncKey?)
        for turn in 0..<4 {
            _ = try more(bench, &screen, &place, &key)
            records = (0..<3).map { Sample("new\(turn)-\($0)", order: Int64(1_000 + turn)) } + records
            try bench.pass(records)
        }
        while !screen.isAtEnd { _ = try more(bench, &screen, &place, &key) }
        _ = try more(bench, &screen, &place, &key)
        #expect(screen.keys.count == records.count && Set(screen.keys) == Set(records.map(\.key)))
    }

    @Test("4.17: 45 items by twenty are 20, 20, 5 and the end", arguments: ItemCursor.Order.allCases)
    func pages(_ order: ItemCursor.Order) throws {
        let (bench, _) = try filled(45)
        var request = ListRequest(order: order)
        var sizes: [Int] = []
        var keys: [String] = []
        while sizes.last != 0 {
            let end = try bench.reader().page(of: bench.feed, request) { row in
                keys.append(row.key.text)
                return true
            }
            #expect(end.hasMore == (keys.count < 45))
            sizes.append(end.shown)
            request.place = try end.place.map { place in
                let cursor = ItemCursor(order: order, place: place, issued: 45)
                return try ItemCursor(text: cursor.text(feed: bench.feed), feed: bench.feed, order: order)
                    .place
            }
        }
        #expect(sizes == [20, 20, 5, 0])
        let all = (1...45).map { "k\($0)" }
        switch order {
        case .sort: #expect(keys == all)
        case .reverse: #expect(keys == all.reversed())
        case .key: #expect(keys == all.sorted { RecordKey($0) < RecordKey($1) })
        }
    }

    @Test("4.18: a page touches one row more than it shows, wherever it begins") func touches() throws {
        let bench = try Bench(in: TemporaryFolder(under: "/dev/shm"))
        try bench.pass((1...20_000).map { Sample("k\($0)", order: Int64($0)) }, keep: 30_000)
        let query = ListStatements.queries(ListStatements.live, reverse: false).next
        let connection = try Connection.open(DatabaseFile.cache(in: bench.folder.path).path, for: .read)
        var steps: Set<Int64> = []
        for start in [100, 10_000, 19_999] as [Int64] {
            let statement = try connection.prepare(query)
            try statement.bind(1, 1)
            try statement.bind(2, OrderValue.time(Timestamp(seconds: start)).stored())
            try statement.bind(3, 0)
            try statement.bind(4, 21)
            var rows = 0
            while try statement.step() { rows += 1 }
            #expect(rows == 21)
            steps.insert(statement.steps)
        }
        // The virtual machine does as much at the end of the list as at its top.
        #expect(steps.count == 1 && steps.first ?? .max < 21 * 40)
    }

    @Test("K7: the key is the last row's while there is more, and the head otherwise, even of nothing")
    func keys() throws {
        let (bench, records) = try filled(5)
        try bench.pass(records.map { Sample($0.key, "2", by: $0.order) })
        func tell(_ seq: Seq, _ limit: Int) throws -> ChangesEnd {
            try bench.reader().tellChanges(of: bench.feed, since: seq, limit: limit) { _ in true }
        }
        #expect(
            try tell(10, 3)
                == ChangesEnd(reached: 10, hasMore: false, shown: 0, pending: 0, digest: bench.head()?.digest)
        )
        #expect(try tell(5, 3) == ChangesEnd(reached: 8, hasMore: true, shown: 3, pending: 2))
        #expect(try tell(8, 3).reached == 10)
        #expect(try tell(5, 5).hasMore == false)
    }

    @Test("K9: an answer ends between two transactions where it can") func transactions() throws {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        try bench.pass([Sample("a"), Sample("b"), Sample("c"), Sample("d"), Sample("e")])
        func reached(_ seq: Seq, _ limit: Int) throws -> Seq {
            try bench.reader().tellChanges(of: bench.feed, since: seq, limit: limit) { _ in true }.reached
        }
        #expect(try reached(0, 2) == 2)
        #expect(try reached(0, 4) == 2)
        #expect(try reached(0, 5) == 5)
        // One that is longer than the limit is split.
        #expect(try reached(2, 2) == 4)
        #expect(try reached(4, 2) == 5)
    }

    @Test("an answer that has no room ends before the change that did not fit") func noRoom() throws {
        let (bench, _) = try filled(5)
        let end = try bench.reader().tellChanges(of: bench.feed, since: 0, limit: 10) { $0.row.seq < 4 }
        #expect(end == ChangesEnd(reached: 3, hasMore: true, shown: 3, pending: 2))
    }

    @Test(
        "K8, T4: evictions are left out for those who do not want them; to readers of changes alone what came and went"
    )
    func filters() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", order: 1), Sample("b", order: 2)], keep: 2)
        try bench.pass([Sample("c", order: 3), Sample("b", order: 2), Sample("a", order: 1)], keep: 2)
        try bench.pass([Sample("b", order: 2), Sample("a", order: 1)], keep: 1)
        func tell(since: Seq, evictions: Bool = true, readsLists: Bool = true) throws -> [String] {
            var told: [String] = []
            _ = try bench.reader().tellChanges(
                of: bench.feed, since: since, limit: 10, view: ItemView(evictions: evictions),
                readsLists: readsLists
            ) { change in
                told.append("\(change.row.key.text)-\(change.row.deleted?.name ?? "live")")
                return true
            }
            return told
        }
        #expect(try tell(since: 2) == ["a-retention", "c-missing"])
        #expect(try tell(since: 2, evictions: false) == ["c-missing"])
        #expect(try tell(since: 2, readsLists: false) == ["a-retention"])
        #expect(try tell(since: 0, readsLists: false) == ["b-live"])
    }

    @Test("K15: the digest is what a client works out itself, in any view but the plain one it is left out")
    func digest()
        throws
    {
        let (bench, records) = try filled(9)
        try bench.pass(Array(records.dropLast(2)).map { Sample($0.key, "3", by: $0.order) }, acceptDrop: true)
        var own = ChangeDigest()
        try bench.reader().items(of: bench.feed, after: nil) { row in
            own.add(row.key, rev: row.rev)
            return true
        }
        #expect(try bench.head()?.digest == own)
        // FNV-1a of "k1", 0 and "1".
        var one = ChangeDigest()
        one.add(RecordKey("k1"), rev: 1)
        #expect(one.sum == FNV.hash64([0x6B, 0x31, 0, 0x31]))
        let end = try bench.reader().tellChanges(
            of: bench.feed, since: 0, limit: 100, view: ItemView(fields: ["a"])
        ) { _ in true }
        #expect(end.digest == nil)
    }

    @Test("K2, P1: keys and cursors of another view, feed or order are told from damaged ones")
    func bindings() throws {
        let shop = Bench.feed("shop")
        let views = [
            ItemView.plain, ItemView(fields: ["a", "b"]), ItemView(evictions: false),
            ItemView(include: ["derived"]),
        ]
        #expect(Set(views.map(\.hash)).count == 4 && ItemView.plain.hash == 0)
        let key = SyncKey(epoch: Epoch(7), seq: 9)
        let cursor = ItemCursor(order: .sort, place: .order(sort: [0], createdSeq: 4), issued: 9)
        for view in views {
            let text = key.text(feed: shop, view: view.hash)
            #expect(text.utf8.count <= 200)
            #expect(try SyncKey(text: text, feed: shop, view: view.hash) == key)
            let place = cursor.text(feed: shop, view: view)
            for other in views where other != view {
                #expect(throws: SyncKey.Failure.foreign) {
                    try SyncKey(text: text, feed: shop, view: other.hash)
                }
                #expect(throws: ItemCursor.Failure.foreign) {
                    try ItemCursor(text: place, feed: shop, view: other)
                }
            }
            #expect(throws: ItemCursor.Failure.foreign) {
                try ItemCursor(text: place, feed: Bench.feed("other"), view: view)
            }
            #expect(throws: ItemCursor.Failure.foreign) {
                try ItemCursor(text: place, feed: shop, view: view, order: .key)
            }
            #expect(throws: ItemCursor.Failure.foreign) {
                try ItemCursor(text: place, feed: shop, view: view, spec: 1)
            }
        }
        var damaged = Array(cursor.text(feed: shop).utf8)
        damaged[10] ^= 1
        #expect(throws: ItemCursor.Failure.malformed) {
            try ItemCursor(text: String(decoding: damaged, as: UTF8.self), feed: shop)
        }
    }

    @Test("K4: a key is valid between floor and head of its epoch") func validity() {
        let head = FeedHead(
            epoch: Epoch(1), seq: 9, floor: 4, items: 0, gone: 0, bytes: 0, listedAt: nil, checkedAt: nil,
            digest: ChangeDigest(), txn: 0)
        let verdicts = [(1, 4), (1, 9), (1, 3), (1, 10), (2, 5)].map {
            head.resync(SyncKey(epoch: Epoch(UInt64($0.0)), seq: Seq($0.1)))
        }
        #expect(verdicts == [nil, nil, .horizon, .future, .epoch])
    }

    @Test("2.2: two commits in the same microsecond lose nothing and repeat nothing") func sameMicrosecond()
        throws
    {
        let bench = try Bench()
        try bench.page([Sample("a")], pass: 1, .last(.partial))
        let key = try #require(try bench.head()?.key)
        try bench.page([Sample("b")], pass: 2, .last(.partial))
        #expect(try bench.log(since: key.seq) == ["2 b=1"])
    }

    @Test(
        "4.8: order values are compared as what they are, ascending or descending, those without one last",
        arguments: [false, true])
    func orders(_ isAscending: Bool) throws {
        let bench = try Bench()
        let values: [(String, OrderValue)] = [
            ("n9", .number(DecimalNumber(9))), ("n10", .number(DecimalNumber(10))), ("none", .null),
            ("n-1", .number(DecimalNumber(-1))),
            ("n1.5", DecimalNumber("1.5".utf8).map { .number($0) } ?? .null),
        ]
        try bench.page(values.map { Sample($0.0, "{}", by: $0.1) }, pass: 1, .last(.complete)) {
            $0.isAscending = isAscending
        }
        let descending = ["n10", "n9", "n1.5", "n-1"]
        #expect(try bench.order() == (isAscending ? descending.reversed() : descending) + ["none"])
    }

    @Test("K3: another shape of the records begins a new epoch, drops the validators and orders anew")
    func reshaped() throws {
        let bench = try Bench()
        _ = try bench.writer.load([bench.feed], shapes: [bench.feed: 1])
        bench.progress.validators = Validators(etag: "\"1\"")
        let records = (1...3).map { Sample("k\($0)", by: .number(DecimalNumber($0))) }
        try bench.page(records, pass: 1, .last(.complete))
        let epoch = try bench.head()?.epoch
        let same = try bench.writer.load([bench.feed], shapes: [bench.feed: 1])[bench.feed]
        #expect(same?.1.epoch == epoch && same?.0.validators.isEmpty == false)
        let other = try bench.writer.load([bench.feed], shapes: [bench.feed: 2])[bench.feed]
        #expect(other?.1.epoch != epoch && other?.0.validators.isEmpty == true)
        let outcome = try bench.page(records, pass: 2, .last(.complete)) { $0.isAscending = true }
        #expect(outcome.counts.isEmpty)
        #expect(try bench.order() == ["k1", "k2", "k3"])
    }

    @Test("K3: a feed that is removed and put back has a new epoch, and none of its rows") func removed()
        throws
    {
        let bench = try Bench()
        try bench.pass((1...2_500).map { Sample("k\($0)") }, keep: 5_000)
        let epoch = try bench.head()?.epoch
        try bench.writer.remove(bench.feed)
        #expect(try bench.head() == nil)
        try bench.pass([Sample("k1", "new")])
        #expect(try bench.head()?.epoch != epoch)
        #expect(try bench.log() == ["1 k1=1"])
        var turns = 0
        while try bench.writer.sweepRemoved() { turns += 1 }
        #expect(turns == 2)
        #expect(try bench.writer.connection.number("SELECT count(*) FROM items") == 1)
        #expect(try bench.writer.connection.number("SELECT count(*) FROM feeds") == 1)
    }
}
