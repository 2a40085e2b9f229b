import RefreshConfig
import RefreshCore
import Testing

@Suite("Explaining a feed") struct ExplanationTests {
    private static let text = """
        defaults:
          every: 3h
          request: {headers: {Authorization: Bearer hunter2}, timeout: 20s}
        fragments:
          polite:
            request: {timeout: 5s}
            keep: {count: 7}
        feeds:
          a:
            adapter: json
            url: https://shop.example/a
            key: id
            use: polite
            auth: {type: api_key, header: X-Key, value: hunter2}
            jitter: &jitter 5%
          b:
            adapter: json
            url: https://shop.example/b
            key: id
            jitter: *jitter
        """

    private static func explanation(_ feed: String) throws -> Explanation {
        let explained = ConfigReader.explain(bytes: Array(text.utf8), file: "f.yaml", feed: feed)
        #expect(explained.feeds == ["a", "b"])
        return try #require(explained.explanation)
    }

    @Test(
        "each value has the file, the line and the layer that says it",
        arguments: [
            ("every", "3h", "f.yaml:2, defaults"), ("request.timeout", "5s", "f.yaml:6, fragment polite"),
            ("keep.count", "7", "f.yaml:7, fragment polite"),
            ("request.url", "https://shop.example/a", "f.yaml:11"),
            ("use", "[polite]", "f.yaml:13"), ("request.connect", "10s", "default"),
            ("limits.item_bytes", "1MiB", "default"), ("jitter", "5%", "f.yaml:15"),
        ])
    func origins(_ path: String, _ value: String, _ origin: String) throws {
        let lines = try ExplanationTests.explanation("a").lines.filter { $0.path == path }
        #expect(lines.map(\.value) == [value])
        #expect(lines.map(\.origin) == [origin])
        #expect(lines.map(\.isDefault) == [origin == "default"])
    }

    @Test("a value that an anchor gives is shown at the key that takes it") func anchors() throws {
        let line = try ExplanationTests.explanation("b").lines.first { $0.path == "jitter" }
        #expect(line?.value == "5%")
        #expect(line?.origin == "f.yaml:20")
    }

    @Test("no secret is shown, in either form") func secrets() throws {
        let explanation = try ExplanationTests.explanation("a")
        #expect(!explanation.text.contains("hunter2"))
        #expect(!explanation.json.contains("hunter2"))
        #expect(explanation.text.contains("auth.value = (secret)  (f.yaml:14)\n"))
        #expect(
            explanation.json.contains(
                #"{"path":"keep.count","value":"7","origin":"f.yaml:7, fragment polite","default":false}"#))
    }

    @Test("a feed that is not there is not explained") func unknown() {
        let explained = ConfigReader.explain(bytes: Array(ExplanationTests.text.utf8), file: "f", feed: "c")
        #expect(explained.explanation == nil)
        #expect(explained.result.plan != nil)
    }
}
