import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// The built daemon against documents of real servers, kept on loopback.
@Suite(
    "The daemon on real documents", .enabled(if: Corpora.folder != nil, "the corpora are absent"),
    .timeLimit(.minutes(2)))
struct SamplesTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let file: String
        let type: String
        let feed: String
        let settings: String
        /// A text that stands in one record only, and what an editor makes of it.
        let edit: (String, String)
        let count: Int
        var testDescription: String { file }
        var path: String { "/\(file)" }
    }

    static let samples = [
        Sample(
            file: "shopify-products.json", type: "application/json", feed: "products",
            settings: "adapter: json, key: id", edit: ("\"vendor\"", "\"seller\""), count: 4),
        Sample(
            file: "weather-forecast.json", type: "application/json", feed: "weather",
            settings: "adapter: json, records: {path: hourly.data}, key: time", edit: ("", ""), count: 48),
        Sample(
            file: "osv-advisory.json", type: "application/json", feed: "osv",
            settings: "adapter: json, key: id", edit: ("2023-06-05T01:13:00", "2023-06-06T01:13:00"), count: 1
        ),
        Sample(
            file: "github-commits.atom", type: "application/atom+xml", feed: "commits",
            settings: "adapter: feed", edit: ("<title>", "<title>Edited: "), count: 20),
        Sample(
            file: "gdacs-alerts.rss", type: "application/rss+xml", feed: "alerts",
            settings: "adapter: feed", edit: ("<title>", "<title>Edited: "), count: 4),
        Sample(
            file: "ecb-eurofxref-daily.xml", type: "application/xml", feed: "rates",
            settings: "adapter: xml, records: {path: \"//*[local-name()='Cube'][@currency]\", "
                + "fields: {currency: '@currency', rate: '@rate'}}, key: currency",
            edit: ("1.1831", "1.2831"), count: 31),
        Sample(
            file: "sitemap.xml", type: "application/xml", feed: "sitemap",
            settings: "adapter: xml, records: {path: '/s:urlset/s:url', "
                + "namespaces: {s: 'http://www.sitemaps.org/schemas/sitemap/0.9'}, "
                + "fields: {loc: 's:loc', often: 's:changefreq'}}, key: loc",
            edit: ("<changefreq>weekly", "<changefreq>daily"), count: 7),
        Sample(
            file: "subscriptions.opml", type: "text/x-opml", feed: "subscriptions",
            settings: "adapter: xml, records: {path: '//outline[@xmlUrl]', "
                + "fields: {url: '@xmlUrl', title: '@title'}}, key: url",
            edit: ("Distrowatch mirror", "A mirror"), count: 7),
        Sample(
            file: "us-population.csv", type: "text/csv", feed: "cities",
            settings: "adapter: csv, key: [City, State]", edit: (",7610,", ",7611,"), count: 100),
    ]

    /// The keys that the corpus names for a file, where it does.
    private func expectedKeys(_ file: String) throws -> [String]? {
        let index = try #require(Corpora.path("samples/index.jsonl").flatMap(readFile))
        for line in index.split(separator: UInt8(ascii: "\n")) {
            let document = try JSONDocument(parsing: PaddedBytes(Array(line)))
            guard document.text("name") == file else { continue }
            let keys = try document.nodes(
                at: JSONPath([.name(Array("expected".utf8)), .name(Array("keys".utf8)), .wildcard]))
            return keys.isEmpty ? nil : keys.map { document.plainText(of: $0) }
        }
        return nil
    }

    private func body(_ sample: Sample) throws -> [UInt8] {
        try #require(Corpora.path("samples/\(sample.file)").flatMap(readFile))
    }

    private func daemon(_ upstream: SampleUpstream, every: String = "1h") -> DaemonUnderTest {
        var config =
            "version: 1\ndaemon: {allow_private: true}\ndefaults: {every: \(every), schedule: {min_gap: 0s}}\nfeeds:\n"
        for sample in Self.samples {
            config += "  \(sample.feed): {url: '\(upstream.url(sample.path))', \(sample.settings)}\n"
        }
        return DaemonUnderTest(config: config)
    }

    private func serveAll() throws -> SampleUpstream {
        let upstream = try SampleUpstream()
        for sample in Self.samples { upstream.put(try body(sample), type: sample.type, at: sample.path) }
        return upstream
    }

    private func filled(_ daemon: DaemonUnderTest) async throws {
        for sample in Self.samples {
            let there = try await eventually { try await daemon.keys(sample.feed).count == sample.count }
            #expect(there, "\(sample.file) does not arrive")
            try await daemon.landed(sample.feed)
        }
    }

    @Test("holds the records that the documents hold, under their keys")
    func recordsAndKeys() async throws {
        let upstream = try serveAll()
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon)
        for sample in Self.samples {
            let keys = try await daemon.keys(sample.feed)
            #expect(Set(keys).count == sample.count)
            if let expected = try expectedKeys(sample.file) {
                #expect(Set(keys) == Set(expected), "\(sample.file)")
            }
        }
        try await daemon.stop()
    }

    @Test("asks a second time conditionally, and then writes nothing")
    func secondRoundWritesNothing() async throws {
        let upstream = try serveAll()
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon)
        for sample in Self.samples {
            let key = try await daemon.syncKey(sample.feed)
            #expect(try await daemon.refresh(sample.feed) == "unchanged")
            let requests = upstream.requests(sample.path)
            #expect(requests.count == 2)
            #expect(requests.last?.header("if-none-match") == "\"\(FNV.hash64(try body(sample)))\"")
            #expect(try await daemon.syncKey(sample.feed) == key)
            #expect(try await daemon.changes(sample.feed, since: key).isEmpty)
        }
        try await daemon.stop()
    }

    @Test("turns an edit of one record into one change", arguments: samples.filter { !$0.edit.0.isEmpty })
    func oneEditOneChange(_ sample: Sample) async throws {
        let upstream = try serveAll()
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon)
        let key = try await daemon.syncKey(sample.feed)
        #expect(upstream.editRecord(sample))
        #expect(try await daemon.refresh(sample.feed) == "refreshed")
        let changes = try await daemon.changes(sample.feed, since: key)
        #expect(changes.count == 1)
        #expect(changes.first?.hasPrefix("upsert ") == true)
        try await daemon.stop()
    }

    @Test("keeps items, log and validators when it is killed")
    func survivesKill() async throws {
        let upstream = try serveAll()
        let daemon = daemon(upstream)
        try await daemon.start()
        try await filled(daemon)
        var before: [String: (keys: [String], sync: String)] = [:]
        for sample in Self.samples {
            before[sample.feed] = (try await daemon.keys(sample.feed), try await daemon.syncKey(sample.feed))
        }
        try await daemon.kill()
        try await daemon.start()
        for sample in Self.samples {
            #expect(try await daemon.keys(sample.feed) == before[sample.feed]?.keys)
            #expect(try await daemon.syncKey(sample.feed) == before[sample.feed]?.sync)
            #expect(try await daemon.refresh(sample.feed) == "unchanged")
            #expect(upstream.requests(sample.path).last?.header("if-none-match") != nil)
        }
        try await daemon.stop()
    }

    @Test("goes on serving when the upstream is gone, and says how it stands")
    func upstreamDown() async throws {
        let upstream = try serveAll()
        let daemon = daemon(upstream, every: "2s")
        try await daemon.start()
        try await filled(daemon)
        upstream.fail(with: 503)
        // A scheduled refresh may have been under way, and its success shared.
        #expect(try await eventually { try await daemon.refresh("products") == "failed" })
        #expect(try await lastError(of: "products", daemon) == "http-503")
        upstream.vanish()
        #expect(try await eventually { try await daemon.refresh("alerts") == "failed" })
        #expect(try await lastError(of: "alerts", daemon) == "connection-refused")
        for feed in ["products", "alerts"] {
            let isStale = try await eventually {
                try await daemon.json("/v1/feeds/\(feed)/items").flag("stale") == true
            }
            #expect(isStale, "\(feed) is not labelled stale")
            let page = try await daemon.json("/v1/feeds/\(feed)/items")
            #expect(page.list("items").count == 4)
            #expect(page.member(Array("error".utf8), of: page.root) != nil)
        }
        try await daemon.stop()
        // After a restart too, where nobody can be reached (semantics 4.19).
        try await daemon.start()
        for feed in ["products", "alerts"] {
            let page = try await daemon.json("/v1/feeds/\(feed)/items")
            #expect(page.list("items").count == 4)
            #expect(page.flag("stale") == true)
        }
        try await daemon.stop()
    }

    private func lastError(of feed: String, _ daemon: DaemonUnderTest) async throws -> String? {
        let status = try await daemon.json("/v1/feeds/\(feed)")
        let error = try #require(status.member(Array("last_error".utf8), of: status.root))
        return status.text("code", in: error)
    }
}

extension SampleUpstream {
    fileprivate func editRecord(_ sample: SamplesTests.Sample) -> Bool {
        // The first title of a feed is the feed's own: the edit goes into the second.
        guard sample.settings == "adapter: feed" else {
            return edit(sample.path, replacing: sample.edit.0, by: sample.edit.1)
        }
        return edit(sample.path, replacing: sample.edit.0, by: "<title >")
            && edit(sample.path, replacing: sample.edit.0, by: sample.edit.1)
    }
}

extension JSONDocument {
    fileprivate func plainText(of node: JSONNode) -> String {
        String(decoding: string(of: node) ?? Array(text(of: node)), as: UTF8.self)
    }
}
