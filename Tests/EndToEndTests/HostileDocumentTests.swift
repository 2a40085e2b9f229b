import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// Documents that mean harm, through the whole daemon: it says what was wrong, stays small, and answers meanwhile.
@Suite("The daemon on hostile documents", .timeLimit(.minutes(3))) struct HostileDocumentTests {
    private static let bomb =
        "<!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'>"
        + zip("bcdefghij", "abcdefghi").map { new, old in
            "<!ENTITY \(new) '\(String(repeating: "&\(old);", count: 10))'>"
        }.joined() + "]>"

    private static func documents(secret path: String) -> [String: [UInt8]] {
        [
            "/bomb.xml": Array((bomb + "<l><r id='1'>&j;</r></l>").utf8),
            "/bomb.rss": Array(
                (bomb + "<rss><channel><item><guid>1</guid><title>&j;</title></item></channel></rss>").utf8),
            "/file.xml": Array(
                "<!DOCTYPE l [<!ENTITY e SYSTEM 'file://\(path)'>]><l><r id='1'>&e;</r></l>".utf8),
            "/file.rss": Array(
                ("<!DOCTYPE rss [<!ENTITY e SYSTEM 'file://\(path)'>]>"
                    + "<rss><channel><item><guid>1</guid><title>a&e;b</title></item></channel></rss>").utf8),
            "/long.xml": Array("<l><r id='\(String(repeating: "x", count: 10_100_000))'/></l>".utf8),
            "/wide.xml": Array(
                ("<l>" + String(repeating: "<a><b/></a>", count: 8_000) + "<r id='1'/></l>").utf8),
        ]
    }

    // T-U9, T-U10.
    @Test(
        "bombs, foreign files, huge attributes and expressions without end cost bounded memory and nobody's time"
    )
    func all() async throws {
        let folder = TemporaryFolder()
        let documents = Self.documents(secret: folder.write("the secret text", to: "secret"))
        let upstream = try ScriptedUpstream { request in
            documents[request.path].map { UpstreamAnswer(body: $0) } ?? UpstreamAnswer(status: 404)
        }
        defer { upstream.stop() }
        func xml(_ name: String, _ file: String, _ path: String = "//r") -> String {
            "  \(name): {adapter: xml, url: '\(upstream.url(file))', "
                + "records: {path: '\(path)', fields: {id: '@id', text: '.'}}, key: id}\n"
        }
        let daemon = DaemonUnderTest(
            config: "version: 1\ndaemon: {allow_private: true, per_origin: 8, origin_gap: 0s}\nfeeds:\n"
                + xml("bomb", "/bomb.xml") + xml("file", "/file.xml") + xml("long", "/long.xml")
                + xml("steps", "/wide.xml", "//*[count(//*[count(//*) > 1]) > 1]")
                + "  bomb-feed: {adapter: feed, url: '\(upstream.url("/bomb.rss"))'}\n"
                + "  file-feed: {adapter: feed, url: '\(upstream.url("/file.rss"))'}\n")
        try await daemon.start()
        let codes = [
            "bomb": "xml-refused", "file": "xml-refused", "long": "xml-invalid", "steps": "xpath-failed",
        ]
        for (feed, code) in codes {
            let hasFailed = try await eventually {
                let status = try await daemon.json("/v1/feeds/\(feed)")
                let error = status.member(Array("last_error".utf8), of: status.root)
                return error.flatMap { status.text("code", in: $0) } == code
            }
            let status = await daemon.api.get("/v1/feeds/\(feed)")?.text
            #expect(hasFailed, "\(feed): \(status ?? "")")
        }
        for feed in ["bomb-feed", "file-feed"] {
            // What a feed's own entities would be is left as it was written.
            #expect(try await eventually { try await daemon.keys(feed) == ["1"] })
            let items = try #require(await daemon.api.get("/v1/feeds/\(feed)/items")).text
            #expect(!items.contains("secret text") && !items.contains("aaaaaaaaaa"))
            #expect(items.utf8.count < 10_000)
        }
        #expect(await daemon.api.get("/readyz")?.status == 200)
        let process = try #require(daemon.process)
        let peak = try #require(Self.peak(process.pid))
        #expect(peak < 150_000, "the daemon has grown to \(peak) kB")
        try await daemon.stop()
    }

    /// Kilobytes of memory that a process has had at most.
    private static func peak(_ pid: Int32) -> Int? {
        guard let status = readFile("/proc/\(pid)/status") else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("VmHWM:") }.flatMap { line in
            line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        }
    }
}
