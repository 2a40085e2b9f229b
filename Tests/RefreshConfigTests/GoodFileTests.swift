import RefreshConfig
import RefreshCore
import TestSupport
import Testing

@Suite("Good files") struct GoodFileTests {
    private static func plan(_ name: String) throws -> Plan {
        let folder = #filePath.dropLast("GoodFileTests.swift".count) + "Good"
        let bytes = try #require(readFile("\(folder)/\(name)"))
        let result = ConfigReader.read(bytes: bytes, file: "/etc/refreshd/plugins.yaml")
        #expect(result.told.map(\.text) == [])
        return try #require(result.plan)
    }

    private static func feed(_ name: String, in plan: Plan) throws -> Feed {
        try #require(plan.feeds.first { $0.id.name == name })
    }

    private static func path(_ names: String...) -> JSONPath { JSONPath(names.map { .name(Array($0.utf8)) }) }

    @Test("the shortest feed takes every default of syndication") func shortest() throws {
        let plan = try GoodFileTests.plan("shortest.yaml")
        #expect(plan.daemon == DaemonSettings())
        var limits = TransferLimits()
        limits.decoded = .mebibytes(16)
        var schedule = Schedule(every: .seconds(3_600), jitter: 0.1, minGap: .seconds(60))
        schedule.adaptive = true
        let url = WebURL(
            scheme: .https, host: "kernel.example", port: nil, path: "/releases.atom", query: nil)
        #expect(
            plan.feeds == [
                Feed(
                    id: try #require(FeedID("kernel")), adapter: .feed,
                    schedule: schedule,
                    request: RequestPlan(url: url, limits: limits), records: RecordsPlan(),
                    retention: Retention(count: 500), absent: .keep)
            ])
    }

    @Test("a json feed takes its own defaults") func shortestJSON() throws {
        let feed = try GoodFileTests.feed("rates", in: GoodFileTests.plan("shortest-json.yaml"))
        #expect(feed.adapter == .json)
        #expect(feed.schedule == Schedule(every: .seconds(300), jitter: 0.1, minGap: .seconds(60)))
        #expect(feed.records == RecordsPlan(path: .root, key: [GoodFileTests.path("id")]))
        #expect(feed.retention == Retention(count: 100_000))
        #expect(feed.absent == .gone)
        #expect(feed.request.limits == TransferLimits())
        #expect(feed.request.allowPrivate == false)
        #expect(feed.enabled)
        #expect(feed.title == nil)
    }

    @Test("every key reaches its place") func everyKey() throws {
        let plan = try GoodFileTests.plan("every-key.yaml")
        var daemon = DaemonSettings()
        daemon.socketPath = "/run/other/api.sock"
        daemon.socketMode = 0o666
        daemon.stateFolder = "/etc/refreshd/state"
        daemon.userAgent = "shop-mirror/2 (ops@example.org)"
        daemon.concurrency = 4
        daemon.logLevel = .debug
        daemon.drain = .seconds(3)
        #expect(plan.daemon == daemon)

        var limits = TransferLimits()
        limits.total = .seconds(30)
        limits.stall = .seconds(5)
        limits.connect = .milliseconds(1_500)
        limits.hops = 0
        limits.wire = .kibibytes(64)
        limits.decoded = .mebibytes(2)
        let expected = Feed(
            id: try #require(FeedID("shop")), adapter: .json, title: "Shop: list", enabled: false,
            schedule: Schedule(every: .seconds(90), jitter: 0.25, minGap: .seconds(10)),
            request: RequestPlan(
                url: WebURL(scheme: .http, host: "127.0.0.1", port: 8_080, path: "/list", query: "all=1"),
                headers: HTTPHeaders([("Accept", "application/json"), ("X-Version", "2")]),
                allowPrivate: true,
                limits: limits),
            records: RecordsPlan(
                path: GoodFileTests.path("result", "items"),
                key: [GoodFileTests.path("shop", "id"), GoodFileTests.path("sku")]),
            retention: Retention(count: 20), absent: .keep)
        #expect(plan.feeds == [expected])
    }

    @Test("defaults hold where a feed is silent, block by block") func defaults() throws {
        let plan = try GoodFileTests.plan("defaults.yaml")
        let silent = try GoodFileTests.feed("silent", in: plan)
        #expect(silent.schedule.every == .seconds(120))
        #expect(silent.request.constantHeaders.first("accept") == "application/json")
        #expect(silent.request.limits.total == .seconds(10))
        #expect(silent.request.allowPrivate)
        let own = try GoodFileTests.feed("own", in: plan)
        #expect(own.schedule.every == nil)
        #expect(own.request.limits.total == .seconds(20))
        #expect(own.request.limits.connect == .seconds(2))
        #expect(own.request.constantHeaders.fields == [.init(name: "Accept", value: "text/plain")])
        #expect(!own.request.allowPrivate)
        // A key in defaults is for those feeds that have use for it.
        let news = try GoodFileTests.feed("news", in: plan)
        #expect(news.records.key.isEmpty)
        #expect(news.retention.count == 7)
    }

    @Test("the daemon's allow_private holds for every feed that says nothing") func allowPrivate() throws {
        let plan = try GoodFileTests.plan("allow-private.yaml")
        #expect(try GoodFileTests.feed("a", in: plan).request.allowPrivate)
        #expect(try !GoodFileTests.feed("b", in: plan).request.allowPrivate)
    }

    @Test("anchors and merge keys stand for what they name") func anchors() throws {
        let plan = try GoodFileTests.plan("anchors.yaml")
        let first = try GoodFileTests.feed("first", in: plan)
        let second = try GoodFileTests.feed("second", in: plan)
        #expect(first.schedule.every == .seconds(60))
        #expect(second.schedule.every == .seconds(30))
        #expect(second.retention.count == 9)
        #expect(second.request.headers == first.request.headers)
    }

    @Test("a smaller min_gap lowers the floor of syndication") func minGap() throws {
        let plan = try GoodFileTests.plan("min-gap.yaml")
        var schedule = Schedule(every: .seconds(1), jitter: 0, minGap: .zero)
        schedule.adaptive = true
        #expect(plan.feeds.map(\.schedule) == [schedule])
    }

    @Test("Windows line ends, a byte order mark and a document marker are no matter") func foreignEditor()
        throws
    {
        let text = "\u{FEFF}---\r\nfeeds:\r\n  a:\r\n    adapter: feed\r\n    url: https://h.example/\r\n"
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "f")
        #expect(result.told.map(\.text) == [])
        #expect(result.plan?.feeds.count == 1)
    }

    @Test("a relative file name leaves relative paths as they are") func relative() throws {
        let text =
            "daemon: {socket: {path: run/s}, state: st}\nfeeds: {a: {adapter: feed, url: 'https://h.example/'}}"
        let plan = try #require(ConfigReader.read(bytes: Array(text.utf8), file: "f.yaml").plan)
        #expect(plan.daemon.socketPath == "run/s")
        #expect(plan.daemon.stateFolder == "st")
        let other = try #require(ConfigReader.read(bytes: Array(text.utf8), file: "d/f.yaml").plan)
        #expect(other.daemon.stateFolder == "d/st")
    }
}
