import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// Faults that users of neighbouring readers have reported, as far as no other suite has them.
@Suite("Reports of others") struct ReportTests {
    // airbytehq/airbyte-python-cdk#484, #1073, #1074.
    @Test("a page is as long as the upstream sent it, whatever a filter leaves of it")
    func lengthBeforeFilter() throws {
        for kind in [
            PagingPlan.Kind.page(to: .param("p"), start: 1, totalPages: nil),
            .offset(to: .param("o"), start: 0, total: nil),
        ] {
            var rig = try PassRig {
                $0.paging.kind = kind
                $0.paging.size = 2
            }
            rig.feed.records.filter = try JSONFilter(parsing: "@.ok == true")
            let pages = [
                #"[{"id":1,"ok":false},{"id":2,"ok":true}]"#, #"[{"id":3,"ok":false},{"id":4,"ok":false}]"#,
                #"[{"id":5,"ok":true}]"#, "[]",
            ]
            let run = rig.run { _, number in PassRig.answer(pages[number - 1]) }
            #expect(run.requests.count == 4)
            #expect(run.keys == ["2", "5"])
            #expect(run.isComplete)
            if case .offset = kind { #expect(run.query("o", 2) == "4") }
        }
    }

    // influxdata/telegraf#7555, prometheus-community/json_exporter#367, #261.
    @Test("numbers keep their text, in keys, in cursors and in records")
    func numbers() throws {
        var field = IncrementalPlan.Field(cursor: .json(try JSONPath(parsing: "at")))
        field.kind = .int
        field.to = .param("since")
        let rig = try PassRig { $0.incremental = IncrementalPlan(kind: .field(field)) }
        let row = #"{"id":2882429806056571124,"at":9007199254740993,"price":1.10,"far":1e400}"#
        let run = rig.run { _, _ in PassRig.answer("[\(row)]") }
        #expect(run.keys == ["2882429806056571124"])
        #expect(
            run.pages.first?.records.map { String(decoding: $0.body(of: $0.rows[0]), as: UTF8.self) } == row)
        let next = rig.run(checkpoint: run.checkpoint) { _, _ in PassRig.answer("[]") }
        #expect(next.query("since", 0) == "9007199254740993")
    }

    // dgtlmoon/changedetection.io#4273, influxdata/telegraf#3265.
    @Test("a byte order mark and half a pair of surrogates break no document")
    func oddCharacters() throws {
        let run = try PassRig().run { _, _ in
            PassRig.answer("\u{FEFF}[{\"id\":1,\"t\":\"a\\ud800b\"},{\"id\":2}]")
        }
        #expect(run.keys == ["1", "2"])
        #expect(run.isComplete)
        var sorted = try PassRig { $0.sort = SortPlan(by: .json(JSONPath([.name(Array("t".utf8))]))) }
        sorted.feed.records.fields = []
        let order = sorted.run { _, _ in PassRig.answer(#"[{"id":1,"t":"a\ud800b"}]"#) }
        #expect(order.pages.first?.records?.rows.first?.orderValue == .text(Array("a\u{FFFD}b".utf8)))
    }
}
