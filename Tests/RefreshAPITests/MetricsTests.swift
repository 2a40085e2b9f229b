import RefreshCore
import RefreshEngine
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Figures for Prometheus", .timeLimit(.minutes(5))) struct MetricsTests {
    @Test("tell of the build, every feed, and what was counted")
    func figures() async throws {
        try await Rig.with { rig in
            let shop = try rig.feed("shop")
            for outcome in [RefreshOutcome.unchanged, .unchanged, .fresh, .refreshed(RefreshCounts())] {
                rig.counters.refreshed(shop, outcome)
            }
            rig.counters.upstream(status: 304, bytes: 10)
            rig.counters.upstream(status: nil, bytes: 5)
            rig.counters.committed(in: .microseconds(1_500))
            rig.counters.committed(in: .seconds(2))
            rig.counters.outbox(["queued": 3])
            _ = await rig.http.get("/v1/nothing")
            let samples = try Exposition(await rig.http.get("/metrics"))
            let counts = try #require(rig.board.status(of: shop)).store
            #expect(samples[#"refreshd_build_info{version="0.1"}"#] == "1")
            #expect(samples["refreshd_config_last_reload_successful"] == "1")
            let time = try #require(rig.board.status(of: shop)?.progress.lastSuccess)
            #expect(
                samples[#"refreshd_feed_last_success_timestamp_seconds{feed="shop"}"#]
                    == MetricsText.seconds(microseconds: time.microseconds))
            #expect(samples[#"refreshd_feed_state{feed="shop",state="active"}"#] == "1")
            #expect(samples[#"refreshd_feed_items{feed="shop"}"#] == "3")
            #expect(samples[#"refreshd_feed_bytes{feed="shop"}"#] == "\(counts.bytes)")
            #expect(samples[#"refreshd_refreshes_total{feed="shop",result="unchanged"}"#] == "2")
            #expect(samples[#"refreshd_refreshes_total{feed="shop",result="refreshed"}"#] == "1")
            #expect(samples[#"refreshd_refreshes_total{feed="shop",result="failed"}"#] == "0")
            #expect(samples[#"refreshd_upstream_requests_total{class="3xx"}"#] == "1")
            #expect(samples[#"refreshd_upstream_requests_total{class="none"}"#] == "1")
            #expect(samples["refreshd_upstream_bytes_total"] == "15")
            #expect(samples[#"refreshd_api_requests_total{class="4xx"}"#] == "1")
            #expect(samples["refreshd_api_clients"] == "1")
            #expect(samples[#"refreshd_outbox_ops{state="queued"}"#] == "3")
            #expect(samples["refreshd_store_commit_seconds_sum"] == "2.001500")
            #expect(samples["refreshd_store_commit_seconds_count"] == "2")
        }
    }

    @Test("a configuration that cannot be read shows")
    func configuration() async throws {
        try await Rig.with { rig in
            rig.counters.configuration(isGood: false, generation: 1)
            let samples = try Exposition(await rig.http.get("/metrics"))
            #expect(samples["refreshd_config_last_reload_successful"] == "0")
        }
    }

    @Test("a feed that was never fetched has no time, and one that is gone has nothing")
    func absent() async throws {
        try await Rig.with { rig in
            let samples = try Exposition(await rig.http.get("/metrics"))
            #expect(samples[#"refreshd_feed_items{feed="empty"}"#] == "0")
            #expect(samples[#"refreshd_feed_last_success_timestamp_seconds{feed="empty"}"#] == nil)
            rig.counters.refreshed(try rig.feed("old"), .unchanged)
            rig.board.remove(try rig.feed("shop"))
            let later = try Exposition(await rig.http.get("/metrics"))
            #expect(later.names.allSatisfy { !$0.contains("shop") && !$0.contains("old") })
        }
    }

    @Test("a feed that one may not see has none either")
    func hidden() async throws {
        let secret = try #require(FeedID("shop"))
        // Nobody runs this test as this user, and as root or the daemon's own one nothing is hidden.
        let viewer = Viewer(
            access: Access(owner: 54_999, feeds: [secret: .init(readers: Principals(users: [54_998]))]),
            peer: Peer(user: 54_997, group: 54_997, process: 1), level: .read)
        let board = StatusBoard()
        for name in ["shop", "open"] {
            board.post(
                FeedStatus(
                    feed: try #require(FeedID(name)), title: nil, adapter: "json", url: "", state: .active,
                    progress: FeedProgress(), freshUntil: nil, nextDue: nil, dueRule: "", inFlight: false,
                    store: StoredCounts(epoch: Epoch(1)), alarms: []))
        }
        let counters = Counters()
        counters.refreshed(secret, .unchanged)
        let bytes = Endpoints.metrics(board.all().filter { viewer.sees($0.feed) }, counters.picture, "1")
        let samples = try Exposition(bytes)
        #expect(samples[#"refreshd_feed_items{feed="open"}"#] == "0")
        #expect(samples.names.allSatisfy { !$0.contains("shop") })
    }

    @Test("ten thousand unknown feeds in targets make no series (T-L6)")
    func explosion() async throws {
        try await Rig.with { rig in
            let before = try Exposition(await rig.http.get("/metrics"))
            let path = rig.path
            let refused = await offPool { () -> Int in
                guard let client = RawClient(path) else { return 0 }
                var refused = 0
                for round in 0..<100 {
                    let names = (0..<100).map { "/v1/feeds/made-up-\(round)-\($0)/items" }
                    client.say(names.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
                    for _ in names where client.hear()?.status == 404 { refused += 1 }
                }
                return refused
            }
            #expect(refused == 10_000)
            let after = try Exposition(await rig.http.get("/metrics"))
            #expect(after.names == before.names)
            #expect(after[#"refreshd_api_requests_total{class="4xx"}"#] == "10000")
        }
    }

    @Test("text in labels is escaped as the format wants it")
    func escapes() {
        var text = MetricsText(reserving: 64)
        text.sample("m", [(.state, "a\"b\\c\nd")], "1")
        #expect(String(decoding: text.bytes, as: UTF8.self) == "m{state=\"a\\\"b\\\\c\\nd\"} 1\n")
    }
}

