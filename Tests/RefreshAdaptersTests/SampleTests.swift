import RefreshAdapters
import RefreshCore
import RefreshFormats
import RefreshTransfer
import TestSupport
import Testing

/// Pages that real servers sent, replayed to passes that find their own way.
@Suite("Recorded pages") struct SampleTests {
    /// The answers of a `*-pages.json` sample by the URL that was asked for.
    private func recorded(_ name: String) throws -> [(url: String, answer: TransferAnswer)]? {
        guard let path = Corpora.path("samples/\(name)") else { return nil }
        let document = try JSONDocument(parsing: PaddedBytes(try #require(readFile(path))))
        return try document.elements(of: document.root).map { pair in
            let request = try #require(document.member("request", of: pair))
            let response = try #require(document.member("response", of: pair))
            let url = try #require(document.text(document.member("url", of: request)))
            let body = try #require(document.member("body", of: response))
            var headers = HTTPHeaders()
            if let fields = document.member("headers", of: response) {
                for field in document.members(of: fields) {
                    headers.append(document.text(field.name) ?? "", document.text(field.value) ?? "")
                }
            }
            let bytes =
                body.kind == .string ? document.string(of: body) ?? [] : Array(document.text(of: body))
            return (
                url,
                TransferAnswer(
                    status: 200, headers: headers, body: PaddedBytes(bytes),
                    effectiveURL: try WebURL(parsing: url),
                    permanentTarget: nil, wireBytes: bytes.count, duration: .zero)
            )
        }
    }

    private func replay(_ rig: PassRig, _ pages: [(url: String, answer: TransferAnswer)]) -> PassRun {
        rig.run { request, _ throws(RefreshFailure) in
            guard let page = pages.first(where: { $0.url == request.url.description }) else {
                throw RefreshFailure(.upstream, code: "not-recorded", detail: request.url.description)
            }
            return page.answer
        }
    }

    @Test(
        "issues in five pages, chained by the Link header",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func issues() throws {
        let pages = try #require(try recorded("github-issues-pages.json"))
        var rig = try PassRig(url: pages[0].url.replacing("?per_page=3", with: "")) {
            $0.paging.kind = .linkHeader(rel: "next")
            $0.paging.size = 3
            $0.paging.sizeTo = .param("per_page")
        }
        rig.feed.records.key = [.json(try JSONPath(parsing: "number"))]
        let run = replay(rig, pages)
        #expect(run.requests.count == 5)
        #expect(Set(run.keys) == Set((1...13).map(String.init)))
        #expect(run.isComplete)
        #expect(run.stop == .noNext)
        print("github-issues-pages.json: \(run.requests.count) pages, \(run.keys.count) records")
    }

    @Test(
        "records of an open archive, chained by a token that is sent alone",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func openArchive() throws {
        let pages = try #require(try recorded("oai-pmh-listrecords-pages.json"))
        var rig = try PassRig(.xml, url: "http://test.example.com/oai") {
            $0.paging.kind = .cursor(
                next: .body(.xpath("string(//o:resumptionToken)")), to: .param("resumptionToken"),
                alone: ["metadataPrefix"])
        }
        rig.feed.request.params = [
            Param(name: "verb", value: Template("ListRecords")),
            Param(name: "metadataPrefix", value: Template("oai_dc")),
        ]
        var plan = RecordsPlan(path: .xpath("//o:record"), key: [.xpath("id")])
        plan.namespaces = [Namespace(prefix: "o", uri: "http://www.openarchives.org/OAI/2.0/")]
        plan.fields = [
            FieldPlan(name: "id", path: .xpath("o:header/o:identifier")),
            FieldPlan(name: "status", path: .xpath("o:header/@status")),
        ]
        rig.feed.records = plan
        rig.feed.deletes.when = try JSONFilter(parsing: "@.status == 'deleted'")
        let run = replay(rig, pages)
        #expect(run.failure == nil)
        #expect(run.requests.count == 4)
        #expect(run.stop == .noNext)
        #expect(Set(run.keys) == ["oai:test.example.com:1585310", "oai:test.example.com:1585322"])
        #expect(run.notes.reduce(0) { $0 + ($1.kept ?? 0) } == 7)
        // One record of the last page has no identifier.
        #expect(run.notes.reduce(0) { $0 + ($1.rejected ?? 0) } == 1)
        let deleted = run.pages.flatMap { $0.records?.rows ?? [] }.filter(\.isDeleted)
        #expect(Set(deleted.map(\.key.text)) == ["oai:test.example.com:1585310"])
        print("oai-pmh-listrecords-pages.json: \(run.requests.count) pages, 7 records, 2 keys")
    }

    @Test("cursors and deletions are read from columns and expressions too")
    func otherLanguages() throws {
        var field = IncrementalPlan.Field(cursor: .column("changed at"))
        field.to = .param("since")
        var csv = try PassRig(.csv) { $0.incremental = IncrementalPlan(kind: .field(field)) }
        csv.feed.records = RecordsPlan(key: [.column("#")])
        let table = "#,changed at\n1,2025-12-31T10:00:00Z\n2,2025-12-31T11:00:00Z\n"
        let first = csv.run { _, _ in PassRig.answer(table) }
        #expect(first.keys == ["1", "2"])
        let second = csv.run(checkpoint: first.checkpoint) { _, _ in PassRig.answer(table) }
        #expect(second.query("since", 0) == "2025-12-31T10%3A59%3A55Z")
        #expect(
            csv.run { _, _ in PassRig.answer("<!DOCTYPE html><p>Log in") }.failure?.code == "csv-expected")

        field.cursor = .xpath("@at")
        var html = try PassRig(.html) {
            $0.incremental = IncrementalPlan(kind: .field(field))
            $0.paging.kind = .link(next: .body(.xpath("string(//a[@rel='next']/@href)")))
        }
        html.feed.records = RecordsPlan(path: .xpath("//li"), key: [.xpath("name")])
        html.feed.records.fields = [FieldPlan(name: "name", path: .xpath("string(.)"))]
        let list = html.run { _, number in
            PassRig.answer(
                "<ul><li at='2025-12-31T0\(number):00:00Z'>n\(number)</ul>"
                    + (number == 1 ? "<a rel=next href='?page=2'>on</a>" : ""))
        }
        #expect(list.targets == ["/list", "/list?page=2"])
        #expect(list.keys == ["n1", "n2"])
        #expect(
            list.pages.first.map { String(decoding: $0.records?.text ?? [], as: UTF8.self) }
                == #"{"name":"n1"}"#)
        #expect(list.isComplete)
        let next = html.run(checkpoint: list.checkpoint) { _, _ in PassRig.answer("<ul></ul>") }
        #expect(next.query("since", 0) == "2025-12-31T01%3A59%3A55Z")
    }

    @Test("a document without records is one item, new when its bytes are")
    func document() throws {
        var rig = try PassRig(.http)
        rig.feed.records = RecordsPlan()
        let first = rig.run { _, _ in PassRig.answer("\u{0}\u{1}x") }
        #expect(first.keys == ["document"])
        #expect(first.isComplete)
    }
}
