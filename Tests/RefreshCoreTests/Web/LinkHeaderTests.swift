import RefreshCore
import TestSupport
import Testing

@Suite("The Link header field") struct LinkHeaderTests {
    private func base() throws -> WebURL { try WebURL(parsing: "https://example.com/a/b?page=1") }

    @Test(
        "holds links with their types",
        arguments: [
            (#"<https://api.example.com/x?page=2>; rel="next", </x?page=9>; rel="last""#, ["next", "last"]),
            ("<a>; rel=next", ["next"]), ("<a>;rel=\"prev next\"", ["prev next"]), ("", []), (" , ", []),
            ("<a>; rel=\"ne\\xt\"", ["next"]), ("<a>; title=\"x, <b>; rel=no\"; rel=yes", ["yes"]),
            ("<a>; rel=one; rel=two", ["one"]), ("<a>;;rel=one;", ["one"]), ("<a,b;c>; rel=one", ["one"]),
            ("<a>; REL=One", ["One"]), ("<a>; rel = one", ["one"]), ("<a>; rel=one , , <b>; rel=two", ["one", "two"]),
            ("<a>; rel=one, b; rel=two", ["one"]), ("<a; rel=one", []), ("<a>; rel=\"one", ["one"]), ("<a>; crossorigin", [""]),
            ("<a>; =x", [""]),
        ])
    func hasTypes(field: String, relations: [String]) {
        #expect(LinkHeader.links(in: field).map { $0.relations.joined(separator: " ") } == relations)
    }

    @Test("gives the next page, whatever the case, in any of the fields")
    func findsNext() throws {
        let headers = HTTPHeaders([
            ("Link", "<?page=1>; rel=prev"), ("link", "<?page=9>; rel=last, <?page=2>; rel=\"Next nofollow\""),
        ])
        let link = try #require(LinkHeader.first(relation: "next", in: headers, base: base()))
        #expect(try link.target(from: base()).description == "https://example.com/a/b?page=2")
        #expect(try LinkHeader.first(relation: "self", in: headers, base: base()) == nil)
        #expect(link.parameter("rel") == "Next nofollow")
    }

    @Test("leaves out links that are about another document")
    func obeysAnchors() throws {
        let headers = HTTPHeaders([
            ("Link", "<?page=7>; rel=next; anchor=\"/other\", <?page=2>; rel=next; anchor=\"#top\"")
        ])
        #expect(try LinkHeader.first(relation: "next", in: headers, base: base())?.reference == "?page=2")
        let bad = HTTPHeaders([("Link", #"<?page=7>; rel=next; anchor="mailto:x""#)])
        #expect(try LinkHeader.first(relation: "next", in: bad, base: base()) == nil)
    }

    /// The corpus resolves an anchor against the link's target; RFC 8288, 3.2, against the document.
    private static let anchoredAtTarget: Set<String> = ["anchor/14", "anchor/15"]

    @Test(
        "agrees with the corpus in targets, types and parameters",
        .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        let cases = CorpusValue.lines(of: "link-header/cases.jsonl")
        #expect(cases.count == 17)
        var differing: Set<String> = []
        for item in cases {
            let name = try #require(item["name"].text)
            let base = try WebURL(parsing: try #require(item["base"].text))
            let links = LinkHeader.links(in: try #require(item["header"].text))
            let link = try #require(links.count == 1 ? links.first : nil, "\(name)")
            let expected = item["expected"]
            if let target = expected["target_uri"].text {
                #expect(try link.target(from: base).description == target, "\(name)")
                #expect(link.reference == expected["target_string"].text, "\(name)")
            }
            if case .array(let types) = expected["relation_types"] {
                #expect(link.relations == types.compactMap(\.text), "\(name)")
            }
            if case .object(let parameters) = expected["link_parameters"] {
                #expect(Set(link.parameters.map(\.name)) == Set(parameters.keys), "\(name)")
                for (parameter, values) in parameters {
                    #expect(.array(link.parameters.filter { $0.name == parameter }.map { .string($0.value ?? "") }) == values)
                }
            }
            if let context = expected["context_uri"].text {
                let plain = String(context.prefix { $0 != "#" })
                if try link.context(from: base).description != plain { differing.insert(name) }
            }
        }
        #expect(differing == LinkHeaderTests.anchoredAtTarget)
        print("link-header: \(cases.count) of 17 in targets, types and parameters; \(differing.count) anchors by the RFC")
    }
}
