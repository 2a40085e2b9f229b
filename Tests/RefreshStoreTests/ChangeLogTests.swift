import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Change log") struct ChangeLogTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Each pass as `key=body` words.
        let passes: [String]
        let log: [String]
        var testDescription: String { name }
    }

    @Test(
        "gives every change the next seq, and an item its own count of revisions",
        arguments: [
            Case(name: "new ones", passes: ["a=1 b=1"], log: ["1 a=1", "2 b=1"]),
            Case(name: "the same again", passes: ["a=1 b=1", "a=1 b=1"], log: ["1 a=1", "2 b=1"]),
            Case(name: "an edit", passes: ["a=1 b=1", "a=2 b=1"], log: ["2 b=1", "3 a=2"]),
            Case(name: "edits keep one row", passes: ["a=1", "a=2", "a=3", "a=1"], log: ["4 a=4"]),
            Case(name: "a deletion", passes: ["a=1 b=1", "b=1"], log: ["2 b=1", "3 a-missing"]),
            Case(name: "a revival", passes: ["a=1 b=1", "b=1", "a=1 b=1"], log: ["2 b=1", "4 a=2"]),
            Case(
                name: "a revival with an edit", passes: ["a=1 b=1", "b=2", "a=9 b=2"],
                log: ["3 b=2", "5 a=2"]),
            Case(name: "the last of two counts", passes: ["a=1 b=1 a=2"], log: ["1 b=1", "2 a=1"]),
            Case(
                name: "two of a key are no change each time", passes: ["a=1 a=2", "a=1 a=2", "a=1 a=2"],
                log: ["1 a=1"]),
        ])
    func numbersChanges(_ item: Case) throws {
        let bench = try Bench()
        for pass in item.passes {
            try bench.pass(
                pass.split(separator: " ").map {
                    Sample(String($0.prefix(while: { $0 != "=" })), String($0.drop(while: { $0 != "=" })))
                })
        }
        #expect(try bench.log() == item.log)
    }

    @Test("keeps keys apart that are canonically equal text") func comparesBytes() throws {
        let bench = try Bench()
        try bench.pass([Sample("e\u{301}"), Sample("\u{E9}")])
        #expect(try bench.head()?.items == 2)
    }

    @Test("holds one row of a thousand updates of one item") func oneRowAnItem() throws {
        let bench = try Bench()
        for number in 1...1_000 { try bench.pass([Sample("a", "\(number)")]) }
        #expect(try bench.log() == ["1000 a=1000"])
    }

    @Test("counts what a pass did") func counts() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1"), Sample("b", "1"), Sample("c", "1")])
        let counts = try bench.pass([Sample("a", "1"), Sample("b", "22"), Sample("d", "1")]).counts
        var expected = RefreshCounts()
        (expected.added, expected.changed, expected.removed, expected.unchanged) = (1, 1, 1, 1)
        #expect(counts == expected)
        #expect(try bench.head().map { [$0.items, $0.bytes] } == [3, 4])
    }

    @Test("writes one row, the feed's own, where nothing changed") func writesNothing() throws {
        let bench = try Bench()
        let records = (0..<200).map { Sample("k\($0)", "body \($0)") }
        try bench.pass(records)
        let written = bench.writer.totalChanges
        let outcome = try bench.pass(records)
        #expect(outcome.counts.isEmpty && outcome.counts.unchanged == 200)
        #expect(bench.writer.totalChanges - written == 1)
    }

    @Test("says when a pass last brought a change") func lastChange() throws {
        let bench = try Bench()
        let first = try bench.pass([Sample("a")])
        let changed = bench.now
        let second = try bench.pass([Sample("a")])
        #expect(first.progress.lastChange == changed)
        #expect(second.progress.lastChange == changed)
        #expect(second.store.seq == 1)
    }

    @Test("stores the body as it was received, NUL and all") func bodies() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "{\"n\":1.10,\"z\":\"\0é\"}"), Sample("empty", ""), Sample("", "1")])
        var bodies: [String: String] = [:]
        try bench.reader().items(of: bench.feed, after: nil) { row in
            bodies[row.key.text] = unsafe String(decoding: row.body, as: UTF8.self)
            return true
        }
        #expect(bodies == ["a": "{\"n\":1.10,\"z\":\"\0é\"}", "empty": "", "": "1"])
    }
}
