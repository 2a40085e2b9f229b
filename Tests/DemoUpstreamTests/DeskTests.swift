import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("The demo desk") struct DeskTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private var upstream = Upstream(site: Site(seed: 1), since: now)

    private mutating func ask(_ method: String, _ target: String, _ headers: [String] = []) -> Heard {
        upstream.hear(method, target, headers, at: Self.now)
    }

    @Test("counts what was asked of a document, and what came of it")
    mutating func counts() throws {
        let tag = try #require(Site(seed: 1).document(at: "/archive", now: Self.now)).entityTag
        _ = ask("GET", "/archive")
        _ = ask("GET", "/archive", ["If-None-Match: \(tag)"])
        _ = ask("GET", "/archive", ["If-Modified-Since: yesterday"])
        _ = ask("GET", "/archive?page=0")
        _ = ask("PUT", "/archive")
        _ = ask("POST", "/control?path=/archive&mode=fail")
        _ = ask("GET", "/archive")
        _ = ask("POST", "/control?path=/archive&mode=vanish")
        let last = upstream.hear("GET", "/archive", at: Self.now + .seconds(5))
        #expect(last.isOver && last.head.isEmpty)
        let stats = ask("GET", "/stats").body
        let counted =
            #""/archive":{"requests":7,"ok":2,"not_modified":1,"client_errors":2,"server_errors":1,"#
            + #""vanished":1,"conditional":2,"conditional_share":0.28,"bytes":"#
        #expect(stats.contains(counted))
        #expect(stats.contains(#""last_request_at":"2026-01-01T00:00:05Z"}},"other":{"requests":0,"#))
    }

    @Test("counts every byte that it sends")
    mutating func countsBytes() {
        var total = 0
        for path in ["/", "/nowhere", "/news.atom", "/tickets"] {
            let heard = ask("GET", path)
            total += heard.head.utf8.count + 4 + heard.body.utf8.count
        }
        let stats = ask("GET", "/stats").body
        #expect(stats.contains(#""total":{"requests":4,"ok":3,"not_modified":0,"client_errors":1,"#))
        #expect(stats.hasSuffix(#""bytes":\#(total),"last_request_at":"2026-01-01T00:00:00Z"}}"#))
    }

    @Test("counts anew when told, and not itself")
    mutating func resets() {
        let fresh = ask("GET", "/stats").body
        _ = ask("GET", "/tickets")
        #expect(ask("GET", "/stats").body != fresh)
        #expect(ask("POST", "/stats/reset").body == fresh)
        #expect(ask("GET", "/stats").body == fresh)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let order: String
        let status: Int?
        let delay: Duration
        let line: String
        var testDescription: String { order }
    }

    @Test(
        "makes one document misbehave, and no other",
        arguments: [
            Case(order: "mode=normal", status: 200, delay: .zero, line: "Content-Type: application/json"),
            Case(
                order: "mode=slow&ms=2500", status: 200, delay: .milliseconds(2_500),
                line: "Content-Type: application/json"),
            Case(order: "mode=fail&retry_after=7", status: 503, delay: .zero, line: "Retry-After: 7"),
            Case(
                order: "mode=fail&status=418", status: 418, delay: .zero,
                line: "Content-Type: application/json"),
        ])
    mutating func misbehaves(_ item: Case) {
        #expect(ask("POST", "/control?path=/tickets&\(item.order)").status == 200)
        let heard = ask("GET", "/tickets")
        #expect(heard.status == item.status)
        #expect(heard.delay == item.delay)
        #expect(heard.has(item.line))
        #expect(!heard.isOver)
        #expect(item.status == 200 || !heard.head.contains("ETag"))
        #expect(ask("GET", "/archive").status == 200)
    }

    @Test("hangs up without an answer, but after those before it")
    mutating func vanishes() {
        _ = ask("POST", "/control?path=/tickets&mode=vanish")
        var talk = Conversation()
        let requests = ["/archive?page=11", "/tickets", "/archive"].map { "GET \($0) HTTP/1.1\r\n\r\n" }
        let delivery = talk.receive(requests.joined().utf8, at: Self.now, for: &upstream)
        #expect(talk.isOver)
        let text = String(decoding: delivery.bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n[]"))
    }

    @Test("sends answers to requests that came together with the slowest of them")
    mutating func keepsOrder() {
        _ = ask("POST", "/control?path=/tickets&mode=slow&ms=9")
        var talk = Conversation()
        let requests = ["/archive", "/tickets", "/archive"].map { "GET \($0) HTTP/1.1\r\n\r\n" }
        let delivery = talk.receive(requests.joined().utf8, at: Self.now, for: &upstream)
        #expect(delivery.delay == .milliseconds(9))
        let text = String(decoding: delivery.bytes, as: UTF8.self)
        #expect(text.ranges(of: "HTTP/1.1 200 OK\r\n").count == 3)
    }

    @Test(
        "refuses what it must",
        arguments: [
            ("POST", "/control?mode=off", [], 400, "no_such_order"),
            ("POST", "/control?mode=vanish", ["Origin: http://a.example"], 403, "from_a_page"),
            ("POST", "/control?mode=vanish", ["origin: null"], 403, "from_a_page"),
            ("POST", "/stats/reset", ["Origin: http://127.0.0.1:8787"], 403, "from_a_page"),
            ("PUT", "/control?mode=vanish", [], 405, nil), ("POST", "/stats", [], 405, nil),
            ("GET", "/stats/reset", [], 405, nil), ("POST", "/control/", [], 404, nil),
        ] as [(String, String, [String], Int, String?)])
    mutating func refuses(method: String, target: String, headers: [String], status: Int, code: String?) {
        _ = ask("GET", "/tickets")
        let stats = ask("GET", "/stats").body
        let heard = ask(method, target, headers)
        #expect(heard.status == status)
        #expect(heard.string("code") == code)
        #expect(ask("GET", "/control").body == #"{"all":{"mode":"normal"},"paths":{}}"#)
        #expect(status == 404 || ask("GET", "/stats").body == stats)
    }

    @Test("explains everything at the front door")
    mutating func explains() {
        let text = ask("GET", "/").body
        for word in Site.paths + ["/stats", "/stats/reset", "/control", "fail", "slow", "vanish", "normal"] {
            #expect(text.contains(word))
        }
        #expect(text.contains("\(Archive.total) old orders"))
    }
}
