import RefreshCore
import TestSupport
import Testing

@Suite("References") struct WebURLResolvingTests {
    /// RFC 3986, 5.4.1 and 5.4.2, without their fragments.
    @Test(
        "mean what RFC 3986 says",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
        ])
    func examples(reference: String, expected: String) throws {
        let base = try WebURL(parsing: "http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).description == expected)
    }

    @Test("of 5.4 that lead elsewhere are refused", arguments: [("g:h", 0), ("http:g", 4)])
    func elsewhere(reference: String, offset: Int) throws {
        let base = try WebURL(parsing: "http://a/b/c/d;p?q")
        let failure = #expect(throws: WebURL.Failure.self) { try base.resolving(reference) }
        #expect(failure?.offset == offset)
    }

    @Test(
        "from upstreams are read as browsers do",
        arguments: [
            (" \n/a b.pdf ", "https://e.com:8443/a%20b.pdf"), ("?q=100%", "https://e.com:8443/x/y?q=100%25"),
            ("/ü", "https://e.com:8443/%C3%BC"), ("?", "https://e.com:8443/x/y?"),
            ("HTTP://F.com:80/z", "http://f.com/z"), ("//f.com", "https://f.com/"), ("a:/b", nil),
            ("/\\evil.com", nil), ("\\\\evil.com", nil), ("//user@f.com/", nil), ("javascript:alert(1)", nil),
            ("/a\r\nb", nil), ("//f.com:0/", nil), ("./a:b", "https://e.com:8443/x/a:b"),
            ("1:b", "https://e.com:8443/x/1:b"),
        ])
    func fromUpstreams(reference: String, expected: String?) throws {
        let base = try WebURL(parsing: "https://e.com:8443/x/y")
        if let expected {
            #expect(try base.resolving(reference).description == expected)
        } else {
            #expect(throws: WebURL.Failure.self) { try base.resolving(reference) }
        }
    }

    /// What WHATWG reads and we refuse, by the end of our message, with the reason.
    private static let refusedOnPurpose = [
        ("under \"auth\"", "credentials stand in the configuration, not in URLs"),
        ("control characters or line ends", "browsers drop them silently; an injection would hide there"),
        ("no backslashes; write \"/\"", "programs disagree on what they mean"),
        ("and a host", "a scheme without \"//\" has no host (RFC 3986, 3.2)"),
        ("missing host", "more than two slashes are no host"),
        ("\"https://\" or \"http://\" at the start", "no scheme and no base"),
        ("write \"%25\"", "a percent sign that encodes nothing, in a text that a person wrote"),
        ("in punycode (xn--…)", "host names are mapped by who writes them"),
        ("between 1 and 65535", "nobody listens on port 0"),
        ("as in 192.0.2.1", "IPv4 addresses in octal, hexadecimal, fewer parts, or with a point behind"),
        ("have 1 to 63 letters, 253 in all", "empty labels"),
        ("hyphens and points only", "further letters in hosts"),
        ("no IPv6 address", "brackets around something else"),
    ]

    /// The suite is written for browsers; of it the cases count here that lead to http or https, or nowhere, from no
    /// base or one of these. Results must be equal but for fragments, the case of percent-encodings, and letters that
    /// RFC 3986 has encoded. What browsers repair and we refuse is on the list above, and counted.
    @Test("agree with the WHATWG cases", .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
    func corpus() throws {
        var counts: [Verdict: Int] = [:]
        for item in CorpusValue.lines(of: "url/cases.jsonl") {
            let verdict = try judge(item)
            counts[verdict, default: 0] += 1
            #expect(verdict != .wrong, "\(item["name"]) \(item["input"])")
        }
        print("url: \(counts.map { "\($0.key) \($0.value)" }.sorted())")
        #expect(counts[.same, default: 0] >= 84)
        #expect(counts[.bothRefuse, default: 0] >= 202)
        #expect(counts[.refusedOnPurpose, default: 0] <= 84)
    }

    private enum Verdict { case same, bothRefuse, notHTTP, otherBase, refusedOnPurpose, wrong }

    private func judge(_ item: CorpusValue) throws -> Verdict {
        let input = try #require(item["input"].text)
        let expected = item["expected"]
        let result: Result<WebURL, WebURL.Failure>
        if let text = item["base"].text {
            guard let base = try? WebURL(parsing: text) else { return .otherBase }
            result = Result { () throws(WebURL.Failure) in try base.resolving(input) }
        } else {
            result = Result { () throws(WebURL.Failure) in try WebURL(parsing: input) }
        }
        let isWanted = item["http_result"].isTrue && !expected["failure"].isTrue
        switch result {
        case .success(let url):
            guard isWanted, let href = expected["href"].text else { return .wrong }
            return same(url.description, String(href.prefix { $0 != "#" })) ? .same : .wrong
        case .failure(let failure):
            if expected["failure"].isTrue { return .bothRefuse }
            guard isWanted else { return .notHTTP }
            let isListed = WebURLResolvingTests.refusedOnPurpose.contains { failure.message.hasSuffix($0.0) }
            return isListed ? .refusedOnPurpose : .wrong
        }
    }

    /// Whether two URLs differ only in the case of percent-encodings.
    private func same(_ left: String, _ right: String) -> Bool {
        func raised(_ text: String) -> [UInt8] {
            var bytes = Array(text.utf8)
            for place in bytes.indices where bytes[place] == 0x25 && place + 2 < bytes.count {
                for digit in place + 1...place + 2 where (0x61...0x66).contains(bytes[digit]) {
                    bytes[digit] &= 0xDF
                }
            }
            return bytes
        }
        return raised(left) == raised(right)
    }
}
