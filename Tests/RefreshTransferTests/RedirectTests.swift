import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Redirects, followed", .timeLimit(.minutes(1))) struct RedirectTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    private static let secrets = [
        ("X-Key", "k"), ("Authorization", "Bearer t"), ("Cookie", "c=1"), ("Accept", "application/json"),
    ]

    @Test("keep the file's headers at their own origin, also on the way back")
    func keepsHeadersHome() async throws {
        let home = try ScriptedUpstream { request in
            request.path == "/end"
                ? UpstreamAnswer(text: "{}")
                : .redirect(to: "http://127.0.0.1:\(request.target.dropFirst(2))/", status: 301)
        }
        let back = home.url("/end")
        let stranger = try ScriptedUpstream { _ in .redirect(to: back, status: 308) }
        let answer = try await service.perform(
            home.request("/?\(stranger.port)", headers: Self.secrets, validators: Validators(etag: "\"1\"")))
        #expect(answer.text == "{}")
        #expect(answer.effectiveURL.description == back)
        #expect(answer.permanentTarget?.description == back)
        #expect(home.requests.count == 2)
        #expect(home.requests.first?.header("x-key") == "k")
        #expect(home.requests.first?.header("authorization") == "Bearer t")
        for request in stranger.requests + home.requests.dropFirst() {
            #expect(request.header("x-key") == nil)
            #expect(request.header("authorization") == nil)
            #expect(request.header("cookie") == nil)
            #expect(request.header("referer") == nil)
            #expect(request.header("accept") == "application/json")
            #expect(request.header("user-agent") == "refreshd/test")
            #expect(request.header("if-none-match") == "\"1\"")
        }
    }

    @Test("stay on one connection and keep the file's headers within an origin")
    func within() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/b"
                ? UpstreamAnswer(text: "{}")
                : UpstreamAnswer(
                    status: 302, headers: [("Location", "b"), ("Set-Cookie", "s=1")], text: "moved")
        }
        let answer = try await service.perform(upstream.request("/a", headers: Self.secrets))
        #expect(answer.effectiveURL.path == "/b")
        #expect(answer.permanentTarget == nil)
        #expect(answer.wireBytes == 2)
        #expect(upstream.connections == 1)
        #expect(upstream.requests.map { $0.header("x-key") } == ["k", "k"])
        #expect(upstream.requests.map { $0.header("cookie") } == ["c=1", "c=1"])
    }

    @Test("end where they may not go on")
    func ends() async throws {
        let upstream = try ScriptedUpstream { request in
            switch request.path {
            case "/loop": .redirect(to: "/loop")
            case "/file": .redirect(to: "file:///etc/passwd")
            default: .redirect(to: "/deeper\(request.target)")
            }
        }
        let loop = await service.failure(of: try upstream.request("/loop?token=secret"))
        #expect(loop == .redirectLoop(at: upstream.url("/loop")))
        guard case .redirectRefused? = await service.failure(of: try upstream.request("/file")) else {
            Issue.record("a file was read")
            return
        }
        let before = upstream.requests.count
        let deep = await service.failure(of: try upstream.request("/x", limits: limits { $0.hops = 3 }))
        #expect(deep == .tooManyRedirects(limit: 3))
        #expect(upstream.requests.count - before == 4)
    }

    @Test("have one total over all hops")
    func total() async throws {
        let upstream = try ScriptedUpstream { request in
            request.order < 20
                ? UpstreamAnswer(status: 302, headers: [("Location", "/\(request.order)")], text: "moved")
                    .sent(.slow(size: 5, milliseconds: 100))
                : UpstreamAnswer(text: "too late")
        }
        let failure = await service.failure(
            of: try upstream.request(
                "/start",
                limits: limits {
                    $0.total = .milliseconds(250)
                    $0.hops = 50
                }))
        guard case .timeout? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("need not have their bodies read to the end")
    func endlessBody() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/b"
                ? UpstreamAnswer(text: "{}")
                : UpstreamAnswer(
                    status: 302, headers: [("Location", "/b")], body: [UInt8](repeating: 0, count: 65_536)
                ).framed(.chunked(size: 65_536)).sent(.endless)
        }
        #expect(try await service.perform(upstream.request("/a")).text == "{}")
    }

    @Test("take a write along within its origin, and make a GET of it where the server says so")
    func writes() async throws {
        let upstream = try ScriptedUpstream { request in
            switch request.path {
            case "/307": .redirect(to: "/end", status: 307)
            case "/303": .redirect(to: "/end", status: 303)
            default: UpstreamAnswer(text: "\(request.method) \(request.body.count)")
            }
        }
        for (path, text) in [("/307", "POST 3"), ("/303", "GET 0")] {
            let answer = try await service.perform(
                upstream.request(
                    path, headers: [("Content-Type", "text/plain"), ("X-Key", "k")], method: "POST",
                    body: Array("abc".utf8)))
            #expect(answer.text == text)
        }
        #expect(upstream.requests.map { $0.header("content-type") != nil } == [true, true, true, false])
        #expect(upstream.requests.allSatisfy { $0.header("x-key") == "k" })
    }

    @Test("to another origin are refused where the file denies them")
    func denied() async throws {
        let stranger = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        let home = try ScriptedUpstream { [url = stranger.url()] _ in .redirect(to: url) }
        var request = try home.request()
        request.mayLeaveOrigin = false
        guard case .redirectRefused? = await service.failure(of: request) else {
            Issue.record("followed")
            return
        }
        #expect(stranger.connections == 0)
    }

    @Test("lead to no inner address without leave")
    func inner() async throws {
        let proxy = try LoopbackProxy.start()
        defer { proxy.stop() }
        let start = try ScriptedUpstream { [port = proxy.port] _ in
            .redirect(to: "http://[::ffff:7f00:1]:\(port)/")
        }
        var request = TransferRequest(
            url: try WebURL(parsing: "http://outer.example:\(start.port)/"), userAgent: "t")
        request.proxy = try ProxySettings(parsing: "http://127.0.0.1:\(proxy.port)")
        guard case .addressRefused? = await service.failure(of: request) else {
            Issue.record("followed")
            return
        }
        #expect(proxy.wishes.count == 1)
    }
}
