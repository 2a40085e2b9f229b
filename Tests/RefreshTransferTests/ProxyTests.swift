import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Proxies, written") struct ProxySettingsTests {
    @Test(
        "are read with and without a login",
        arguments: [
            ("http://proxy.example:3128", "http://proxy.example:3128", nil, nil),
            ("HTTP://10.0.0.1:80/", "http://10.0.0.1:80", nil, nil),
            ("https://u:p%40%3A@proxy.example:443", "https://proxy.example:443", "u", "p@:"),
            ("socks5h://u:@[::1]:1080", "socks5h://[::1]:1080", "u", ""),
        ] as [(String, String, String?, String?)])
    func reads(_ text: String, _ display: String, _ user: String?, _ password: String?) throws {
        let proxy = try ProxySettings(parsing: text)
        #expect(proxy.display == display)
        #expect(proxy.user == user)
        #expect(proxy.password == password)
    }

    @Test(
        "are refused where they are none, without a word of what was written",
        arguments: [
            "", "proxy.example:3128", "ftp://p:1", "http://secret", "http://secret:", "http://secret:70000",
            "http://secret@p:1/path", "http://u:secret%zz@p:1", "http://u:secret%0@p:1", "http://u:s%00@p:1",
            "http://p:1?secret=1", "http://a b:1",
        ])
    func refuses(_ text: String) {
        do throws(ProxySettings.Failure) {
            _ = try ProxySettings(parsing: text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(!error.message.contains("secret"))
        }
    }
}

@Suite("Proxies, used", .timeLimit(.minutes(1))) struct ProxyTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    private static func request(
        _ url: String, through scheme: String, _ proxy: LoopbackProxy, login: String = ""
    ) throws -> TransferRequest {
        var request = TransferRequest(
            url: try WebURL(parsing: url), headers: HTTPHeaders([("X-Key", "k")]), userAgent: "t")
        request.proxy = try ProxySettings(parsing: "\(scheme)://\(login)127.0.0.1:\(proxy.port)")
        return request
    }

    // T-U5: the proxy itself is exempt, names are its affair, literal addresses are still judged.
    @Test(
        "resolve the host, need no leave, and are told nothing meant for it", arguments: ["http", "socks5h"])
    func passes(_ scheme: String) async throws {
        let proxy = try LoopbackProxy.start()
        defer { proxy.stop() }
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        let url = "http://inner.example:\(upstream.port)/a?b"
        let answer = try await service.perform(Self.request(url, through: scheme, proxy))
        #expect(answer.text == "{}")
        #expect(answer.headers.first("x-proxy") == nil)
        #expect(answer.effectiveURL.description == url)
        let sent = try #require(upstream.requests.first)
        #expect(sent.target == "/a?b" && sent.header("host") == "inner.example:\(upstream.port)")
        #expect(sent.header("x-key") == "k")
        let wish = try #require(proxy.wishes.first)
        #expect(wish.target == (scheme == "http" ? url : "inner.example:\(upstream.port)"))
        #expect(wish.login == nil)
    }

    @Test("log in with what the file says", arguments: ["http", "socks5h"])
    func logsIn(_ scheme: String) async throws {
        let login = scheme == "http" ? "Basic \(Base64.encode(Array("u:p@".utf8)))" : "u:p@"
        let proxy = try LoopbackProxy.start(login: login)
        defer { proxy.stop() }
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(text: request.header("proxy-authorization") ?? "none")
        }
        let url = "http://inner.example:\(upstream.port)/"
        #expect(
            try await service.perform(Self.request(url, through: scheme, proxy, login: "u:p%40@")).text
                == "none")
        guard scheme == "socks5h" else { return }
        let failure = await service.failure(of: try Self.request(url, through: scheme, proxy, login: "u:x@"))
        guard case .proxy("socks5h://127.0.0.1:\(proxy.port)", _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failure?.failure.class == .transient && failure?.failure.code == "proxy-failed")
    }

    @Test("carry TLS in a tunnel and see only its ends")
    func tunnels() async throws {
        let proxy = try LoopbackProxy.start()
        defer { proxy.stop() }
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "plain") }
        let url = "https://inner.example:\(upstream.port)/path?token=secret"
        let failure = await service.failure(of: try Self.request(url, through: "http", proxy))
        guard case .tls("https://inner.example:\(upstream.port)/path", _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let wish = try #require(proxy.wishes.first)
        #expect(wish.kind == "CONNECT" && wish.target == "inner.example:\(upstream.port)")
        #expect(wish.headers.first("x-key") == nil && wish.headers.first("accept-encoding") == nil)
    }

    @Test("that refuse a tunnel are named, without login or query")
    func refusesTunnel() async throws {
        let proxy = try LoopbackProxy.start(login: "Basic other")
        defer { proxy.stop() }
        let request = try Self.request(
            "https://inner.example:1/?token=secret", through: "http", proxy, login: "u:secret@")
        let failure = try #require(await service.failure(of: request)).failure
        #expect(failure.code == "proxy-failed")
        #expect(failure.detail.contains("http://127.0.0.1:\(proxy.port)") && failure.detail.contains("407"))
        #expect(!failure.detail.contains("secret"))
    }

    @Test("that nobody runs are named")
    func absent() async throws {
        let proxy = try LoopbackProxy.start()
        let request = try Self.request("http://inner.example/", through: "http", proxy)
        proxy.stop()
        let failure = await service.failure(of: request)
        guard case .proxy("http://127.0.0.1:\(proxy.port)", _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(
        "are not asked for an inner address without leave",
        arguments: ["127.0.0.1", "[::1]", "169.254.169.254"])
    func literal(_ host: String) async throws {
        let proxy = try LoopbackProxy.start()
        defer { proxy.stop() }
        let failure = await service.failure(of: try Self.request("http://\(host)/", through: "http", proxy))
        guard case .addressRefused(host, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(proxy.wishes.isEmpty)
    }

    @Test("are not asked for an inner address that a redirect names")
    func literalBehindRedirect() async throws {
        let proxy = try LoopbackProxy.start()
        defer { proxy.stop() }
        let upstream = try ScriptedUpstream { _ in .redirect(to: "http://169.254.169.254/latest") }
        let request = try Self.request("http://inner.example:\(upstream.port)/", through: "http", proxy)
        #expect(
            await service.failure(of: request)
                == .addressRefused(host: "169.254.169.254", address: "169.254.169.254"))
        #expect(proxy.wishes.count == 1)
    }

    // In a process of its own: other threads read the environment at any time.
    @Test("of the environment are not used")
    func environment() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackProxy.start()
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                _ = unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
            }
            let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
            let answer = try await TransferService().perform(upstream.request())
            try #require(answer.text == "{}" && proxy.wishes.isEmpty)
        }
    }
}
