import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Stamps, and what is gone") struct StampTests {
    private struct Seen: Equatable {
        var listed: Timestamp?
        var checked: Timestamp?
        var state = ""
        var body = ""
    }

    private func item(_ bench: Bench, _ key: String) throws -> Seen? {
        let reader = try bench.reader()
        guard let head = try reader.head(of: bench.feed) else { return nil }
        var seen: Seen?
        try reader.item(of: bench.feed, key: RecordKey(key)) { row in
            seen = Seen(
                listed: row.listedAt(in: head), checked: row.checkedAt(in: head),
                state: (row.deleted?.name ?? "live") + (row.isGone ? " gone" : ""),
                body: unsafe String(decoding: row.body, as: UTF8.self))
        }
        return seen
    }

    @Test("F3: a whole listing stamps what it holds and no row is written; what it lacks keeps the old stamp")
    func listing() throws {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")], absent: .keep)
        let first = bench.now
        try bench.pass([Sample("a")], absent: .keep)
        let second = bench.now
        let written = bench.writer.totalChanges
        try bench.pass([Sample("a")], absent: .keep)
        #expect(bench.writer.totalChanges - written == 1)
        #expect(second < bench.now)
        #expect(
            try item(bench, "a") == Seen(listed: bench.now, checked: bench.now, state: "live", body: "{}"))
        #expect(try item(bench, "b") == Seen(listed: first, checked: first, state: "live", body: "{}"))
        try bench.pass([Sample("a"), Sample("b")], absent: .keep)
        #expect(try item(bench, "b")?.listed == bench.now)
    }

    @Test("F3: an answer that nothing is new confirms what is listed, a failure and a part of a list do not")
    func confirmation() throws {
        let bench = try Bench()
        try bench.pass([Sample("a")])
        try bench.note(isSuccess: true)
        let confirmed = bench.now
        #expect(try item(bench, "a")?.checked == confirmed)
        try bench.note(isSuccess: false)
        try bench.pass([Sample("a")], complete: false)
        #expect(try item(bench, "a")?.checked == confirmed)
        // A delta confirms what it does not name.
        bench.now = bench.now + .seconds(60)
        try bench.page([], pass: 5, .last(.partial)) { $0.isDelta = true }
        #expect(try item(bench, "a").map { [$0.listed, $0.checked] } == [confirmed, bench.now])
    }

    @Test("C6: stamps are no changes") func noChanges() throws {
        let bench = try Bench()
        let seq = try bench.pass([Sample("a")]).store.seq
        #expect(try bench.note(isSuccess: true).store.seq == seq)
    }

    @Test("1.4, R15: a request by id moves the stamps of the ids that it settles, and no list's")
    func byID() throws {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        let listed = bench.now
        bench.now = bench.now + .seconds(60)
        let outcome = try bench.page([Sample("a"), Sample("c", "3")], pass: 0, .byID(gone: []))
        #expect(outcome.counts.added == 1 && outcome.counts.unchanged == 1)
        #expect(try item(bench, "a") == Seen(listed: listed, checked: bench.now, state: "live", body: "{}"))
        #expect(try item(bench, "b")?.checked == listed)
        #expect(try item(bench, "c") == Seen(listed: nil, checked: bench.now, state: "live", body: "3"))
        // The next whole list lacks it.
        #expect(try bench.pass([Sample("a"), Sample("b")]).counts.removed == 1)
    }

    @Test("R19: for one item the request that began later wins, whichever is answered first") func laterWins()
        throws
    {
        let bench = try Bench()
        try bench.pass([Sample("a", "1"), Sample("b", "1")])
        let began = bench.now
        bench.now = began + .seconds(100)
        try bench.page([Sample("a", "new")], pass: 0, .byID(gone: []))
        bench.now = began + .seconds(50)
        #expect(try bench.page([Sample("a", "old")], pass: 0, .byID(gone: [])).counts.isEmpty)
        let list = try bench.page([Sample("a", "older"), Sample("b", "2")], pass: 9, .last(.complete))
        #expect(list.counts.changed == 1)
        #expect(try item(bench, "a")?.body == "new")
        // A clock that went back an hour does not freeze the item.
        bench.now = began + .seconds(-3_600)
        #expect(
            try bench.page([Sample("a", "then"), Sample("b", "2")], pass: 10, .last(.complete)).counts.changed
                == 1)
    }

    @Test("an item that a request confirms while a list without it is read is not missed")
    func confirmedMeanwhile()
        throws
    {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        bench.now = bench.now + .seconds(60)
        let start = bench.now
        try bench.page([Sample("a")], pass: 4, .page)
        bench.now = start + .seconds(5)
        try bench.page([Sample("b"), Sample("c")], pass: 0, .byID(gone: []))
        bench.now = start
        #expect(try bench.page([], pass: 4, .last(.complete)).counts.removed == 0)
        #expect(try bench.pass([Sample("a")]).counts.removed == 2)
    }

    @Test("1.7, T5: what is gone keeps its last copy for a day, then leaves a tombstone") func gone() throws {
        let bench = try Bench()
        bench.retention.gone = .seconds(86_400)
        try bench.pass([Sample("a", "1", order: 3), Sample("b", "2", order: 2), Sample("c", "3", order: 1)])
        bench.now = bench.now + .seconds(60)
        let outcome = try bench.page([], pass: 0, .byID(gone: [RecordKey("b"), RecordKey("zz")]))
        #expect(outcome.counts.removed == 1)
        #expect(try item(bench, "b").map { [$0.state, $0.body] } == ["upstream gone", "2"])
        #expect(try bench.log(since: 3) == ["4 b-upstream"])
        #expect(try bench.head().map { [$0.items, $0.gone, $0.bytes] } == [2, 1, 3])
        func list(_ includesGone: Bool, _ order: ItemCursor.Order = .sort) throws -> [String] {
            var keys: [String] = []
            _ = try bench.reader().page(of: bench.feed, ListRequest(order: order, includesGone: includesGone))
            {
                keys.append($0.key.text)
                return true
            }
            return keys
        }
        #expect(try list(true) == ["a", "b", "c"])
        #expect(try list(true, .reverse) == ["c", "b", "a"])
        #expect(try list(true, .key) == ["a", "b", "c"])
        #expect(try list(false) == ["a", "c"])
        bench.now = bench.now + .seconds(86_401)
        try bench.note(isSuccess: false)
        #expect(try item(bench, "b").map { [$0.state, $0.body] } == ["upstream", ""])
        #expect(try bench.head().map { [$0.items, $0.gone, $0.bytes] } == [2, 0, 2])
        // The log has told of it already.
        #expect(try bench.head()?.seq == 4)
    }

    @Test("T9: what comes back lives again, with its revisions and its first sight") func revived() throws {
        let bench = try Bench()
        for gone in [Duration.zero, .seconds(86_400)] {
            bench.retention.gone = gone
            let seq = try bench.head()?.seq ?? 0
            try bench.pass([Sample("a", "1"), Sample("b")])
            try bench.pass([Sample("b")])
            try bench.pass([Sample("a", "2"), Sample("b")])
            var flags: [Bool] = []
            _ = try bench.reader().tellChanges(of: bench.feed, since: seq, limit: 10) { change in
                if change.row.key.text == "a" { flags = [change.isRevived, change.row.deleted == nil] }
                return true
            }
            #expect(flags == [true, true])
            #expect(try bench.head()?.items == 2)
        }
        var row: [Int64] = []
        try bench.reader().item(of: bench.feed, key: RecordKey("a")) { row = [$0.rev, $0.createdSeq] }
        #expect(row == [4, 1])
    }

    @Test("T5: what is gone counts among what is kept") func goneCounts() throws {
        let bench = try Bench()
        bench.retention.gone = .seconds(86_400)
        try bench.pass((1...4).map { Sample("k\($0)", order: Int64($0)) }, keep: 4)
        try bench.pass((1...3).map { Sample("k\($0)", order: Int64($0)) }, keep: 4)
        try bench.pass((1...3).map { Sample("k\($0)", order: Int64($0)) } + [Sample("k9", order: 9)], keep: 4)
        #expect(try bench.order() == ["k9", "k3", "k2"])
        #expect(try bench.head()?.gone == 1)
    }
}
