import RefreshCore
import Testing

@testable import RefreshStore

@Suite("What is a change") struct ChangeRuleTests {
    @Test(
        "C1: another spelling is stored and is no change",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, false), (#"{"a":1}"#, #"{ "a" : 1.0 }"#, false),
            (#"{"a":"é"}"#, #"{"a":"\u00e9"}"#, false), (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#, true),
            (#"{"a":1}"#, #"{"a":"1"}"#, true), (#"{"a":null}"#, #"{}"#, true), ("no json", "no json ", true),
        ])
    func spelling(before: String, after: String, isChange: Bool) throws {
        let bench = try Bench()
        try bench.pass([Sample("k", before)])
        let outcome = try bench.pass([Sample("k", after)])
        #expect(outcome.counts.changed == (isChange ? 1 : 0))
        #expect(outcome.store.seq == (isChange ? 2 : 1))
        #expect(outcome.store.bytes == after.utf8.count)
        var body = ""
        try bench.reader().item(of: bench.feed, key: RecordKey("k")) {
            body = unsafe String(decoding: $0.body, as: UTF8.self)
        }
        #expect(body == after)
        // The new text is what the next pass is compared with.
        #expect(try bench.pass([Sample("k", after)]).counts.isEmpty)
    }

    @Test("C1: ignored paths and unordered arrays make no change") func ignored() throws {
        let bench = try Bench()
        let views = try JSONPath(parsing: "$.views")
        let tags = try JSONPath(parsing: "$.tags")
        func pass(_ number: UInt64, _ body: String) throws -> Int {
            try bench.page([Sample("k", body)], pass: number, .last(.complete)) {
                $0.ignore = [views]
                $0.unordered = [tags]
            }.counts.changed
        }
        #expect(try pass(1, #"{"t":1,"views":1,"tags":["a","b"]}"#) == 0)
        #expect(try pass(2, #"{"t":1,"views":2,"tags":["b","a"]}"#) == 0)
        #expect(try pass(3, #"{"t":2,"views":2,"tags":["b","a"]}"#) == 1)
    }

    @Test("R25: a record that moves in the order has changed, whatever else is ignored") func moved() throws {
        let bench = try Bench()
        try bench.pass([Sample("k", #"{"n":1}"#, by: .number(DecimalNumber(1)))])
        #expect(
            try bench.pass([Sample("k", #"{"n":1.0}"#, by: .number(DecimalNumber(2)))]).counts.changed == 1)
    }

    @Test("C3: an older copy never overwrites a newer one; one of the same version does, and is counted")
    func versions() throws {
        let bench = try Bench()
        try bench.pass([Sample("k", "5", version: 5)])
        let late = try bench.pass([Sample("k", "4", version: 4)])
        #expect(late.counts.isEmpty && late.notes.late == 1)
        let same = try bench.pass([Sample("k", "5b", version: 5)])
        #expect(same.counts.changed == 1 && same.notes.sameVersion == 1)
        #expect(try bench.pass([Sample("k", "6", version: 6)]).counts.changed == 1)
        // Nor does an older copy undo a deletion, or an old deletion a newer copy.
        let lateDelete = try bench.pass([Sample("k", "{}", version: 3, isDeleted: true)], complete: false)
        #expect(lateDelete.counts.removed == 0 && lateDelete.notes.late == 2)
        #expect(
            try bench.pass([Sample("k", "{}", version: 7, isDeleted: true)], complete: false).counts.removed
                == 1)
        #expect(try bench.pass([Sample("k", "4", version: 4)], complete: false).counts.isEmpty)
    }

    @Test("C4: what changes in more than five passes in a row is named, and the data is stored") func flaps()
        throws
    {
        let bench = try Bench()
        func pass(_ number: Int, title: String = "t") throws -> CommitOutcome {
            try bench.pass([
                Sample("k", #"{"title":"\#(title)","meta":{"views":\#(number)}}"#), Sample("calm", "{}"),
            ])
        }
        for number in 0...5 { #expect(try pass(number).notes.flapping.isEmpty) }
        #expect(try pass(6).notes.flapping == ["$.meta.views"])
        #expect(try pass(7).counts.changed == 1)
        // A pass that changes something else, or nothing, ends it.
        #expect(try pass(8, title: "new").notes.flapping.isEmpty)
        for number in 9...13 { _ = try pass(number, title: "new") }
        #expect(try pass(14, title: "new").notes.flapping == ["$.meta.views"])
        #expect(try pass(14, title: "new").notes.flapping == ["$.meta.views"])
        #expect(try pass(14, title: "new").notes.flapping.isEmpty)
    }

    @Test("C5: what one page brought carries one number") func transactions() throws {
        let bench = try Bench()
        try bench.pass([Sample("a"), Sample("b")])
        try bench.pass([Sample("a"), Sample("b")])
        try bench.pass([Sample("a", "2"), Sample("b"), Sample("c")])
        var numbers: [String: Int64] = [:]
        try bench.reader().changes(of: bench.feed, since: 0) { row in
            numbers[row.key.text] = row.txn
            return true
        }
        #expect(numbers == ["a": 2, "b": 1, "c": 2])
        #expect(try bench.head()?.txn == 2)
    }

    @Test("4.9: the same id twice in one answer is one item, and counted once") func duplicates() throws {
        let bench = try Bench()
        #expect(try bench.pass([Sample("a", "1"), Sample("a", "2")]).notes.duplicates == 1)
        #expect(try bench.pass([Sample("a", "1"), Sample("a", "2")]).notes.duplicates == 2)
        #expect(try bench.log() == ["1 a=1"])
    }

    @Test("4.10: an edited title is the next revision and one row of the log") func edits() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", #"{"title":"old"}"#)])
        try bench.pass([Sample("a", #"{"title":"new"}"#)])
        #expect(try bench.log() == ["2 a=2"])
    }

    @Test(
        "4.11, I5: of refused records the number is kept and the first ten with their reasons, over a restart"
    )
    func rejections() throws {
        let bench = try Bench()
        let page = RecordPage(
            text: [], rows: [], rejected: 12,
            rejections: (0..<8).map { RecordPage.Rejection(index: $0, reason: "no key") })
        for part in [PassCommit.Part.page, .last(.partial)] {
            let commit = PassCommit(
                feed: bench.feed, at: bench.now, pass: 3, part: part, progress: FeedProgress(), page: page,
                retention: Retention(count: 5), deletes: DeletesPlan(absent: .keep))
            try bench.perform(commit)
        }
        try bench.restart()
        let notes = try bench.note(isSuccess: true).notes
        #expect(notes.rejected == 24 && notes.rejections.count == 10)
        // The next pass that reads something says what it refused itself.
        #expect(try bench.pass([Sample("a")]).notes.rejections.isEmpty)
    }

    @Test(
        "names the paths in which two texts differ",
        arguments: [
            (#"{"a":1,"b":{"c":[1],"d e":2}}"#, #"{"a":1,"b":{"c":[2],"d e":3}}"#, ["$.b.c", "$.b['d e']"]),
            (#"{"a":1}"#, #"{"b":1}"#, ["$.a", "$.b"]), ("[1]", "[2]", nil),
            (#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}"#, "{}", nil),
        ] as [(String, String, [String]?)])
    func paths(before: String, after: String, paths: [String]?) {
        #expect(ChangedPaths.between(Array(before.utf8), Array(after.utf8)) == paths)
    }
}
