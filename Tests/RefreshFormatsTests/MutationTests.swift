import RefreshCore
import Testing

@testable import RefreshFormats

/// Small inputs, changed at random with a fixed seed: whatever comes out, nothing crashes, and what is accepted
/// holds together.
@Suite("Changed input") struct MutationTests {
    private static let json = [
        #"{"id": 1, "a": [1, -0, 1.5e+3, {"b": null}], "s": "x\u00e9\ud83d\ude00\"\\", "t": true, "é": []}"#,
        #"[{"id":"a"},{"id":"b","x":[[[]]]},{"id":3}]"#, #""\\\"""#, "[[],{},\"\",0]",
    ]

    private static let feeds = [
        ReadFeed.rss(
            """
            <item><guid>1</guid><title>a &amp; b</title><description><![CDATA[<p>x</p>]]></description>
            <pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate><x:y a="1">z</x:y></item><item><link>/b</link></item>
            """),
        ReadFeed.atom(
            """
            <entry xml:base="b/"><id>1</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">
            <p>x<br/>é</p></div></content><link href="a"/><updated>2020-01-01T00:00:00Z</updated></entry>
            """),
    ]

    private static let queries: [JSONPath] = [
        "$..a", "$..[?@.x || @ == 'a' || length(@) > 1]", "$[::-1]", "$..[?match(@, '[a-z]*')]",
        "$[0,'id',-1]['a','b']",
    ].compactMap { try? JSONPath(parsing: $0) }

    private static let rules: RecordRules = {
        var plan = RecordsPlan(path: .root, key: [path("id")])
        plan.isOptional = true
        plan.filter = try? JSONFilter(parsing: "@.t != true || @.x")
        plan.fields = ["id", "a", "b"].map { FieldPlan(name: $0, path: .json(path($0))) }
        plan.drop = [path("a", "*"), path("b")]
        plan.version = .json(path("id"))
        var rules = RecordRules(plan)
        rules.sort = SortPlan(by: .json(path("id")), kind: .number)
        rules.limits.rejectGuard = 1
        rules.watched = [path("a", "0")]
        return rules
    }()

    private static func mutated(_ text: String, _ random: inout Randomness) -> [UInt8] {
        var bytes = Array(text.utf8)
        let pieces = Array(#"{}[]":,\<>&;/!-#'=0e. "#.utf8) + [0, 0x80, 0xC3, 0xFF, 0x0A]
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[at] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
            case 1: bytes.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)], at: at)
            case 2: bytes.remove(at: at)
            default:
                let end = Int.random(in: at...min(bytes.count, at + 12), using: &random)
                if Bool.random(using: &random) {
                    bytes.removeSubrange(at..<end)
                } else {
                    bytes.insert(contentsOf: bytes[at..<end], at: at)
                }
            }
        }
        return bytes
    }

    @Test("of JSON is refused, or every node of it can be read")
    func readsJSON() {
        var random = Randomness(seed: 7)
        var accepted = 0
        for round in 0..<4_000 {
            let bytes = MutationTests.mutated(MutationTests.json[round % MutationTests.json.count], &random)
            guard let document = try? JSONDocument(parsing: PaddedBytes(bytes)) else { continue }
            accepted += 1
            // Each value's own text is a document of the same meaning.
            let again = try? JSONDocument(parsing: PaddedBytes(Array(document.text(of: document.root))))
            #expect(again.map { $0.canonical($0.root) } == document.canonical(document.root))
            _ = try? JSONRecords.page(of: document, plan: RecordsPlan(key: [path("id")]))
            _ = try? document.nodes(at: path("*", "*"))
            for query in MutationTests.queries { _ = try? document.nodes(at: query) }
            _ = try? JSONRecords.harvest(of: document, rules: MutationTests.rules)
            let own = document.text(of: document.root)
            let canonical = CanonicalJSON.text(of: own)
            #expect(canonical.flatMap { CanonicalJSON.text(of: $0[...]) } == canonical)
        }
        #expect(accepted > 200)
    }

    @Test("of a feed is refused, or its records are JSON")
    func readsFeeds() throws {
        var random = Randomness(seed: 11)
        var accepted = 0
        for round in 0..<1_500 {
            let bytes = MutationTests.mutated(MutationTests.feeds[round % MutationTests.feeds.count], &random)
            let base = try WebURL(parsing: "https://example.org/feed")
            guard let read = try? SyndicationRecords.page(of: PaddedBytes(bytes), base: base) else {
                continue
            }
            accepted += 1
            #expect(throws: Never.self) { try JSONDocument(parsing: PaddedBytes(read.meta)) }
            for row in read.page.rows {
                let body = Array(read.page.body(of: row))
                #expect(throws: Never.self) { try JSONDocument(parsing: PaddedBytes(body)) }
            }
        }
        #expect(accepted > 200)
    }
}
