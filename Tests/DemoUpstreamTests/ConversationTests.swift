import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("A talk with the demo upstream") struct ConversationTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private let site = Site(seed: 1)
    private var upstream: Upstream { Upstream(site: site, since: Self.now) }

    /// The status lines of what comes back to `requests`, and whether the talk is over.
    private func statuses(_ requests: String) -> (lines: [String], isOver: Bool) {
        var upstream = upstream
        var talk = Conversation()
        let answer = talk.receive(requests.utf8, at: Self.now, for: &upstream).bytes
        let lines = answer.split(separator: 0x0A).filter { $0.starts(with: "HTTP/1.1 ".utf8) }
        return (lines.map { String(decoding: $0.dropFirst(9).dropLast(), as: UTF8.self) }, talk.isOver)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let statuses: [String]
        let ends: Bool
        var testDescription: String { name }

        init(_ name: String, _ request: String, _ statuses: [String], ends: Bool) {
            self.name = name
            self.request = request
            self.statuses = statuses
            self.ends = ends
        }
    }

    @Test(
        "answers what was asked and hangs up when it should",
        arguments: [
            Case("a path that is", "GET / HTTP/1.1\r\n\r\n", ["200 OK"], ends: false),
            Case("a query is ignored", "GET /news.atom?a=b HTTP/1.1\r\n\r\n", ["200 OK"], ends: false),
            Case("a path that is not", "GET /other HTTP/1.1\r\n\r\n", ["404 Not Found"], ends: false),
            Case("another method", "PUT / HTTP/1.1\r\n\r\n", ["405 Method Not Allowed"], ends: false),
            Case("bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", ["200 OK"], ends: false),
            Case("close", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", ["200 OK"], ends: true),
            Case("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", ["200 OK"], ends: true),
            Case("HTTP/2", "GET / HTTP/2.0\r\n\r\n", ["400 Bad Request"], ends: true),
            Case(
                "two at once", "GET / HTTP/1.1\r\n\r\nGET /x HTTP/1.1\r\n\r\n", ["200 OK", "404 Not Found"],
                ends: false),
            Case(
                "nothing after close", "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.1\r\n\r\n", ["200 OK"], ends: true),
            Case("a body", "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", ["400 Bad Request"], ends: true),
            Case(
                "chunks", "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", ["400 Bad Request"],
                ends: true),
            Case("a folded line", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", ["400 Bad Request"], ends: true),
            Case("no target", "GET HTTP/1.1\r\n\r\n", ["400 Bad Request"], ends: true),
            Case("noise", "\u{1}\u{2}\r\n\r\n", ["400 Bad Request"], ends: true),
            Case("half a head", "GET / HTTP/1.1\r\nHost:", [], ends: false),
            Case(
                "a head without end", "GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 20_000),
                ["431 Request Header Fields Too Large"], ends: true),
        ])
    func answers(_ item: Case) {
        let (lines, isOver) = statuses(item.request)
        #expect(lines == item.statuses)
        #expect(isOver == item.ends)
    }

    @Test("waits for the rest of a head, however it is cut")
    func joinsPieces() {
        let request = Array("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        var upstream = upstream
        for cut in 1..<request.count {
            var talk = Conversation()
            #expect(talk.receive(request[..<cut], at: Self.now, for: &upstream).bytes.isEmpty)
            #expect(!talk.receive(request[cut...], at: Self.now, for: &upstream).bytes.isEmpty)
        }
    }

    @Test("sends a length that is the body's, and no body to HEAD")
    func measures() throws {
        let document = try #require(site.document(at: "/news.atom", now: Self.now))
        for (method, body) in [("GET", document.body), ("HEAD", [])] {
            var upstream = upstream
            var talk = Conversation()
            let request = "\(method) /news.atom HTTP/1.1\r\n\r\n"
            let bytes = talk.receive(request.utf8, at: Self.now, for: &upstream).bytes
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("Content-Length: \(document.body.count)\r\n"))
            #expect(bytes.suffix(body.count + 4).elementsEqual(Array("\r\n\r\n".utf8) + body))
        }
    }

    @Test(
        "answers 304 where the client holds the same",
        arguments: [
            (#"If-None-Match: TAG"#, true), (#"If-None-Match: W/TAG"#, true),
            (#"If-None-Match: "a", TAG"#, true),
            (#"If-None-Match: *"#, true), (#"If-None-Match: "a""#, false),
            (#"If-Modified-Since: CHANGED"#, true),
            (#"If-Modified-Since: Thu, 01 Jan 2015 00:00:00 GMT"#, false),
            (#"If-Modified-Since: yesterday"#, false),
            ("If-None-Match: \"a\"\r\nIf-Modified-Since: CHANGED", false),
        ])
    func answersNotModified(field: String, isHeld: Bool) throws {
        let document = try #require(site.document(at: "/news.atom", now: Self.now))
        let changed = try #require(document.changed)
        let filled = field.replacing("TAG", with: document.entityTag).replacing(
            "CHANGED", with: changed.httpDate)
        let (lines, _) = statuses("GET /news.atom HTTP/1.1\r\n\(filled)\r\n\r\n")
        #expect(lines == [isHeld ? "304 Not Modified" : "200 OK"])
    }

    @Test("repeats the validators in a 304 and leaves out the body")
    func keepsValidators() throws {
        let document = try #require(site.document(at: "/news.atom", now: Self.now))
        var upstream = upstream
        var talk = Conversation()
        let request = "GET /news.atom HTTP/1.1\r\nIf-None-Match: \(document.entityTag)\r\n\r\n"
        let bytes = talk.receive(request.utf8, at: Self.now, for: &upstream).bytes
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("ETag: \(document.entityTag)\r\n"))
        #expect(text.contains("Last-Modified: "))
        #expect(text.hasSuffix("\r\n\r\n") && !text.contains("Content-Length"))
    }
}
