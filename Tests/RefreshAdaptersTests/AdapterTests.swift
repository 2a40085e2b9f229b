import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Adapters") struct AdapterTests {
    private func answer(_ text: String, type: String = "application/json") -> TransferAnswer {
        TransferAnswer(
            status: 200, headers: HTTPHeaders([("Content-Type", type)]), body: PaddedBytes(text),
            effectiveURL: PassRig.place, permanentTarget: nil, wireBytes: text.utf8.count, duration: .zero)
    }

    @Test("ask with the feed's URL, headers and validators, and name a media type of their own")
    func request() throws {
        var rig = try PassRig()
        rig.feed.request.headers = [HeaderPlan(name: "X-Part", value: .template(Template("7")))]
        let run = rig.run {
            $0.validators = Validators(etag: "W/\"1\"", lastModified: "odd")
        } upstream: { _, _ in
            PassRig.answer("[]")
        }
        let request = try #require(run.requests.first)
        #expect(request.url == PassRig.place)
        #expect(request.validators == Validators(etag: "W/\"1\"", lastModified: "odd"))
        #expect(request.headers.first("x-part") == "7")
        #expect(request.headers.first("accept")?.contains("json") == true)
        #expect(request.userAgent == "tests/1")
        #expect(!request.allowPrivate)
    }

    @Test("leave the media type alone that the configuration names")
    func acceptOfTheFile() throws {
        var rig = try PassRig(.feed)
        rig.feed.request.headers = [HeaderPlan(name: "accept", value: .template(Template("text/x-odd")))]
        let run = rig.run { _, _ in PassRig.answer("{}") }
        #expect(run.requests.first?.headers.all("Accept") == ["text/x-odd"])
    }

    @Test("give validators another scope when anything changes that decides what a body is read into")
    func scopes() throws {
        var other = try PassRig()
        other.feed.request.headers = [HeaderPlan(name: "X-Part", value: .template(Template("7")))]
        var key = try PassRig()
        key.feed.records.key = [.json(try JSONPath(parsing: "sku"))]
        var fields = try PassRig()
        fields.feed.records.fields = [FieldPlan(name: "a", path: .root)]
        let rigs = [
            try PassRig(), try PassRig(url: "https://a.example/list?a=2"), try PassRig(path: "items"),
            try PassRig(.feed), other, key, fields,
        ]
        let scopes = rigs.map(\.plan.validatorScope)
        #expect(Set(scopes).count == scopes.count)
        #expect(try PassRig().plan.validatorScope == scopes[0])
    }

    @Test("read a JSON list as whole and a syndication feed as a window")
    func completeness() throws {
        let list = try PassRig().run { _, _ in PassRig.answer(#"[{"id":1},{"id":2}]"#) }
        #expect(list.isComplete)
        #expect(list.keys == ["1", "2"])
        let rss = "<rss version='2.0'><channel><item><guid>g</guid></item></channel></rss>"
        let window = try PassRig(.feed).run { _, _ in PassRig.answer(rss) }
        #expect(!window.isComplete)
        #expect(window.keys == ["g"])
        let json = #"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":7}]}"#
        #expect(try PassRig(.feed).run { _, _ in PassRig.answer(json) }.keys == ["7"])
    }

    @Test(
        "say what came where something else was due",
        arguments: [
            (Feed.Adapter.json, "<!doctype html><title>Log in</title>", "Log in"),
            (.feed, "<!doctype html><title>Log in</title>", "Log in"),
            (.json, "{\"items\": [1,]}", ""),
            (.json, "", ""),
            (.feed, "", ""),
            (.feed, "{}", ""),
        ])
    func unreadable(kind: Feed.Adapter, body: String, shown: String) throws {
        let run = try PassRig(kind).run { _, _ in PassRig.answer(body) }
        #expect(run.failure?.class == .data)
        #expect(run.failure?.detail.contains(shown) == true || shown.isEmpty)
        #expect(run.failure?.detail.isEmpty == false)
    }

    // FreshRSS and others ask at the wrong time because they forget what a feed says of itself.
    @Test("hand on what a syndication feed says of its rhythm")
    func hints() throws {
        let rss = """
            <rss version='2.0'><channel><ttl>120</ttl><skipHours><hour>3</hour></skipHours>
            <item><guid>a</guid><pubDate>Wed, 31 Dec 2025 00:00:00 GMT</pubDate></item>
            <item><guid>b</guid><pubDate>Tue, 30 Dec 2025 00:00:00 GMT</pubDate></item>
            <item><guid>c</guid><pubDate>Tue, 01 Jan 2030 00:00:00 GMT</pubDate></item>
            </channel></rss>
            """
        let run = try PassRig(.feed).run { _, _ in
            PassRig.answer(rss, headers: [("Cache-Control", "max-age=60")])
        }
        let report = try #require(run.done?.report)
        #expect(report.feedHints?.interval == .seconds(7_200))
        #expect(report.feedHints?.skipHours == [3])
        #expect(report.feedHints?.publishedGap == .seconds(86_400))
        #expect(report.freshness == .lasting(.seconds(60)))
    }

    @Test(
        "take the keys of deleted records out of a list in XML or HTML", arguments: [Feed.Adapter.xml, .html])
    func deletedInMarkup(_ adapter: Feed.Adapter) throws {
        var rig = try PassRig(adapter)
        rig.feed.records = RecordsPlan(path: .xpath("//li"), key: [.xpath("@id")])
        rig.feed.records.fields = [FieldPlan(name: "id", path: .xpath("@id"))]
        rig.feed.deletes.list = .xpath("//del/@id")
        let run = rig.run { _, _ in
            PassRig.answer("<ul><li id='1'>a</li><del id='2'/><del id=''/><del id=' 3 é'/></ul>")
        }
        #expect(run.keys == ["1"])
        #expect(run.pages.last?.deleted.map(\.text) == ["2", " 3 é"])
        #expect(run.isComplete)
    }
}
