import RefreshClient
import RefreshConfig
import RefreshCore
import TestSupport
import Testing

@Suite("Suggestions", .timeLimit(.minutes(1))) struct SuggestTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var path = "/data"
        var type: String?
        var headers: [(String, String)] = []
        let body: String
        /// Lines that have to stand in what is printed, without their comments.
        let wanted: [String]

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "an Atom feed", type: "application/atom+xml",
            body: "<feed xmlns='http://www.w3.org/2005/Atom'><title>A: b</title><id>u:1</id>"
                + "<entry><id>u:2</id><title>x</title></entry></feed>",
            wanted: ["  a-b:", "adapter: feed", "title: \"A: b\""]),
        Case(
            name: "an RSS feed", type: "text/html",
            body: "<rss version='2.0'><channel><title>no</title><item><guid>1</guid><title>x</title></item>"
                + "</channel></rss>",
            wanted: ["  \"no\":", "adapter: feed", "title: \"no\""]),
        Case(
            name: "a JSON Feed",
            body:
                #"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","content_text":"x"}]}"#,
            wanted: ["  j:", "adapter: feed"]),
        Case(
            name: "a JSON array", body: #"[{"a":1,"id":"x"},{"a":1,"id":"y"}]"#,
            wanted: ["adapter: json", "key: id"]),
        Case(
            name: "rows deep in a document, with a time and a link",
            body: #"{"meta":{"next":"/data?p=2","tags":[]},"data":{"the items":["#
                + #"{"sku":"a","price":1.5,"updated_at":"2026-01-01T00:00:00Z"},"#
                + #"{"sku":"b","price":2.5,"updated_at":"2026-01-02T00:00:00Z"}]}}"#,
            wanted: [
                "records: {path: \"$['data']['the items']\"}", "key: sku",
                "sort: {by: updated_at, type: time}", "paginate: {type: link, next: meta.next}",
            ]),
        Case(
            name: "a Link header", headers: [("Link", "</data?page=2>; rel=\"next\"")],
            body: #"[{"id":1},{"id":2}]"#, wanted: ["key: id", "paginate: link_header"]),
        Case(
            name: "a cursor", path: "/data?limit=2&cursor=abc",
            body: #"{"results":[{"id":1},{"id":2}],"next_cursor":"def","has_more":true}"#,
            wanted: [
                "url: URL/data?limit=2",
                "paginate: {type: cursor, next: next_cursor, to: {param: cursor}, more: has_more}",
            ]),
        Case(
            name: "total pages", path: "/data?page=1&q=x",
            body: #"{"items":[{"id":1},{"id":2}],"total_pages":9}"#,
            wanted: [
                "url: URL/data?q=x", "paginate: {type: page, to: {param: page}, total_pages: total_pages}",
            ]),
        Case(
            name: "a total", path: "/data?offset=0",
            body: #"{"items":[{"id":1},{"id":2}],"total":11}"#,
            wanted: [
                "paginate: {type: offset, to: {param: offset}, total: total, size: 2, size_to: {param: limit}}"
            ]),
        Case(
            name: "rows that two values tell apart",
            body: #"[{"from":"a","to":"b"},{"from":"a","to":"c"},{"from":"b","to":"c"}]"#,
            wanted: ["key: [from, to]"]),
        Case(name: "an array of strings", body: #"["a","b"]"#, wanted: ["adapter: json", "key: $"]),
        Case(name: "an empty list", body: "[]", wanted: ["adapter: json", "key: id"]),
        Case(name: "an object without a list", body: #"{"a":1}"#, wanted: ["adapter: http"]),
        Case(
            name: "a JSON value a line", body: "{\"id\":1}\n{\"id\":2}\n",
            wanted: ["adapter: json", "records: {format: jsonl}", "key: id"]),
        Case(
            name: "a CSV table", type: "text/csv",
            body: "name;code;date\nx;1;2026-01-01\nx;2;2026-01-02\n",
            wanted: ["adapter: csv", "key: code", "sort: {by: date, type: time}"]),
        Case(
            name: "an XML list", type: "application/xml",
            body: "<r xmlns='urn:x'><head/><list><i id='1'><n>a</n></i><i id='2'><n>a</n></i></list></r>",
            wanted: ["adapter: xml", "key: \"@id\""]),
        Case(
            name: "a page that names feeds", type: "text/html",
            body: "<!DOCTYPE html><html><head><link rel=alternate type=application/rss+xml href=/a.rss>"
                + "<link rel=alternate type=application/atom+xml href=/b.atom></head></html>",
            wanted: ["adapter: feed", "url: URL/a.rss", "url: URL/b.atom"]),
        Case(
            name: "a table of a page", type: "text/html",
            body: "<html><body><table><tr><th>Code</th><th>Rate</th></tr><tr><td>a</td><td>1</td></tr>"
                + "<tr><td>b</td><td>1</td></tr></table></body></html>",
            wanted: ["adapter: html", "key: \"td[1]\""]),
        Case(name: "bytes", type: "image/png", body: "\u{1}\u{2}", wanted: ["adapter: http"]),
    ]

    @Test("recognise what is there, and pass check", arguments: cases)
    func recognise(_ item: Case) async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: (item.type.map { [("Content-Type", $0)] } ?? []) + item.headers, text: item.body)
        }
        let rig = try Rig([:])
        let ending = try await rig.run(["suggest", "--allow-private", upstream.url(item.path)])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(ending.errors == "")
        let lines = ending.output.split(separator: "\n").map { line in
            String(line.split(separator: "  #")[0]).replacing(upstream.url(""), with: "URL")
        }
        for wanted in item.wanted {
            #expect(
                lines.contains(wanted) || lines.contains("    \(wanted)"), "\(wanted) in:\n\(ending.output)")
        }
        let file = rig.folder.write("version: 1\nfeeds:\n\(ending.output)", to: "f.yaml")
        let check = try await rig.run(["check", file])
        #expect(check.code == .ok, "\(check.output)")
        // What was guessed can be tried at once.
        let name = lines[0].split(separator: ":")[0].filter { $0 != " " && $0 != "\"" }
        let trial = try await rig.run(["try", String(name), file, "--pages", "1"])
        if !item.wanted.contains(where: { $0.contains(".rss") }) {
            #expect(trial.code == .ok, "\(trial.output)\(trial.errors)")
        }
    }

    @Test("need leave for a private address, and a good answer")
    func refusals() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(status: 403) }
        let rig = try Rig([:])
        let closed = try await rig.run(["suggest", upstream.url("/a?token=x")])
        #expect(closed.code == .failure)
        #expect(closed.errors.contains("--allow-private"))
        let refused = try await rig.run(["suggest", "--allow-private", upstream.url("/a?token=x")])
        #expect(refused.code == .failure)
        #expect(refused.errors.contains("answers with status 403; it may want credentials"))
        #expect(!refused.errors.contains("token=x"))
    }
}
