import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// The built daemon against the pages of a real archive (OAI-PMH 2.0), kept on loopback.
@Suite(
    "The daemon on an archive's pages", .enabled(if: Corpora.folder != nil, "the corpora are absent"),
    .timeLimit(.minutes(2)))
struct RecordedPagesTests {
    private static let live = "oai:test.example.com:1585322"
    private static let deleted = "oai:test.example.com:1585310"

    /// The bodies by their queries.
    private static func recorded() throws -> [String: [UInt8]] {
        let path = try #require(Corpora.path("samples/oai-pmh-listrecords-pages.json"))
        let document = try JSONDocument(parsing: PaddedBytes(try #require(readFile(path))))
        var pages: [String: [UInt8]] = [:]
        for pair in document.elements(of: document.root) {
            let request = try #require(document.member(Array("request".utf8), of: pair))
            let response = try #require(document.member(Array("response".utf8), of: pair))
            let url = try #require(document.text("url", in: request))
            let body = try #require(document.member(Array("body".utf8), of: response))
            pages[String(url.drop { $0 != "?" })] = document.string(of: body)
        }
        return pages
    }

    /// As if nothing had been deleted yet.
    private static func undeleted(_ body: [UInt8]) -> [UInt8] {
        var body = body
        let mark = Array(" status=\"deleted\"".utf8)
        while let range = body.firstRange(of: mark) { body.removeSubrange(range) }
        return body
    }

    @Test("goes through all of them by the token, and deletes what the archive says is deleted")
    func tombstones() async throws {
        let pages = try Self.recorded()
        #expect(pages.count == 4)
        let hasDeleted = UpstreamSwitch()
        let upstream = try ScriptedUpstream { request in
            guard let body = pages[String(request.target.drop { $0 != "?" })] else {
                return UpstreamAnswer(status: 404)
            }
            return UpstreamAnswer(
                headers: [("Content-Type", "text/xml")], body: hasDeleted.isOn ? body : Self.undeleted(body))
        }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(
            config: """
                version: 1
                daemon: {allow_private: true}
                feeds:
                  archive:
                    adapter: xml
                    every: 1h
                    schedule: {min_gap: 0s}
                    request:
                      url: \(upstream.url("/oai"))
                      params: {verb: ListRecords, metadataPrefix: oai_dc}
                    records:
                      path: //o:record
                      namespaces: {o: "http://www.openarchives.org/OAI/2.0/"}
                      fields: {id: o:header/o:identifier, status: o:header/@status, at: o:header/o:datestamp}
                    key: id
                    paginate: {type: cursor, next: string(//o:resumptionToken), to: {param: resumptionToken}, alone: [metadataPrefix]}
                    deletes: {when: "@.status == 'deleted'"}
                    keep: {gone: 0s}
                """)
        try await daemon.start()
        let isThere = try await eventually {
            try await daemon.keys("archive").count == 2 && upstream.requests.count == 4
        }
        #expect(isThere, "\(daemon.process?.errors ?? "")")
        try await daemon.landed("archive")
        #expect(try await Set(daemon.keys("archive")) == [Self.live, Self.deleted])
        #expect(upstream.requests.count == 4)
        #expect(upstream.requests.dropFirst().allSatisfy { !$0.target.contains("metadataPrefix") })
        let key = try await daemon.syncKey("archive")
        hasDeleted.turnOn()
        #expect(try await daemon.refresh("archive") == "refreshed")
        #expect(try await daemon.keys("archive") == [Self.live])
        #expect(try await daemon.changes("archive", since: key) == ["delete \(Self.deleted)"])
        #expect(upstream.requests.count == 8)
        // One record of the last page has no identifier: it is refused, and the rest stands.
        #expect(try await daemon.json("/v1/feeds/archive").text("state") == "active")
        try await daemon.stop()
    }
}
