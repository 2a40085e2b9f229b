import RefreshCore
import Testing

@testable import RefreshTransfer

@Suite("Heads of requests") struct RequestHeadTests {
    private static func request(
        _ headers: [(String, String)] = [], validators: Validators = Validators(),
        userAgent: String = "agent",
        method: String = "GET", body: [UInt8]? = nil
    ) throws -> TransferRequest {
        TransferRequest(
            url: try WebURL(parsing: "https://a.example/"), headers: HTTPHeaders(headers),
            validators: validators,
            userAgent: userAgent, method: method, body: body)
    }

    private static func head(_ request: TransferRequest, atHome: Bool) throws -> RequestHead {
        try RequestHead(request, atHome: atHome, method: request.method, hasBody: request.body != nil)
    }

    @Test("hold the headers of the file at home and only Accept abroad")
    func dropsAbroad() throws {
        let request = try Self.request([
            ("X-Key", "s"), ("ACCEPT", "a/b"), ("Authorization", "t"), ("Host", "h"),
        ])
        #expect(
            try Self.head(request, atHome: true).lines == [
                "X-Key: s", "ACCEPT: a/b", "Authorization: t", "Host: h", "User-Agent: agent",
                "Accept-Encoding: gzip",
            ])
        #expect(
            try Self.head(request, atHome: false).lines
                == ["ACCEPT: a/b", "User-Agent: agent", "Accept-Encoding: gzip"])
    }

    @Test("name the agent of the file, where it has one, once")
    func ownAgent() throws {
        let request = try Self.request([("user-agent", "mine")])
        #expect(
            try Self.head(request, atHome: true).lines == ["user-agent: mine", "Accept-Encoding: gzip"])
        #expect(
            try Self.head(request, atHome: false).lines == ["User-Agent: agent", "Accept-Encoding: gzip"])
    }

    @Test("keep an empty header, which libcurl would drop")
    func emptyHeader() throws {
        #expect(try Self.head(Self.request([("X-Empty", "")]), atHome: true).lines.first == "X-Empty;")
    }

    @Test(
        "refuse what could end a line",
        arguments: [
            ("X-A", "1\r\nX-B: 2"), ("X-A", "1\n"), ("X-A", "\u{0}"), ("X-A\r\nX-B", "1"), ("X A", "1"),
            ("", "1"),
            ("X-A:", "1"), ("X-A", "\u{7F}"),
        ])
    func refusesInjection(_ name: String, _ value: String) throws {
        let request = try Self.request([(name, value)])
        #expect(throws: TransferFailure.self) { try Self.head(request, atHome: true) }
    }

    @Test("refuse an agent or a method that could end a line")
    func refusesOthers() throws {
        let agent = try Self.request(userAgent: "a\r\nX: y")
        #expect(throws: TransferFailure.self) { try Self.head(agent, atHome: true) }
        let method = try Self.request(method: "GET / HTTP/1.1\r\nX: y")
        #expect(throws: TransferFailure.self) { try Self.head(method, atHome: true) }
    }

    @Test(
        "leave to the daemon what is the daemon's",
        arguments: ["Accept-Encoding", "if-none-match", "Content-Length", "Transfer-Encoding", "Connection"])
    func refusesReserved(_ name: String) throws {
        let request = try Self.request([(name, "x")])
        #expect(
            throws: TransferFailure.badRequest(reason: "the header \"\(name)\" is not for the file to set")
        ) {
            try Self.head(request, atHome: true)
        }
    }

    @Test("send both validators, and none that could end a line")
    func validators() throws {
        let both = try Self.request(validators: Validators(etag: "W/\"x\"", lastModified: "yesterday"))
        #expect(
            try Self.head(both, atHome: false).lines.suffix(2)
                == ["If-None-Match: W/\"x\"", "If-Modified-Since: yesterday"])
        let bad = try Self.request(validators: Validators(etag: "\"x\"\r\nX-Evil: 1", lastModified: "\n"))
        #expect(try Self.head(bad, atHome: true).lines.last == "Accept-Encoding: gzip")
    }
}

@Suite("Heads of answers") struct ResponseHeadTests {
    private static func head(_ lines: [String]) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { _ = head.take(Array((line + "\r\n").utf8)) }
        return head
    }

    @Test("are complete at the empty line")
    func complete() {
        var head = Self.head(["HTTP/1.1 200 OK", "ETag:  \"a\" \t", "X: 1", "x: 2"])
        #expect(!head.isComplete)
        let isEnd = head.take(Array("\r\n".utf8))
        #expect(isEnd && head.isComplete)
        #expect(head.status == 200)
        #expect(head.headers == HTTPHeaders([("ETag", "\"a\""), ("X", "1"), ("x", "2")]))
    }

    @Test("forget interim answers")
    func interim() {
        let head = Self.head([
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 404 Not Found", "X: 1", "",
        ])
        #expect(head.status == 404)
        #expect(head.headers == HTTPHeaders([("X", "1")]))
        #expect(!Self.head(["HTTP/1.1 100 Continue", ""]).isComplete)
    }

    @Test("forget trailers, also those that look like a head")
    func trailers() {
        let head = Self.head([
            "HTTP/1.1 200 OK", "X: 1", "", "ETag: \"late\"", "HTTP/1.1 500 No", "Y: 1", "",
        ])
        #expect(head.status == 200)
        #expect(head.headers == HTTPHeaders([("X", "1")]))
    }

    @Test("join folded lines and skip lines that are no field")
    func folded() {
        let head = Self.head(["HTTP/1.1 200 OK", "X: 1", "  and 2", "nonsense", "Y:", ""])
        #expect(head.headers == HTTPHeaders([("X", "1 and 2"), ("Y", "")]))
    }

    @Test("hold a validator byte for byte or not at all")
    func validatorBytes() {
        var head = ResponseHead()
        for line in [
            Array("HTTP/1.1 200 OK\r\n".utf8), Array("ETag: \"".utf8) + [0xE9] + Array("\"\r\n".utf8),
            Array("Last-Modified: é\r\n".utf8), Array("X-Name: ".utf8) + [0xE9, 0x0D, 0x0A],
            Array("\r\n".utf8),
        ] {
            _ = head.take(line)
        }
        #expect(head.headers == HTTPHeaders([("Last-Modified", "é"), ("X-Name", "é")]))
    }

    @Test("count every byte")
    func counts() {
        #expect(Self.head(["HTTP/1.1 200 OK", "X: 1", ""]).bytes == 17 + 6 + 2)
    }
}
