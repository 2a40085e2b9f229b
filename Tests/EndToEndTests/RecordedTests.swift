import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// The built daemon, from a file as people write it, on pages that real servers sent and on a calendar that a program
/// turns into JSON lines.
@Suite(
    "The daemon on recorded pages", .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"),
    .timeLimit(.minutes(2)))
struct RecordedTests {
    private func sample(_ name: String) throws -> [UInt8] {
        try #require(Corpora.path("samples/\(name)").flatMap(readFile))
    }

    private func daemon(_ feed: String) -> DaemonUnderTest {
        DaemonUnderTest(
            config: """
                version: 1
                daemon: {allow_private: true}
                defaults: {every: 1h, schedule: {min_gap: 0s}}
                feeds:
                \(feed)
                """)
    }

    @Test("follows the Link header through five pages to thirteen issues, and asks for nothing else")
    func issues() async throws {
        let upstream = try RecordedUpstream(
            sample("github-issues-pages.json"), origin: "https://api.github.com")
        let daemon = daemon(
            """
              issues:
                adapter: json
                url: \(upstream.url("/repos/octokit-fixture-org/paginate-issues/issues"))
                key: number
                sort: {by: number, type: number}
                paginate: {type: link_header, size: 3, size_to: {param: per_page}}
            """)
        try await daemon.start()
        let there = try await eventually { try await daemon.keys("issues").count == 13 }
        #expect(there)
        #expect(try await daemon.keys("issues") == (1...13).reversed().map(String.init))
        #expect(upstream.targets.count == 5)
        #expect(upstream.unrecorded == [])
        try await daemon.stop()
        print("github-issues-pages.json, end to end: \(upstream.targets.count) requests, 13 issues")
    }

    @Test("follows resumption tokens of an open archive, and takes its deleted records for deletions")
    func openArchive() async throws {
        let upstream = try RecordedUpstream(
            sample("oai-pmh-listrecords-pages.json"), origin: "http://test.example.com")
        let daemon = daemon(
            """
              archive:
                adapter: xml
                request: {url: "\(upstream.url("/oai"))", params: {verb: ListRecords, metadataPrefix: oai_dc}}
                records:
                  path: //o:record
                  namespaces: {o: http://www.openarchives.org/OAI/2.0/}
                  fields: {id: o:header/o:identifier, status: o:header/@status, at: o:header/o:datestamp}
                key: id
                paginate:
                  type: cursor
                  next: string(//o:resumptionToken)
                  to: {param: resumptionToken}
                  alone: [metadataPrefix]
                deletes: {when: "@.status == 'deleted'"}
            """)
        try await daemon.start()
        // The end of the pass is the moment at which its last page is stored.
        let there = try await eventually {
            let feed = try await daemon.json("/v1/feeds/archive")
            return upstream.targets.count == 4 && feed.flag("in_flight") == false
        }
        #expect(there)
        #expect(try await daemon.keys("archive") == ["oai:test.example.com:1585322"])
        #expect(upstream.targets.count == 4)
        #expect(upstream.unrecorded == [])
        try await daemon.stop()
        print("oai-pmh-listrecords-pages.json, end to end: \(upstream.targets.count) requests")
    }

    @Test("lets a program turn a calendar into lines, one holiday each, and one edit into one change")
    func calendar() async throws {
        let body = try sample("public-holidays.ics")
        let upstream = try SampleUpstream()
        upstream.put(body, type: "text/calendar", at: "/holidays.ics")
        let daemon = daemon(
            """
              holidays:
                adapter: json
                url: \(upstream.url("/holidays.ics"))
                records:
                  pipe:
                    - awk
                    - |-
                      { sub(/\\r$/, "") }
                      /^BEGIN:VEVENT/ { uid = ""; name = ""; day = "" }
                      /^UID:/ { uid = substr($0, 5) }
                      /^SUMMARY:/ { name = substr($0, 9); gsub(/\\\\/, "", name); gsub(/"/, "", name) }
                      /^DTSTART/ { day = $0; sub(/.*:/, "", day) }
                      /^END:VEVENT/ { printf "{\\"uid\\":\\"%s\\",\\"day\\":\\"%s\\",\\"name\\":\\"%s\\"}\\n", uid, day, name }
                key: uid
                sort: {by: day, type: text, direction: asc}
            """)
        try await daemon.start()
        let there = try await eventually { try await daemon.keys("holidays").count == 111 }
        #expect(there, "\(daemon.process?.errors ?? "")")
        try await daemon.landed("holidays")
        #expect(Set(try await daemon.keys("holidays")).count == 111)
        let key = try await daemon.syncKey("holidays")
        #expect(
            upstream.edit("/holidays.ics", replacing: "SUMMARY:Veterans Day", by: "SUMMARY:Day of Veterans"))
        #expect(try await daemon.refresh("holidays") == "refreshed")
        #expect(try await daemon.changes("holidays", since: key).count == 1)
        try await daemon.stop()
        print("public-holidays.ics through awk, end to end: 111 holidays")
    }
}
