import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Cookies", .timeLimit(.minutes(1))) struct CookieTests {
    /// Sets a cookie in a jar-less world too, and says what it was sent.
    private static func upstream(setting cookies: [String]) throws -> ScriptedUpstream {
        try ScriptedUpstream { request in
            UpstreamAnswer(
                headers: cookies.map { ("Set-Cookie", $0) }, text: request.header("cookie") ?? "none")
        }
    }

    @Test("are neither kept nor sent unless asked for")
    func off() async throws {
        let service = try TransferService(concurrency: 1)
        let upstream = try Self.upstream(setting: ["a=1"])
        for _ in 0..<2 {
            let answer = try await service.perform(upstream.request())
            #expect(answer.text == "none" && answer.cookies == nil)
        }
    }

    @Test("go back to who set them, with those of the file, as long as they live")
    func keeps() async throws {
        let service = try TransferService(concurrency: 1)
        let upstream = try Self.upstream(setting: [
            "a=1", "b=2; Path=/elsewhere", "c=3; Max-Age=0", "e=5; HttpOnly; Max-Age=60",
            "f=6; Domain=other.example",
        ])
        var request = try upstream.request(headers: [("Cookie", "own=0")])
        request.cookies = CookieJar()
        let first = try await service.perform(request)
        #expect(first.text == "own=0")
        request.cookies = first.cookies
        let sent = try await service.perform(request).text.split(separator: "; ").sorted()
        #expect(sent == ["a=1", "e=5", "own=0"])
        #expect(upstream.requests.last?.headers.all("cookie").count == 1)
    }

    // T-U7: one handle serves both feeds in turn.
    @Test("of one feed never reach another")
    func separates() async throws {
        let service = try TransferService(concurrency: 1)
        let upstream = try Self.upstream(setting: ["a=1"])
        var one = try upstream.request()
        one.cookies = CookieJar()
        one.cookies = try await service.perform(one).cookies
        var other = try upstream.request()
        #expect(try await service.perform(other).text == "none")
        other.cookies = CookieJar()
        #expect(try await service.perform(other).text == "none")
        #expect(try await service.perform(one).text == "a=1")
        #expect(upstream.connections == 1)
    }

    @Test("for a parent domain stay with the origin that set them")
    func parentDomain() async throws {
        let upstream = try Self.upstream(setting: [
            "a=1; Domain=site.example", "b=2; Secure", "c=3; Domain=example",
        ])
        let port = upstream.port
        let service = try TransferService(
            addresses: ["a.site.example:\(port):127.0.0.1", "b.site.example:\(port):127.0.0.1"])
        func ask(_ host: String, _ jar: CookieJar?) async throws -> TransferAnswer {
            var request = TransferRequest(
                url: try WebURL(parsing: "http://\(host).site.example:\(port)/"), allowPrivate: true,
                userAgent: "t")
            request.cookies = jar
            return try await service.perform(request)
        }
        let jar = try await ask("a", CookieJar()).cookies
        #expect(try await ask("a", jar).text == "a=1")
        #expect(try await ask("b", jar).text == "none")
    }

    // miniflux/v2#1512, mmcdole/gofeed#181.
    @Test("end a redirect that would go round without them")
    func endsLoop() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { request in
            switch request.path {
            case "/feed" where request.header("cookie") == "seen=1": UpstreamAnswer(text: "{}")
            case "/feed": .redirect(to: "/check")
            default: UpstreamAnswer(status: 302, headers: [("Location", "/feed"), ("Set-Cookie", "seen=1")])
            }
        }
        var request = try upstream.request("/feed")
        #expect(await service.failure(of: request) == .redirectLoop(at: upstream.url("/feed")))
        request.cookies = CookieJar()
        let answer = try await service.perform(request)
        #expect(answer.text == "{}")
        #expect(answer.hops.map(\.status) == [302, 302])
        #expect(answer.hops.last?.to.path == "/feed")
    }

    @Test("that change nothing do not keep a redirect going round")
    func findsLoop() async throws {
        let service = try TransferService()
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(
                status: 302, headers: [("Location", "/feed"), ("Set-Cookie", "seen=1; Max-Age=60")])
        }
        var request = try upstream.request("/feed")
        request.cookies = CookieJar()
        #expect(await service.failure(of: request) == .redirectLoop(at: upstream.url("/feed")))
        #expect(upstream.requests.count == 2)
    }

    @Test("are bounded in number and size")
    func bounded() throws {
        let origin = try WebURL(parsing: "https://a.example/").origin
        var jar = CookieJar()
        jar.replace((0..<500).map { "a\t\t\t\t\t\($0)\tv" }, for: origin)
        #expect(jar.lines(for: origin).count == 50)
        jar.replace(Array(repeating: String(repeating: "x", count: 10_000), count: 9), for: origin)
        #expect(jar.lines(for: origin).count == 3)
        for port in 1...100 { jar.replace(["x"], for: Origin(scheme: .http, host: "a", port: port)) }
        #expect(
            (1...100).filter { !jar.lines(for: Origin(scheme: .http, host: "a", port: $0)).isEmpty }.count
                == 15)
        jar.replace([], for: origin)
        #expect(jar.lines(for: origin).isEmpty)
    }
}
