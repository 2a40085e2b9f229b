import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Adapters") struct AdapterTests {
    private static let place = WebURL(
        scheme: .https, host: "a.example", port: nil, path: "/list", query: "a=1")

    private func feed(
        _ adapter: Feed.Adapter, path: JSONPath = .root, key: String = "id",
        headers: HTTPHeaders = HTTPHeaders(),
        url: WebURL = Self.place
    ) throws -> Feed {
        Feed(
            id: try #require(FeedID("shop")), adapter: adapter, schedule: Schedule(every: .seconds(300)),
            request: RequestPlan(url: url, headers: headers),
            records: RecordsPlan(path: path, key: [JSONPath([.name(Array(key.utf8))])]),
            retention: Retention(count: 10), absent: .gone)
    }

    private func adapter(_ feed: Feed) -> any Adapter {
        AdapterTable.adapter(for: feed, userAgent: "tests/1")
    }

    private func answer(_ text: String, type: String = "application/json") -> TransferAnswer {
        TransferAnswer(
            status: 200, headers: HTTPHeaders([("Content-Type", type)]), body: PaddedBytes(text),
            effectiveURL: Self.place, permanentTarget: nil, wireBytes: text.utf8.count, duration: .zero)
    }

    @Test("ask with the feed's URL, headers and validators, and name a media type of their own")
    func request() throws {
        let feed = try feed(.json, headers: HTTPHeaders([("X-Part", "7")]))
        let request = adapter(feed).request(Validators(etag: "W/\"1\"", lastModified: "odd"))
        #expect(request.url == Self.place)
        #expect(request.validators == Validators(etag: "W/\"1\"", lastModified: "odd"))
        #expect(request.headers.first("x-part") == "7")
        #expect(request.headers.first("accept")?.contains("json") == true)
        #expect(request.userAgent == "tests/1")
        #expect(!request.allowPrivate)
    }

    @Test("leave the media type alone that the configuration names")
    func acceptOfTheFile() throws {
        let feed = try feed(.feed, headers: HTTPHeaders([("accept", "text/x-odd")]))
        #expect(adapter(feed).request(Validators()).headers.all("Accept") == ["text/x-odd"])
    }

    @Test("give validators another scope when anything changes that decides what a body is read into")
    func scopes() throws {
        let other = WebURL(scheme: .https, host: "a.example", port: nil, path: "/list", query: "a=2")
        let scopes = [
            try feed(.json), try feed(.json, url: other), try feed(.json, key: "sku"),
            try feed(.json, path: JSONPath([.name(Array("items".utf8))])),
            try feed(.json, headers: HTTPHeaders([("X-Part", "7")])), try feed(.feed),
        ].map { adapter($0).scope }
        #expect(Set(scopes).count == scopes.count)
        #expect(adapter(try feed(.json)).scope == scopes[0])
    }

    @Test("read a JSON list as whole and a syndication feed as a window")
    func completeness() throws {
        let list = try adapter(feed(.json)).read(answer(#"[{"id":1},{"id":2}]"#))
        #expect(list.complete)
        #expect(list.page.rows.map(\.key.text) == ["1", "2"])
        let window = try adapter(feed(.feed)).read(
            answer(
                "<rss version='2.0'><channel><item><guid>g</guid></item></channel></rss>", type: "text/xml"))
        #expect(!window.complete)
        #expect(window.page.rows.map(\.key.text) == ["g"])
        let json = try adapter(feed(.feed)).read(
            answer(#"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":7}]}"#))
        #expect(json.page.rows.map(\.key.text) == ["7"])
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
        let adapter = adapter(try feed(kind))
        let failure = #expect(throws: RefreshFailure.self) {
            try adapter.read(self.answer(body, type: "text/html"))
        }
        #expect(failure?.class == .data)
        #expect(failure?.detail.contains(shown) == true || shown.isEmpty)
        #expect(failure?.detail.isEmpty == false)
    }
}