/// Samples as Prometheus would read them; what it would not read is a failure.
private struct Exposition {
    private static let kinds = ["counter", "gauge", "summary"]

    private var samples: [String: String] = [:]
    private var described: Set<String> = []

    var names: Set<String> { Set(samples.keys) }

    subscript(sample: String) -> String? { samples[sample] }

    init(_ answer: UnixHTTP.Answer?) throws {
        let answer = try #require(answer)
        #expect(answer.status == 200)
        #expect(answer.headers.first("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        try self.init(answer.body)
    }

    init(_ bytes: [UInt8]) throws {
        #expect(bytes.last == 0x0A)
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) {
            if line.hasPrefix("# ") { try describe(line) } else { try take(line) }
        }
    }

    private mutating func describe(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        try #require(words.count == 4)
        if words[1] == "TYPE" {
            #expect(Exposition.kinds.contains(words[3]))
            let isNew = described.insert(words[2]).inserted
            #expect(isNew, "\(words[2]) is described twice")
        } else {
            #expect(words[1] == "HELP")
        }
    }

    private mutating func take(_ line: String) throws {
        let space = try #require(line.lastIndex(of: " "))
        let (sample, value) = (String(line[..<space]), String(line[line.index(after: space)...]))
        #expect(Double(value) != nil, "\(line)")
        let name = String(sample.prefix { $0 != "{" })
        let family = ["_sum", "_count"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
        #expect(described.contains(family ?? name), "\(name) is not described")
        #expect(name.hasPrefix("refreshd_"))
        for label in sample.dropFirst(name.count).dropFirst().dropLast().split(separator: ",") {
            let word = String(label.prefix { $0 != "=" })
            #expect(MetricsText.Label(rawValue: word) != nil, "\(word) is no label")
            #expect((word == "version") == (name == "refreshd_build_info"))
        }
        let isNew = samples.updateValue(value, forKey: sample) == nil
        #expect(isNew, "\(sample) comes twice")
    }
}
