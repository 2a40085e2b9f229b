import RefreshConfig
import RefreshCore
import TestSupport
import Testing

@Suite("One bad feed at a start") struct StartTests {
    private static let good = "  good: {adapter: feed, url: 'https://h.example/'}\n"

    private static func start(_ text: String) -> ConfigResult {
        ConfigReader.read(bytes: Array(text.utf8), file: "f", mode: .start)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let head: String
        let feed: String
        let reason: String
        var testDescription: String { name }
    }

    @Test(
        "only the feed stays away, with its reason",
        arguments: [
            Case(
                name: "an unknown key", head: "",
                feed: "{adapter: feed, url: 'https://h.example/', evry: 5m}",
                reason: "f:3:51: unknown_key: unknown key \"evry\"; did you mean \"every\"?"),
            Case(
                name: "a wrong value", head: "", feed: "{adapter: feed, url: 'ftp://h.example/'}",
                reason: "f:3:30: bad_value: scheme \"ftp\" is not fetched; write an http or https URL"),
            Case(
                name: "a missing key", head: "", feed: "{adapter: json, url: 'https://h.example/'}",
                reason:
                    "f:3:3: missing_key: \"key\" is missing; write a path such as id, or a list of them"),
            Case(
                name: "no mapping", head: "", feed: "[]",
                reason: "f:3:8: wrong_type: must be a mapping, not a list"),
            Case(
                name: "the name twice", head: "",
                feed: "{adapter: feed, url: 'https://h.example/'}\n  bad: {}",
                reason: "f:4:3: duplicate_key: duplicate key \"bad\"; the first is on line 3"),
            Case(
                name: "a fragment that is wrong", head: "fragments: {p: {every: 5}}\n",
                feed: "{adapter: feed, url: 'https://h.example/', use: p}",
                reason: "f: conflict: the fragment \"p\" is wrong"),
            Case(
                name: "a budget that is wrong", head: "budgets: {b: {rate: 5}}\n",
                feed: "{adapter: feed, url: 'https://h.example/', limits: {share: b}}",
                reason: "f: conflict: the budget \"b\" is wrong"),
            Case(
                name: "a plugin that is wrong", head: "plugins: {p: {exec: bin/x}}\n", feed: "{adapter: p}",
                reason: "f: conflict: the plugin \"p\" is wrong"),
            Case(
                name: "a cross check", head: "",
                feed: "{adapter: feed, url: 'https://h.example/', limits: {burst: 2}}",
                reason: "f:3:60: conflict: \"burst\" needs \"rate\", which says how it is filled again"),
        ])
    func oneBad(_ item: Case) throws {
        let text = "\(item.head)feeds:\n\(StartTests.good)  bad: \(item.feed)\n"
        let result = StartTests.start(text)
        let plan = try #require(result.plan)
        #expect(plan.feeds.map(\.id.name) == ["good"])
        #expect(plan.broken.map(\.id.name) == ["bad"])
        #expect(plan.broken.map(\.reason) == [item.reason])
        #expect(!result.errors.isEmpty)
        // A check and a reload take all or nothing.
        for mode in [ConfigReader.Mode.check, .reload] {
            #expect(ConfigReader.read(bytes: Array(text.utf8), file: "f", mode: mode).plan == nil)
        }
    }

    @Test(
        "what holds for all feeds stops the start",
        arguments: [
            "daemon: {drain: 5}\n", "defaults: {every: 5}\n", "dæmon: {}\n", "version: 2\n",
            "include: [/etc/*]\n",
        ])
    func whole(_ head: String) {
        #expect(StartTests.start("\(head)feeds:\n\(StartTests.good)").plan == nil)
    }

    @Test("no YAML stops the start") func syntax() {
        #expect(StartTests.start("feeds:\n\(StartTests.good)  bad: {\n").plan == nil)
    }

    @Test("a child goes with its parent") func parents() throws {
        let text = """
            feeds:
              top: {adapter: json, url: 'https://h.example/', key: id, evry: 5m}
              middle: {adapter: json, url: 'https://h.example/m', key: id, parent: {feed: top}}
              low: {adapter: json, url: 'https://h.example/l', key: id, parent: {feed: middle}}
              other: {adapter: json, url: 'https://h.example/o', key: id}
            """
        let plan = try #require(StartTests.start(text).plan)
        #expect(plan.feeds.map(\.id.name) == ["other"])
        #expect(plan.broken.map(\.id.name) == ["low", "middle", "top"])
    }

    @Test("an included file that is no YAML is shown by its name") func brokenFile() throws {
        let folder = TemporaryFolder()
        let root = folder.write("include: '*.feed'\nfeeds:\n\(StartTests.good)", to: "plugins.yaml")
        _ = folder.write("feeds: {shop: {\n", to: "shop.feed")
        let plan = try #require(ConfigReader.read(path: root, mode: .start).plan)
        #expect(plan.feeds.map(\.id.name) == ["good"])
        #expect(plan.broken.map(\.id.name) == ["shop"])
        #expect(plan.broken.map { $0.reason.contains("shop.feed:2:1: syntax:") } == [true])
    }
}
