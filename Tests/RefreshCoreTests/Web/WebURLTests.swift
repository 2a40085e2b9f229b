import RefreshCore
import Testing

@Suite("URLs") struct WebURLTests {
    @Test(
        "are brought into one form",
        arguments: [
            ("http://example.com", "http://example.com/"),
            ("HTTPS://Example.COM:443/", "https://example.com/"),
            ("http://example.com:80/a", "http://example.com/a"),
            ("http://example.com:8080", "http://example.com:8080/"),
            ("http://example.com:/a", "http://example.com/a"),
            ("http://example.com:0080/", "http://example.com/"),
            ("https://example.com:80/", "https://example.com:80/"),
            ("http://e.com/a/./b/../c", "http://e.com/a/c"),
            ("http://e.com/../a", "http://e.com/a"), ("http://e.com/a/%2e%2E/b", "http://e.com/b"),
            ("http://e.com/a/..", "http://e.com/"), ("http://e.com/a//b", "http://e.com/a//b"),
            ("http://e.com/%7ea%c3%bc", "http://e.com/%7Ea%C3%BC"),
            ("http://e.com/%2520", "http://e.com/%2520"),
            ("http://e.com/ü?q=é", "http://e.com/%C3%BC?q=%C3%A9"), ("http://e.com?a=b", "http://e.com/?a=b"),
            ("http://e.com/?", "http://e.com/?"), ("http://e.com/a#b?c", "http://e.com/a"),
            ("http://e.com#/../x", "http://e.com/"),
            ("http://e.com/a?b=<c>|{d}\"", "http://e.com/a?b=%3Cc%3E%7C%7Bd%7D%22"),
            ("http://e.com/?a[]=1&b=c/d?e", "http://e.com/?a[]=1&b=c/d?e"),
            ("http://e.com/?a=\\b", "http://e.com/?a=%5Cb"),
            ("http://[2001:DB8:0:0:0:0:0:1]:80/", "http://[2001:db8::1]/"),
            ("http://[::FFFF:192.0.2.1]/", "http://[::ffff:c000:201]/"),
            ("http://192.0.2.1:1/", "http://192.0.2.1:1/"),
            ("http://my_host.example./", "http://my_host.example./"),
            ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
            ("http://localhost:65535/", "http://localhost:65535/"),
        ])
    func areBroughtIntoOneForm(text: String, expected: String) throws {
        let url = try WebURL(parsing: text)
        #expect(url.description == expected)
        #expect(try WebURL(parsing: url.description) == url, "a second reading changes nothing")
    }

    @Test(
        "are refused with place and remedy",
        arguments: [
            ("", 0, #"missing "https://" or "http://" at the start"#),
            ("example.com/feed", 0, #"missing "https://" or "http://" at the start"#),
            ("example.com:8080/feed", 0, #"missing "https://" or "http://" at the start"#),
            ("localhost:8080", 0, #"missing "https://" or "http://" at the start"#),
            ("//example.com/", 0, #"missing "https://" or "http://" at the start"#),
            ("ftp://example.com/", 0, #"scheme "ftp" is not fetched; write an http or https URL"#),
            ("file:///etc/passwd", 0, #"scheme "file" is not fetched; write an http or https URL"#),
            ("http:/example.com", 4, #"missing host; write "http://" and a host"#),
            ("http:///a", 7, "missing host"), ("http://:80/", 7, "missing host"),
            ("http://", 7, "missing host"),
            (
                "http://user:secret@e.com/", 7,
                #"user name and password do not belong into a URL; put them under "auth""#
            ),
            ("http://@e.com/", 7, #"user name and password do not belong into a URL; put them under "auth""#),
            ("http://e.com/a b", 14, #"a URL has no spaces; write "%20""#),
            (" http://e.com/", 0, #"a URL has no spaces; write "%20""#),
            ("http://e.com/\r\nX: y", 13, "a URL has no control characters or line ends"),
            ("http://e.com/#\u{0}", 14, "a URL has no control characters or line ends"),
            ("http://e.com/\u{7F}", 13, "a URL has no control characters or line ends"),
            ("http://e.com/100%", 16, #""%" without two hexadecimal digits; write "%25""#),
            ("http://e.com/?a=%zz", 16, #""%" without two hexadecimal digits; write "%25""#),
            ("http://e.com\\a", 12, #"a URL has no backslashes; write "/""#),
            ("http://e.com/a\\b", 14, #"a URL has no backslashes; write "/""#),
            ("http://bücher.example/", 8, "host with letters beyond ASCII; write it in punycode (xn--…)"),
            ("http://e%2ecom/", 8, "a host has no percent-encoding; write it in punycode (xn--…)"),
            ("http://e!.com/", 8, "a host has letters, digits, hyphens and points only"),
            ("http://e..com/", 7, "a host's parts have 1 to 63 letters, 253 in all"),
            ("http://e.com:0/", 13, "a port is between 1 and 65535"),
            ("http://e.com:65536/", 13, "a port is between 1 and 65535"),
            ("http://e.com:99999999999999999999/", 13, "a port is between 1 and 65535"),
            ("http://e.com:8o/", 14, "a port is a number"),
            ("http://::1/", 8, "an IPv6 address stands in brackets, as in http://[::1]/"),
            ("http://[::1/", 7, #"IPv6 address without its "]""#),
            ("http://[::1]a/", 12, "only a port may follow an address"),
            ("http://[1::2::3]/", 7, "no IPv6 address"), ("http://[v1.x]/", 7, "no IPv6 address"),
            ("http://[fe80::1%25eth0]/", 7, "addresses with a zone are not fetched; write one without"),
            ("http://127.1/", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
            ("http://2130706433/", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
            ("http://0x7f000001/", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
            ("http://0177.0.0.1/", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
            ("http://192.0.2.256/", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
            ("http://1.2.3.4./", 7, "an IPv4 address is four numbers from 0 to 255, as in 192.0.2.1"),
        ])
    func areRefused(text: String, offset: Int, message: String) {
        #expect(throws: WebURL.Failure(offset: offset, message: message)) { try WebURL(parsing: text) }
    }

    @Test("refuse labels and hosts beyond what names can have")
    func longHosts() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try WebURL(parsing: "http://\(label).com/").host.utf8.count == 67)
        #expect(throws: WebURL.Failure.self) { try WebURL(parsing: "http://\(label)a.com/") }
        #expect(throws: WebURL.Failure.self) {
            try WebURL(parsing: "http://\(label).\(label).\(label).\(label).com/")
        }
    }

    @Test("have a request target of path and query")
    func requestTarget() throws {
        #expect(try WebURL(parsing: "http://e.com?b=c#d").requestTarget == "/?b=c")
        #expect(try WebURL(parsing: "http://e.com/a").requestTarget == "/a")
    }

    @Test("have one origin for each scheme, host and port")
    func origin() throws {
        let same = ["http://E.com", "http://e.com:80/a?b", "HTTP://e.com:080/"]
        #expect(Set(try same.map { try WebURL(parsing: $0).origin }).count == 1)
        let others = ["http://e.com", "https://e.com", "http://e.com:8080", "http://f.com"]
        #expect(Set(try others.map { try WebURL(parsing: $0).origin }).count == 4)
    }
}
