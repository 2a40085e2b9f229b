import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("The demo archive") struct ArchiveTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    private func ask(_ query: String, _ headers: [String] = []) -> Heard {
        var upstream = Upstream(site: Site(seed: 1), since: Self.now)
        return upstream.hear("GET", "/archive?\(query)", headers, at: Self.now)
    }

    private func ids(_ body: String) -> [Int] {
        body.split(separator: "{\"id\":").compactMap { Int($0.prefix { $0 != "," }) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let query: String
        let ids: ClosedRange<Int>?
        /// The pages that the links lead to, and the size that they name.
        let next: Int?
        let prev: Int?
        let last: Int
        let size: Int
        var testDescription: String { query }
    }

    @Test(
        "is cut into pages that know their neighbours",
        arguments: [
            Case(query: "", ids: 438...487, next: 2, prev: nil, last: 10, size: 50),
            Case(query: "page=2", ids: 388...437, next: 3, prev: 1, last: 10, size: 50),
            Case(query: "page=10", ids: 1...37, next: nil, prev: 9, last: 10, size: 50),
            Case(query: "page=11", ids: nil, next: nil, prev: 10, last: 10, size: 50),
            Case(query: "page=1000000", ids: nil, next: nil, prev: 10, last: 10, size: 50),
            Case(query: "page=5&per_page=100", ids: 1...87, next: nil, prev: 4, last: 5, size: 100),
            Case(query: "per_page=1000", ids: 388...487, next: 2, prev: nil, last: 5, size: 100),
            Case(query: "page=487&per_page=1", ids: 1...1, next: nil, prev: 486, last: 487, size: 1),
        ])
    func cutsPages(_ item: Case) {
        let heard = ask(item.query)
        #expect(heard.status == 200)
        #expect(ids(heard.body) == (item.ids.map { $0.reversed() } ?? []))
        #expect(heard.has("X-Total: 487"))
        let links = [("next", item.next), ("prev", item.prev), ("first", 1), ("last", item.last)]
            .compactMap { name, page in
                page.map { "</archive?page=\($0)&per_page=\(item.size)>; rel=\"\(name)\"" }
            }
        #expect(heard.has("Link: \(links.joined(separator: ", "))"))
    }

    @Test("holds nothing beyond its last page") func ends() { #expect(ask("page=11").body == "[]") }

    @Test(
        "refuses what is no page",
        arguments: ["page=0", "page=-1", "page=x", "per_page=0", "page=99999999999999999999", "page=1000001"])
    func refuses(query: String) {
        let heard = ask(query)
        #expect(heard.status == 400)
        #expect(heard.string("code") == "no_such_page")
    }

    @Test("has a strong tag for each page, and with 304 still names the next")
    func hasTags() throws {
        let tags = (1...10).compactMap { page in
            ask("page=\(page)").head.split(separator: "\r\n").first { $0.hasPrefix("ETag: \"") }
        }
        #expect(Set(tags).count == 10)
        let tag = try #require(tags.first).dropFirst(6)
        let heard = ask("page=1", ["If-None-Match: \(tag)"])
        #expect(heard.status == 304)
        #expect(heard.head.contains(#"rel="next""#))
        #expect(heard.body.isEmpty)
    }
}
