import RefreshConfig
import RefreshCore
import Testing

/// What the blocks become in the plan, where the effective values alone do not show it.
@Suite("From file to plan") struct PlanDetailTests {
    private static func plan(_ text: String, _ checkers: Checkers = .none) throws -> Plan {
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "/etc/refreshd/f", checkers: checkers)
        #expect(result.told.map(\.text) == [])
        return try #require(result.plan)
    }

    private static func feed(_ body: String) throws -> Feed {
        try #require(
            plan("feeds: {a: {adapter: json, key: id, url: 'https://h.example/l', \(body)}}").feeds.first)
    }

    @Test("variables are filled in when the file is read, and placeholders stay") func templates() throws {
        let feed = try PlanDetailTests.feed(
            "vars: {T: blue}, incremental: {type: token, next: n}, request: {params: {q: '$(var.T)-$$(x)-$(since)', t: $(var.T), u: $(now)}}"
        )
        let values = feed.request.params.map(\.value)
        #expect(
            values == [
                Template([.literal("blue-$(x)-"), .placeholder(.since)]), Template("blue"),
                Template([.placeholder(.now)]),
            ])
        #expect(values.map(\.literal) == [nil, "blue", nil])
        #expect(values.map(\.solePlaceholder) == [nil, nil, .now])
    }

    @Test("a placeholder in a URL keeps its place, and the origin is fixed") func url() throws {
        let text =
            "feeds: {a: {adapter: json, key: id, url: 'https://H.example/l/$(page)', paginate: {type: page}}}"
        let request = try #require(PlanDetailTests.plan(text).feeds.first).request
        #expect(request.url.origin.host == "h.example")
        #expect(request.urlTemplate == Template([.literal("https://H.example/l/"), .placeholder(.page)]))
    }

    @Test("a body of JSON keeps its types, and a lone placeholder is one") func body() throws {
        let feed = try PlanDetailTests.feed(
            "paginate: {type: cursor, next: n}, request: {method: POST, body: {json: {a: 1.50, b: [true, null, $(cursor)], c: 'x', d: -0}}}"
        )
        let expected = JSONTemplate.object([
            .init(name: "a", value: .raw("1.50")),
            .init(
                name: "b",
                value: .array([.raw("true"), .raw("null"), .text(Template([.placeholder(.cursor)]))])),
            .init(name: "c", value: .text(Template("x"))), .init(name: "d", value: .raw("-0")),
        ])
        #expect(feed.request.body == .json(expected))
    }

    @Test("header fields hold templates or secrets") func headers() throws {
        let feed = try PlanDetailTests.feed("request: {headers: {A: x, B: {file: s}, C: {cred: c}}}")
        #expect(
            feed.request.headers == [
                HeaderPlan(name: "A", value: .template(Template("x"))),
                HeaderPlan(name: "B", value: .secret(.file("/etc/refreshd/s"))),
                HeaderPlan(name: "C", value: .secret(.credential("c"))),
            ])
        #expect(feed.request.constantHeaders.fields.map(\.name) == ["A"])
    }

    @Test("paths are in the language of the adapter") func paths() throws {
        let text = """
            feeds:
              c: {adapter: csv, url: 'https://h.example/c', key: article no}
              x: {adapter: xml, url: 'https://h.example/x', key: '@id', records: {path: //p:i, namespaces: {p: urn:p}, fields: {'t[]': t}}}
            """
        let plan = try PlanDetailTests.plan(text)
        #expect(plan.feeds.map(\.records.key) == [[.column("article no")], [.xpath("@id")]])
        #expect(plan.feeds[1].records.path == .xpath("//p:i"))
        #expect(plan.feeds[1].records.fields == [FieldPlan(name: "t[]", path: .xpath("t"))])
        #expect(plan.feeds[1].records.namespaces == [Namespace(prefix: "p", uri: "urn:p")])
    }

    @Test("XPath is checked by whoever knows it, with the column inside the value") func xpath() {
        let text = """
            feeds:
              x: {adapter: xml, url: 'https://h.example/x', key: 'a[', records: {path: //i, namespaces: {p: u}, fields: {t: t}}}
            """
        let checkers = Checkers { text, namespaces in
            guard namespaces == [Namespace(prefix: "p", uri: "u")] else { return .init(message: "no prefix") }
            return text.hasSuffix("[") ? .init(offset: 1, message: "\"[\" is never closed") : nil
        }
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "f", checkers: checkers)
        #expect(result.told.map(\.text) == ["f:2:56: feeds.x.key: \"[\" is never closed"])
    }

    @Test("by_id asks as the feed does, but for what it says itself") func byID() throws {
        let feed = try PlanDetailTests.feed(
            "request: {method: POST, timeout: 7s, body: {text: list}, headers: {A: x}}, by_id: {request: {url: 'https://h.example/b', body: {json: $(ids)}}}"
        )
        let request = try #require(feed.details.byID?.request)
        #expect(request.url.path == "/b")
        #expect(request.method == "POST")
        #expect(request.limits.total == .seconds(7))
        #expect(request.headers.map(\.name) == ["A"])
        #expect(request.body == .json(.text(Template([.placeholder(.ids)]))))
    }

    @Test("feeds that say the same of what most leave alone share one copy") func shared() throws {
        let text =
            "defaults: {freshness: {wait: 1s}}\nfeeds:\n"
            + (0..<50).map {
                "  f\($0): {adapter: json, key: id, url: 'https://h.example/\($0)'}\n"
            }.joined()
        let plan = try PlanDetailTests.plan(text)
        let first = try #require(plan.feeds.first?.details)
        #expect(plan.feeds.allSatisfy { $0.details.isSame(as: first) })
        #expect(first.freshness.wait == .seconds(1))
    }

    @Test("cron takes the place of every, with the zone of its clock") func cron() throws {
        let feed = try PlanDetailTests.feed("cron: '15 4 * * *', zone: Europe/Berlin")
        #expect(feed.schedule.every == nil)
        #expect(feed.schedule.cron?.cron.text == "15 4 * * *")
        #expect(feed.schedule.cron?.zone.name == "Europe/Berlin")
        #expect(try PlanDetailTests.feed("every: 7m").schedule.cron == nil)
    }
}
