import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("Records by rules") struct RecordRulesTests {
    private func json(_ text: String) throws -> JSONPath { try JSONPath(parsing: text) }

    private func rules(_ path: String = "$", key: [String] = ["id"]) throws -> RecordRules {
        RecordRules(RecordsPlan(path: try json(path), key: try key.map { try json($0) }))
    }

    private func field(_ name: String, _ path: String) throws -> FieldPlan {
        FieldPlan(name: name, path: .json(try json(path)))
    }

    private func bodies(_ harvest: RecordHarvest) -> [String] {
        harvest.page.rows.map { String(decoding: harvest.page.body(of: $0), as: UTF8.self) }
    }

    private func keys(_ harvest: RecordHarvest) -> [String] { harvest.page.rows.map(\.key.text) }

    private func harvest(_ text: String, _ rules: RecordRules) throws -> RecordHarvest {
        try JSONRecords.harvest(of: PaddedBytes(text), rules: rules)
    }

    // MARK: - Finding

    @Test(
        "are what any path selects",
        arguments: [
            ("$..items[*]", #"{"a": {"items": [{"id": 1}]}, "items": [{"id": 2}]}"#, ["2", "1"]),
            ("$['a','b'][*]", #"{"a": [{"id": 1}], "b": [{"id": 2}]}"#, ["1", "2"]),
            ("items[?@.ok]", #"{"items": [{"id": 1, "ok": 0}, {"id": 2}]}"#, ["1"]),
            ("items[1:]", #"{"items": [{"id": 0}, {"id": 1}, {"id": 2}]}"#, ["1", "2"]),
            ("items[?@.id == $.only]", #"{"only": 2, "items": [{"id": 1}, {"id": 2}]}"#, ["2"]),
            ("items[?@.never]", #"{"items": [{"id": 1}]}"#, []),
        ])
    func find(path: String, text: String, expected: [String]) throws {
        #expect(keys(try harvest(text, rules(path))) == expected)
    }

    @Test("may be missing where the plan says so, and a null is no list")
    func mayBeMissing() throws {
        var rules = try rules("data.items")
        for text in ["{}", #"{"data": {}}"#, #"{"data": {"items": null}}"#, #"{"data": 7}"#] {
            #expect(throws: FormatFailure.recordsPathMissing(path: "$.data.items")) {
                try harvest(text, rules)
            }
        }
        rules.plan.isOptional = true
        for text in ["{}", #"{"data": {}}"#, #"{"data": {"items": null}}"#] {
            #expect(try harvest(text, rules).page.rows.isEmpty)
        }
    }

    @Test("come out of nested arrays, with what their surroundings give")
    func expand() throws {
        let text = #"""
            {"orders": [
              {"no": 7, "who": {"name": "é"}, "lines": [{"id": 1, "q": 2.50}, {"id": 2, "no": "own"}]},
              {"no": 8, "lines": []}, {"no": 9}, {"no": 10, "lines": [{"id": 3}, "x"]}
            ]}
            """#
        var rules = try rules("orders")
        rules.plan.expand = ExpandPlan(path: try json("lines"))
        let plain = try harvest(text, rules)
        #expect(keys(plain) == ["1", "2", "3"])
        #expect(plain.listed == 4)
        #expect(bodies(plain)[0] == #"{"id": 1, "q": 2.50}"#)
        rules.plan.expand = ExpandPlan(
            path: try json("lines"), with: [try field("no", "no"), try field("by", "who.name")])
        rules.plan.key = [.json(try json("no")), .json(try json("id"))]
        let rich = try harvest(text, rules)
        #expect(
            bodies(rich) == [
                #"{"id":1,"q":2.50,"no":7,"by":"é"}"#, #"{"id":2,"no":7,"by":"é"}"#, #"{"id":3,"no":10}"#,
            ])
        #expect(keys(rich) == [#"["7","1"]"#, #"["7","2"]"#, #"["10","3"]"#])
        #expect(rich.page.rejections.map(\.reason) == ["it is a string, so no member can be added to it"])
        #expect(rich.page.rejections.map(\.index) == [3])
        #expect(rich.page.rows[0].hash == ContentHash.of(Array(bodies(rich)[0].utf8)))
    }

    // MARK: - Shaping

    @Test("are filtered, counted apart, and never rejected for it")
    func filter() throws {
        var rules = try rules("items")
        rules.plan.filter = try JSONFilter(parsing: "@.test != true")
        rules.watched = [try json("at")]
        let result = try harvest(
            #"{"items": [{"id": 1, "at": 5}, {"id": 2, "test": true, "at": 6}, {"test": true}, {"id": 3, "at": null}]}"#,
            rules)
        #expect(keys(result) == ["1", "3"])
        #expect(result.filtered == 2 && result.listed == 4 && result.page.rejected == 0)
        #expect(result.watched.map { $0.map { $0?.text } } == [["5", "6", nil, "null"]])
    }

    @Test("become objects of the named fields; what is missing is left out")
    func fields() throws {
        var rules = try rules("items", key: ["no"])
        rules.plan.fields = [
            try field("no", "id"), try field("total", "amount.gross"), try field("tags[]", "tags[*].name"),
            try field("a\"b", "['x y']"),
        ]
        rules.plan.filter = try JSONFilter(parsing: "@.amount")
        rules.watched = [try json("total")]
        rules.deletedWhen = try JSONFilter(parsing: "@.state == 'off'")
        let result = try harvest(
            #"""
            {"items": [
              {"id": 1, "amount": {"gross": 1.10}, "tags": [{"name": "a"}, {}, {"name": [1]}], "x y": { "z" : 1 }},
              {"id": 2}, {"id": 3, "amount": {}, "state": "off"}]}
            """#, rules)
        #expect(
            bodies(result) == [
                #"{"no":1,"total":1.10,"tags":["a",[1]],"a\"b":{ "z" : 1 }}"#, #"{"no":3,"tags":[]}"#,
            ])
        #expect(keys(result) == ["1", "3"])
        #expect(result.page.rows.map(\.isDeleted) == [false, true])
        #expect(result.filtered == 1)
        #expect(result.watched.map { $0.map { $0?.text } } == [["1.10", nil, nil]])
    }

    @Test("lose what is dropped in the stored text alone")
    func drop() throws {
        var rules = try rules("$", key: ["secret.id"])
        rules.plan.drop = [
            try json("secret"), try json("list[*].b"), try json("list[?@ == 0]"), try json("absent"),
        ]
        let result = try harvest(
            #"[{"secret": {"id": 1}, "a" : [1,  2], "list": [{"b": 1, "c": 2}, 0, {"b": 2}]}, {"secret": {"id": 2}}, {"secret": {"id": 3}, "k": 1}]"#,
            rules)
        #expect(keys(result) == ["1", "2", "3"])
        #expect(bodies(result) == [#"{"a":[1,  2],"list":[{"c":2},{}]}"#, "{}", #"{"k":1}"#])
        #expect(result.page.rows.map(\.hash) == bodies(result).map { ContentHash.of(Array($0.utf8)) })
    }

    @Test("measure their stored text, not what was dropped")
    func measure() throws {
        var rules = try rules()
        rules.plan.drop = [try json("blob")]
        rules.limits.item = ByteCount(12)
        let blob = String(repeating: "x", count: 1_000)
        let result = try harvest(#"[{"id": 1, "blob": "\#(blob)"}, {"id": 2, "long": 3456}]"#, rules)
        #expect(keys(result) == ["1"])
        #expect(bodies(result) == [#"{"id":1}"#])
        #expect(result.page.rejections.map(\.reason) == ["it has 23 bytes; 12 are allowed"])
    }

    @Test("get constant members, which a sub-pass brings")
    func constants() throws {
        var rules = try rules("$", key: ["parent.id", "id"])
        rules.constants = [.init(name: "parent", json: Array(#"{"id":"s1","region":"eu"}"#.utf8))]
        let result = try harvest(#"[{"id": 1, "parent": 0}, 7, {"id": 2}]"#, rules)
        #expect(keys(result) == [#"["s1","1"]"#, #"["s1","2"]"#])
        #expect(bodies(result)[0] == #"{"id":1,"parent":{"id":"s1","region":"eu"}}"#)
        #expect(result.page.rejections.map(\.reason) == ["it is a number, so no member can be added to it"])
    }

    @Test("never grow beyond a bound by what is copied into them")
    func boundGrowth() throws {
        var rules = try rules("$")
        rules.limits.text = .mebibytes(1)
        rules.plan.expand = ExpandPlan(path: try json("n"), with: [try field("big", "big")])
        let rows = (0..<1_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let big = String(repeating: "b", count: 10_000)
        let failure = #expect(throws: FormatFailure.self) {
            try harvest(#"[{"big": "\#(big)", "n": [\#(rows)]}]"#, rules)
        }
        #expect(failure?.code == "too-large")
    }

    // MARK: - Order, version, deletions

    @Test("have order values of the kind asked for; what is unreadable is none")
    func order() throws {
        var rules = try rules()
        rules.sort = SortPlan(by: .json(try json("at")), kind: .time)
        let result = try harvest(
            #"[{"id":1,"at":"Tue, 05 Mar 2024 10:00:00 GMT"},{"id":2,"at":1709632800000},{"id":3,"at":"never"},{"id":4}]"#,
            rules)
        let time = OrderValue.time(Timestamp(seconds: 1_709_632_800))
        #expect(result.page.rows.map(\.orderValue) == [time, time, .null, .null])
        #expect(
            result.page.rows.map(\.order) == [
                Timestamp(seconds: 1_709_632_800), Timestamp(seconds: 1_709_632_800), nil, nil,
            ])
        rules.sort = SortPlan(by: .json(try json("at")), kind: .text)
        let texts = try harvest(#"[{"id":1,"at":"a\ud800"},{"id":2,"at":1.10}]"#, rules)
        #expect(
            texts.page.rows.map(\.orderValue) == [.text(Array("a\u{FFFD}".utf8)), .text(Array("1.10".utf8))])
    }

    @Test("of one key count by version, else the last (U5)")
    func version() throws {
        var rules = try rules()
        rules.plan.version = .json(try json("v"))
        let result = try harvest(
            #"[{"id":1,"v":2,"n":1},{"id":1,"v":1,"n":2},{"id":2,"v":"9","n":3},{"id":2,"v":"10","n":4},{"id":3,"v":5,"n":5},{"id":3,"n":6}]"#,
            rules)
        #expect(
            bodies(result) == [#"{"id":1,"v":2,"n":1}"#, #"{"id":2,"v":"10","n":4}"#, #"{"id":3,"n":6}"#])
        #expect(
            result.page.rows.map(\.version) == [
                VersionValue(DecimalNumber(2)), VersionValue(DecimalNumber(10)), nil,
            ])
    }

    @Test("say that they are deleted, or are listed as such (U10)")
    func deletions() throws {
        var rules = try rules("items")
        rules.deletedWhen = try JSONFilter(parsing: "@.status == 'cancelled'")
        rules.deletedList = try json("removed")
        let result = try harvest(
            #"{"items": [{"id": 1}, {"id": 2, "status": "cancelled"}], "removed": ["a", 7, {"id": "b"}, null, 1.5]}"#,
            rules)
        #expect(result.page.rows.map(\.isDeleted) == [false, true])
        #expect(result.deleted.map(\.text) == ["a", "7", "b"])
        #expect(result.unreadableDeletions == 2)
        rules.deletedList = try json("removed[*].key")
        #expect(
            try harvest(#"{"items": [], "removed": [{"key": 1}, {"key": 2}]}"#, rules).deleted.map(\.text)
                == ["1", "2"])
        #expect(try harvest(#"{"items": []}"#, rules).deleted.isEmpty)
    }

    // MARK: - Lines

    @Test("come from JSON lines, and a bad line costs no other one")
    func lines() throws {
        var rules = try rules()
        rules.plan.format = .jsonl
        let text =
            "\u{FEFF}{\"id\": 1, \"s\": \"a\\nb\"}\r\n\n  \n{\"id\": 2}\n{\"id\": \n[{\"id\": 3}, {\"id\": 4}]\n{\"id\": 5}"
        let result = try harvest(text, rules)
        #expect(keys(result) == ["1", "2", "3", "4", "5"])
        #expect(bodies(result)[0] == #"{"id": 1, "s": "a\nb"}"#)
        #expect(
            result.page.rejections.map(\.reason) == [
                "line 5 is no JSON: the text ends too early, at its byte 7"
            ])
        #expect(result.listed == 5)
        rules.plan.path = .json(try json("r"))
        rules.plan.drop = [try json("x")]
        let nested = try harvest(
            "{\"r\": {\"id\": 1, \"x\": 2}}\n{}\n{\"r\": [{\"id\": 2}]}\n{\"r\": {\"id\": 3}}", rules)
        #expect(keys(nested) == ["1", "2", "3"])
        #expect(bodies(nested) == [#"{"id":1}"#, #"{"id": 2}"#, #"{"id": 3}"#])
        #expect(nested.page.rejections.map(\.reason) == ["line 2 has nothing at $.r"])
        rules = try self.rules()
        rules.plan.format = .jsonl
        #expect(try harvest("", rules).page.rows.isEmpty)
        #expect(try harvest("\n\n", rules).page.rows.isEmpty)
        #expect(throws: FormatFailure.self) { try harvest("x\ny\n{\"id\": 1}", rules) }
        rules.limits.rows = 2
        #expect(throws: FormatFailure.tooManyRecords(limit: 2)) {
            try harvest("{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}", rules)
        }
    }

    @Test("come from lines that are not UTF-8, too deep or without end as far as they can")
    func hostileLines() throws {
        var rules = try rules()
        rules.plan.format = .jsonl
        rules.limits.depth = 4
        let bytes =
            Array(#"{"id": 1}"#.utf8) + [0x0A, 0x22, 0xFF, 0x22, 0x0A] + Array("[[[[[]]]]]\n".utf8)
            + Array("\"never\n".utf8) + Array("{\"id\": 2}\n{\"id\": 3}\n{\"id\": 4}\n".utf8)
        let result = try JSONRecords.harvest(of: PaddedBytes(bytes), rules: rules)
        #expect(keys(result) == ["1", "2", "3", "4"])
        #expect(result.page.rejected == 3)
        #expect(
            result.page.rejections.map(\.reason) == [
                "line 2 is no JSON: the bytes are not UTF-8, at its byte 1",
                "line 3: JSON nested deeper than 4 brackets, at byte 18",
                "line 4 is no JSON: a string has no end, at its byte 0",
            ])
    }

    @Test("are believed as far as the plan says (I5)", arguments: [(0.5, true), (0.2, false), (1.0, true)])
    func rejectGuard(share: Double, isBelieved: Bool) throws {
        var rules = try rules()
        rules.limits.rejectGuard = share
        let text = #"[{"id": 1}, {}, {"id": 3}]"#
        if isBelieved {
            #expect(try harvest(text, rules).page.rejected == 1)
        } else {
            #expect(
                throws: FormatFailure.recordsRejected(rejected: 1, of: 3, first: "its key $.id is missing")
            ) {
                try harvest(text, rules)
            }
        }
    }

    @Test("of another format are refined by the same rules")
    func refine() throws {
        let text = Array(
            #"x{"id":"1","at":"2024","v":"3","s":"q"}{"id":"2","s":"r"} {"id":"3","off":"1"}"#.utf8)
        let ranges = [1..<39, 39..<57, 58..<78]
        let page = RecordPage(
            text: text,
            rows: ranges.enumerated().map { index, range in
                RecordPage.Row(key: RecordKey("k\(index)"), body: range, hash: ContentHash.of(text[range]))
            }, newestFirst: true, rejected: 1)
        var rules = RecordRules(RecordsPlan())
        let plain = try JSONRecords.refined(page, by: rules)
        #expect(plain.page.rows == page.rows && plain.listed == 4)
        rules.sort = SortPlan(by: .column("at"), kind: .time)
        rules.plan.version = .column("v")
        rules.plan.filter = try JSONFilter(parsing: "@.s != 'r'")
        rules.deletedWhen = try JSONFilter(parsing: "@.off")
        rules.watched = [try json("id")]
        let kept = try JSONRecords.refined(page, by: rules)
        #expect(keys(kept) == ["k0", "k2"])
        #expect(kept.page.text == text && kept.page.newestFirst && kept.page.rejected == 1)
        #expect(kept.page.rows.map(\.order) == [Timestamp(seconds: 1_704_067_200), nil])
        #expect(kept.page.rows.map(\.version) == [VersionValue(DecimalNumber(3)), nil])
        #expect(kept.page.rows.map(\.isDeleted) == [false, true])
        #expect(kept.filtered == 1 && kept.watched.map { $0.map { $0?.text } } == [["1", "2", "3"]])
        rules.plan.drop = [try json("s")]
        let cut = try JSONRecords.refined(page, by: rules)
        #expect(bodies(cut) == [#"{"id":"1","at":"2024","v":"3"}"#, #"{"id":"3","off":"1"}"#])
        #expect(cut.page.rows.map(\.hash) == bodies(cut).map { ContentHash.of(Array($0.utf8)) })
    }

    @Test("follow from a feed's blocks")
    func fromFeed() throws {
        var details = FeedDetails()
        details.sort = SortPlan(by: .json(try json("at")), kind: .time)
        details.incremental = IncrementalPlan(kind: .field(.init(cursor: .json(try json("at")))))
        details.paging.kind = .keyset(from: .json(try json("id")), to: nil)
        details.limits.rows = 7
        details.limits.keyBytes = ByteCount(9)
        details.limits.itemBytes = ByteCount(99)
        details.limits.depth = 5
        var plan = RecordsPlan(path: .root, key: [try json("id")])
        plan.rejectGuard = 0.1
        var feed = Feed(
            id: try #require(FeedID("f")), adapter: .json, schedule: Schedule(every: .seconds(60)),
            request: RequestPlan(url: try WebURL(parsing: "https://example.org/")), records: plan,
            retention: Retention(count: 1), absent: .gone, details: Shared(details))
        feed.deletes.when = try JSONFilter(parsing: "@.gone")
        feed.deletes.list = .json(try json("removed"))
        let rules = RecordRules(feed)
        #expect(rules.watched.map(\.text) == ["$.at", "$.id"])
        #expect(rules.deletedWhen?.text == "@.gone" && rules.deletedList?.text == "$.removed")
        #expect(rules.limits.rows == 7 && rules.limits.key == 9 && rules.limits.item == ByteCount(99))
        #expect(rules.limits.depth == 5 && rules.limits.rejectGuard == 0.1)
    }
}
