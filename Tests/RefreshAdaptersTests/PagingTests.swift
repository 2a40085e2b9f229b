import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Paging") struct PagingTests {
    /// A server's list of the numbers 1 to `count`, cut by the parameters of the request.
    private func rows(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    }

    private func cut(_ count: Int, from start: Int, size: Int) -> String {
        start >= count ? "[]" : rows((start + 1)...min(count, start + size))
    }

    private func value(_ request: TransferRequest, _ name: String) -> Int? {
        var run = PassRun()
        run.requests = [request]
        return run.query(name, 0).flatMap { Int($0) }
    }

    @Test("without pages one answer is the whole list")
    func none() throws {
        let run = try PassRig().run { _, _ in PassRig.answer(rows(1...3)) }
        #expect(run.requests.count == 1)
        #expect(run.stop == .single)
        #expect(run.isComplete)
        #expect(run.checkpoint == nil)
    }

    @Test("numbered pages end at an empty page, and a short one is not the end")
    func pageNumbers() throws {
        let rig = try PassRig {
            $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
            $0.paging.size = 2
            $0.paging.sizeTo = .param("n")
        }
        let pages = [[1, 2], [3], [4, 5], []]
        let run = rig.run { request, _ in PassRig.answer(rows(pages[(value(request, "p") ?? 0) - 1])) }
        #expect(run.targets == ["/list?n=2&p=1", "/list?n=2&p=2", "/list?n=2&p=3", "/list?n=2&p=4"])
        #expect(run.keys == ["1", "2", "3", "4", "5"])
        #expect(run.stop == .emptyPage)
        #expect(run.isComplete)
    }

    @Test("numbered pages end where a header says so")
    func totalPages() throws {
        let rig = try PassRig {
            $0.paging.kind = .page(to: .param("p"), start: 0, totalPages: .header("X-Pages"))
        }
        let run = rig.run { request, _ in
            PassRig.answer(cut(5, from: (value(request, "p") ?? 0) * 2, size: 2), headers: [("X-Pages", "3")])
        }
        #expect(run.requests.count == 3)
        #expect(run.stop == .totalPages)
        #expect(run.isComplete)
    }

    // wordpress: the end told only by an error 400 beyond the last page.
    @Test("a status can be the end, after the first page only")
    func endOn() throws {
        let rig = try PassRig {
            $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
            $0.paging.endOn = [400]
        }
        let run = rig.run { request, number in
            number == 3 ? PassRig.answer("{}", status: 400) : PassRig.answer(rows([number]))
        }
        #expect(run.stop == .endOn)
        #expect(run.isComplete)
        #expect(run.keys == ["1", "2"])
        let first = rig.run { _, _ in PassRig.answer("{}", status: 400) }
        #expect(first.failure?.code == "http-400")
    }

    // A server counts rows that it hides: pages come short, the total is never reached (real/README, comments).
    @Test("an offset goes on behind hidden rows, and what comes twice for it is no doubt")
    func hiddenRows() throws {
        let rig = try PassRig {
            $0.paging.kind = .offset(to: .param("o"), start: 0, total: .header("X-Total"))
            $0.paging.size = 3
            $0.paging.sizeTo = .param("n")
        }
        let hidden: Set = [2, 5]
        let run = rig.run { request, _ in
            let start = value(request, "o") ?? 0
            let window = start < 9 ? Array(start + 1...min(9, start + 3)) : []
            return PassRig.answer(rows(window.filter { !hidden.contains($0) }), headers: [("X-Total", "9")])
        }
        #expect(Set(run.keys) == ["1", "3", "4", "6", "7", "8", "9"])
        #expect(run.isComplete)
        #expect(run.warnings == [])
    }

    // dlt-hub/dlt#2816, #1637: offset paging without a total never ends.
    @Test("an empty page ends an offset list, and the bound of pages always wins")
    func offsetEnds() throws {
        let kind = PagingPlan.Kind.offset(to: .param("o"), start: 0, total: nil)
        let rig = try PassRig {
            $0.paging.kind = kind
            $0.paging.more = .body(.json(JSONPath([.name(Array("has_more".utf8))])))
        }
        let run = rig.run { request, _ in PassRig.answer(cut(4, from: value(request, "o") ?? 0, size: 2)) }
        #expect(run.targets == ["/list?o=0", "/list?o=2", "/list?o=4"])
        #expect(run.stop == .emptyPage)
        let endless = try PassRig(path: "items") {
            $0.paging.kind = kind
            $0.paging.maxPages = 3
            $0.paging.more = try? PassRig.body("has_more")
        }
        let bounded = endless.run { _, number in
            PassRig.answer("{\"has_more\":true,\"items\":\(rows([number]))}")
        }
        #expect(bounded.requests.count == 3)
        #expect(bounded.stop == .maxPages)
        #expect(!bounded.isComplete)
        #expect(bounded.warnings == ["max_pages"])
    }

    @Test("an offset with an overlap notices vanished rows and steps back")
    func overlap() throws {
        let rig = try PassRig {
            $0.paging.kind = .offset(to: .param("o"), start: 0, total: nil)
            $0.paging.overlap = 1
        }
        var list = Array(1...9)
        let run = rig.run { request, number in
            // Three rows vanish at the front behind the second page.
            if number == 3 { list.removeFirst(3) }
            let start = value(request, "o") ?? 0
            return PassRig.answer(rows(list.dropFirst(start).prefix(3)))
        }
        #expect(Set(run.keys) == Set((1...9).map(String.init)))
        #expect(run.stop == .emptyPage)
    }

    @Test("a keyset list goes on behind its last row")
    func keyset() throws {
        let rig = try PassRig {
            $0.paging.kind = .keyset(from: .json(JSONPath([.name(Array("id".utf8))])), to: .param("after"))
        }
        let run = rig.run { request, _ in PassRig.answer(cut(5, from: value(request, "after") ?? 0, size: 2))
        }
        #expect(run.targets == ["/list", "/list?after=2", "/list?after=4", "/list?after=5"])
        #expect(run.keys == ["1", "2", "3", "4", "5"])
        #expect(run.stop == .emptyPage)
        #expect(run.isComplete)
    }

    @Test("a cursor goes where it is told to, and parameters of the first page stay there")
    func cursor() throws {
        var rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("token"), alone: ["set"]
            )
        }
        rig.feed.request.params = [
            Param(name: "verb", value: Template("list")), Param(name: "set", value: Template("a b")),
        ]
        let pages = [#"{"items":[{"id":1}],"next":"x/y"}"#, #"{"items":[{"id":2}],"next":null}"#]
        let run = rig.run { _, number in PassRig.answer(pages[number - 1]) }
        #expect(run.targets == ["/list?verb=list&set=a%20b", "/list?verb=list&token=x%2Fy"])
        #expect(run.stop == .noNext)
        #expect(run.isComplete)
    }

    @Test("a cursor can travel in a JSON body, a number as a number")
    func bodyCursor() throws {
        var rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))),
                to: .body(JSONPath([.name(Array("page".utf8)), .name(Array("from".utf8))])), alone: [])
            $0.paging.size = 50
            $0.paging.sizeTo = .body(JSONPath([.name(Array("limit".utf8))]))
        }
        rig.feed.request.method = "POST"
        rig.feed.request.body = .json(.object([.init(name: "q", value: .text(Template("all")))]))
        let run = rig.run { _, number in
            PassRig.answer(number == 1 ? #"{"items":[],"next":17}"# : #"{"items":[{"id":1}]}"#)
        }
        let bodies = run.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies == [#"{"q":"all","limit":50}"#, #"{"q":"all","limit":50,"page":{"from":17}}"#])
        #expect(run.requests.first?.headers.first("content-type") == "application/json")
        #expect(run.keys == ["1"])
    }

    // airbytehq/airbyte-python-cdk#1148: a repeated token loops for ever.
    @Test("a token that was met before ends the pass, at any distance; rows stay and nothing is proven")
    func loop() throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("t"), alone: [])
        }
        let tokens = ["A", "B", "A"]
        let run = rig.run { _, number in
            PassRig.answer("{\"items\":[{\"id\":\(number)}],\"next\":\"\(tokens[(number - 1) % 3])\"}")
        }
        #expect(run.requests.count == 3)
        #expect(run.keys == ["1", "2", "3"])
        #expect(run.failure?.class == .loop)
        #expect(run.failure?.code == "paging-loop")
        #expect(run.checkpoint == nil)
    }

    // dlt-hub/dlt#3358: the last page still carries a cursor.
    @Test("a flag that says no more ends the pass")
    func moreIsFalse() throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("cursor".utf8))]))), to: .param("t"), alone: [])
            $0.paging.more = try? PassRig.body("has_more")
        }
        let run = rig.run { _, _ in
            PassRig.answer(#"{"items":[{"id":9}],"cursor":"c9","has_more":false}"#)
        }
        #expect(run.requests.count == 1)
        #expect(run.stop == .moreIsFalse)
        #expect(run.isComplete)
    }

    // U4: a page with no records but a next link is not the end.
    @Test("empty pages with a next token are followed, so many in a row and no more")
    func emptyPages() throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("t"), alone: [])
        }
        let run = rig.run { _, number in
            PassRig.answer("{\"items\":\(number == 4 ? rows([1]) : "[]"),\"next\":\"\(number)\"}")
        }
        #expect(run.keys == ["1"])
        #expect(run.stop == .maxEmpty)
        #expect(run.requests.count == 8)
        #expect(!run.isComplete)
    }

    // dlt-hub/dlt#1514: query parameters doubled on the next link.
    @Test("a next link is used as given; only absent parameters are added")
    func linkHeader() throws {
        var rig = try PassRig { $0.paging.kind = .linkHeader(rel: "next") }
        rig.feed.request.params = [
            Param(name: "a", value: Template("1")), Param(name: "b", value: Template("2")),
        ]
        let run = rig.run { _, number in
            PassRig.answer(
                rows([number]),
                headers: number == 1
                    ? [("Link", #"</list?page=2&a=x%2Fy>; rel="prev next"; title="a, b""#)] : [])
        }
        #expect(run.targets == ["/list?a=1&b=2", "/list?page=2&a=x%2Fy&b=2"])
        #expect(run.isComplete)
    }

    @Test(
        "a next link to another origin is refused unless the file permits it",
        arguments: ["https://b.example/2", "http://a.example/2", "//evil.example/", "ftp://a.example/"])
    func sameOrigin(link: String) throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .link(next: .body(.json(JSONPath([.name(Array("next".utf8))]))))
        }
        let run = rig.run { _, _ in PassRig.answer("{\"items\":[],\"next\":\"\(link)\"}") }
        #expect(run.requests.count == 1)
        #expect(run.failure?.code.hasPrefix("next-link") == true)
        var open = rig
        var details = open.feed.details.value
        details.paging.sameOrigin = false
        open.feed.details = Shared(details)
        let followed = open.run { _, number in
            PassRig.answer(number == 1 ? "{\"items\":[],\"next\":\"https://b.example/2\"}" : "{\"items\":[]}")
        }
        #expect(followed.requests.last?.url.host == "b.example")
    }

    // dlt-hub/dlt#2505, #1904: pagination not detected, one page, success reported.
    @Test("a declared next that is never there on a full page is a warning")
    func nextNeverSeen() throws {
        let rig = try PassRig(path: "items") {
            $0.paging.kind = .link(next: .body(.json(JSONPath([.name(Array("next".utf8))]))))
            $0.paging.size = 2
        }
        let odd = rig.run { _, _ in
            PassRig.answer(#"{"items":[{"id":1},{"id":2}],"@odata.nextLink":"/2"}"#)
        }
        #expect(odd.warnings == ["next_never_seen"])
        let short = rig.run { _, _ in PassRig.answer(#"{"items":[{"id":1}]}"#) }
        #expect(short.warnings == [])
    }

    // U14; airbytehq/airbyte#21500: an order with ties repeats rows and leaves others out, and says 200.
    @Test("a key on two pages, or a total that changes, makes absence mean nothing")
    func doubts() throws {
        let rig = try PassRig { $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: .header("N")) }
        let repeated = rig.run { _, number in
            PassRig.answer(rows(number == 1 ? [1, 2] : [2, 3]), headers: [("N", "2")])
        }
        #expect(repeated.done != nil)
        #expect(!repeated.isComplete)
        #expect(repeated.warnings == ["repeated_keys"])
        let moving = rig.run { _, number in
            PassRig.answer(rows([number]), headers: [("N", number == 1 ? "3" : "2")])
        }
        #expect(!moving.isComplete)
        #expect(moving.warnings == ["total_changed"])
    }

    @Test("so many records end the pass and prove nothing")
    func maxRecords() throws {
        let rig = try PassRig {
            $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
            $0.paging.maxRecords = 3
        }
        let run = rig.run { _, number in PassRig.answer(rows([number * 2, number * 2 + 1])) }
        #expect(run.requests.count == 2)
        #expect(run.stop == .maxRecords)
        #expect(!run.isComplete)
    }

    @Test("every page tells what a person who tries a feed out wants to know")
    func notes() throws {
        let rig = try PassRig { $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil) }
        let run = rig.run { _, number in
            PassRig.answer(number == 1 ? rows([1, 2]) : "[]", headers: [("X-RateLimit-Remaining", "41")])
        }
        #expect(run.notes.map(\.url) == ["https://a.example/list?p=1", "https://a.example/list?p=2"])
        #expect(run.notes.map(\.status) == [200, 200])
        #expect(run.notes.map(\.rows) == [2, 0])
        #expect(run.notes.map(\.next) == [.page(2), nil])
        #expect(run.notes.map(\.stop) == [nil, .emptyPage])
        #expect(run.notes.first?.rates?.remaining == 41)
    }
}
