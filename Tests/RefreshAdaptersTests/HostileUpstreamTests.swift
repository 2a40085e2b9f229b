import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// What an upstream may try with its texts, its numbers and its pages, each with the bound that stops it.
@Suite("Hostile upstreams") struct HostileUpstreamTests {
    private static let tricks = [
        "a\\r\\nX-Evil: 1", "a\\nb", "\\u0000", "\\u007f", "a b#c?d&e=f", "%0d%0a", "../..", "é",
    ]

    private static func next() -> ReadPlace { .body(.json(JSONPath([.name(Array("next".utf8))]))) }

    /// No byte of it ends a line or a field, whatever a program on the way makes of it.
    private func isPlain(_ request: TransferRequest) -> Bool {
        request.url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && request.headers.fields.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    }

    // T-U8.
    @Test("send cursors that are encoded for their place or refused, and never end a line", arguments: tricks)
    func cursors(trick: String) throws {
        let places: [SendPlace] = [
            .param("c"), .header("X-Cursor"), .body(JSONPath([.name(Array("c".utf8))])),
        ]
        for place in places {
            let rig = try PassRig(path: "items") {
                $0.paging.kind = .cursor(next: Self.next(), to: place, alone: [])
            }
            let run = rig.run { _, number in
                PassRig.answer(
                    "{\"items\":[{\"id\":\(number)}],\"next\":\(number == 1 ? "\"\(trick)\"" : "null")}")
            }
            let allPlain = run.requests.allSatisfy(isPlain)
            #expect(allPlain)
            #expect(run.keys.first == "1")
            if run.requests.count == 1 {
                #expect(run.failure?.code == "request-refused", "\(place)")
            } else {
                #expect(run.keys == ["1", "2"])
            }
            if case .body = place {
                let body = run.requests.last?.body ?? []
                #expect(!body.contains { $0 < 0x20 }, "a control character stands in JSON as it is")
            }
        }
    }

    // T-U8.
    @Test("send links whose control characters are encoded or refused", arguments: tricks)
    func links(trick: String) throws {
        let rig = try PassRig(path: "items") { $0.paging.kind = .link(next: Self.next()) }
        let run = rig.run { _, number in
            PassRig.answer("{\"items\":[],\"next\":\(number == 1 ? "\"/list?c=\(trick)\"" : "null")}")
        }
        #expect(run.requests.count <= 2)
        let allPlain = run.requests.allSatisfy(isPlain)
        #expect(allPlain)
        #expect(run.requests.allSatisfy { $0.url.origin == PassRig.place.origin })
    }

    // T-U11.
    @Test("send documents that are too deep, and are refused at the bound")
    func depth() throws {
        for brackets in [257, 100_000] {
            let text = String(repeating: "[", count: brackets) + String(repeating: "]", count: brackets)
            let run = try PassRig().run { _, _ in PassRig.answer(text) }
            #expect(run.failure?.class == .data)
            #expect(run.failure?.detail.contains("256") == true, "\(run.failure?.detail ?? "")")
        }
    }

    // T-U11.
    @Test("send a million keys, odd numbers and halves of characters; what is sound stays")
    func oddValues() throws {
        let many = (0..<1_000_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let rows = [
            #"{"id":1,"n":1e999}"#, #"{"id":2,"n":-0.10000000000000000000000000001}"#, #"{"id":"\ud800"}"#,
            #"{"id":3,"id":4}"#, #"{"id":5,"t":"\ud800"}"#, #"{"id":6}"#, "{\"id\":7,\(many)}",
        ]
        let run = try PassRig().run { _, _ in PassRig.answer("[\(rows.joined(separator: ","))]") }
        #expect(run.keys == ["1", "2", "5", "6"])
        let page = try #require(run.pages.first?.records)
        #expect(page.rejected == 3)
        #expect(String(decoding: page.body(of: page.rows[0]), as: UTF8.self) == rows[0])
        #expect(String(decoding: page.body(of: page.rows[1]), as: UTF8.self) == rows[1])
        for text in ["[NaN]", "[Infinity]", "[01]", "[\"a\u{1}\"]"] {
            #expect(try PassRig().run { _, _ in PassRig.answer(text) }.failure?.class == .data)
        }
    }

    // T-U12.
    @Test("send more records than a pass may have, in one page or in many")
    func flood() throws {
        func rows(_ ids: some Sequence<Int>) -> String {
            "[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
        }
        let one = try PassRig { $0.limits.rows = 100 }
        let flooded = one.run { _, _ in PassRig.answer(rows(0..<101)) }
        #expect(flooded.failure?.class == .data)
        #expect(flooded.pages.isEmpty)
        let paged = try PassRig {
            $0.limits.rows = 100
            $0.paging.kind = .page(to: .param("p"), start: 0, totalPages: nil)
        }
        let run = paged.run { _, number in PassRig.answer(rows(number * 10..<number * 10 + 10)) }
        #expect(run.requests.count == 11)
        #expect(run.failure?.code == "pass-too-many-rows")
        #expect(run.keys.count == 100)
    }

    // T-U12.
    @Test("send keys of a megabyte, and keys that only look the same")
    func keys() throws {
        let long = String(repeating: "k", count: 1_000_000)
        // The same letter composed and decomposed, an invisible joiner, another script's letter, and another case.
        let alike = ["caf\u{E9}", "cafe\u{301}", "cafe\u{200D}", "\u{441}afe", "Cafe", "cafe"]
        let rows = ([long] + alike).map { "{\"id\":\"\($0)\"}" }
        let run = try PassRig().run { _, _ in PassRig.answer("[\(rows.joined(separator: ","))]") }
        let page = try #require(run.pages.first?.records)
        #expect(page.rows.map { Array($0.key.bytes) } == alike.map { Array($0.utf8) })
        #expect(page.rejected == 1)
        #expect(page.rejections.first?.reason.contains("1024") == true, "\(page.rejections)")
    }

    // T-U13.
    @Test("go on for ever, and are left after a thousand pages; numbers and tokens alike")
    func endless() throws {
        let kinds: [PagingPlan.Kind] = [
            .page(to: .param("p"), start: 1, totalPages: nil), .offset(to: .param("o"), start: 0, total: nil),
            .cursor(next: Self.next(), to: .param("c"), alone: []), .link(next: Self.next()),
            .keyset(from: .json(JSONPath([.name(Array("id".utf8))])), to: .param("after")),
        ]
        for kind in kinds {
            let rig = try PassRig(path: "items") { $0.paging.kind = kind }
            let run = rig.run { _, number in
                let next = if case .link = kind { "/list?n=\(number)" } else { "\(number)" }
                return PassRig.answer("{\"items\":[{\"id\":\(number)}],\"next\":\"\(next)\"}")
            }
            #expect(run.requests.count == 1_000)
            #expect(run.stop == .maxPages && !run.isComplete)
            #expect(run.warnings.contains("max_pages"))
        }
    }

    // T-U13; airbytehq/airbyte-python-cdk#1148.
    @Test("lead in circles of any length, and are left where one closes", arguments: [1, 2, 3, 50, 400])
    func circles(length: Int) throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(next: Self.next(), to: .param("c"), alone: [])
        }
        let run = rig.run { _, number in
            PassRig.answer("{\"items\":[{\"id\":\(number)}],\"next\":\"t\((number - 1) % length)\"}")
        }
        #expect(run.requests.count == length + 1)
        #expect(run.failure?.code == "paging-loop")
        #expect(run.keys.count == length + 1)
    }
}
