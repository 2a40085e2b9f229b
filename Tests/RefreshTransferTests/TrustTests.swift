import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

// T-U15.
@Suite(
    "Trust", .timeLimit(.minutes(1)), .serialized,
    .enabled(if: !TestAuthority.isAbsent, "openssl is not installed"))
struct TrustTests {
    private let service: TransferService
    private let authority: TestAuthority

    init() async throws {
        service = try TransferService()
        authority = try await TestAuthority()
        authority.folder.write("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", to: "answer")
    }

    private func request(_ url: WebURL, tls: TLSSettings = TLSSettings()) -> TransferRequest {
        var request = TransferRequest(url: url, allowPrivate: true, userAgent: "t")
        request.tls = tls
        return request
    }

    private func trusting(_ name: String = "ca.pem") throws -> TLSSettings {
        var tls = TLSSettings()
        tls.authorities = try authority.bytes(name)
        return tls
    }

    private func isTLSFailure(_ request: TransferRequest) async -> Bool {
        if case .tls? = await service.failure(of: request) { true } else { false }
    }

    @Test("is in the authority that the feed names, and for that feed alone")
    func authorityOfFeed() async throws {
        try await authority.issue("good", for: "IP:127.0.0.1")
        let server = try await SecureServer("good", of: authority)
        let url = try server.url("answer")
        #expect(try await service.perform(request(url, tls: trusting())).text == "{}")
        // The next request has no such trust, whatever the pool still holds.
        #expect(await isTLSFailure(request(url)))
        var other = TLSSettings()
        let stranger = try await TestAuthority()
        other.authorities = try stranger.bytes("ca.pem")
        #expect(await isTLSFailure(request(url, tls: other)))
    }

    @Test("ends with the certificate and does not reach another host")
    func expiredAndWrong() async throws {
        try await authority.issue("old", for: "IP:127.0.0.1", days: -1)
        try await authority.issue("other", for: "DNS:other.example")
        for name in ["old", "other"] {
            let server = try await SecureServer(name, of: authority)
            #expect(await isTLSFailure(request(try server.url("answer"), tls: try trusting())), "\(name)")
        }
    }

    @Test("is given up only by the feed that says so")
    func unverified() async throws {
        try await authority.issue("other", for: "DNS:other.example")
        let server = try await SecureServer("other", of: authority)
        var tls = TLSSettings()
        tls.verify = false
        let url = try server.url("answer")
        #expect(try await service.perform(request(url, tls: tls)).text == "{}")
        #expect(await isTLSFailure(request(url)))
    }

    @Test("is not in a certificate file that holds none")
    func noCertificates() async throws {
        try await authority.issue("good", for: "IP:127.0.0.1")
        let server = try await SecureServer("good", of: authority)
        var tls = TLSSettings()
        tls.authorities = Array("nothing of use".utf8)
        #expect(await isTLSFailure(request(try server.url("answer"), tls: tls)))
        var own = try trusting()
        own.certificate = Array("nothing of use".utf8)
        #expect(await isTLSFailure(request(try server.url("answer"), tls: own)))
    }

    @Test("is shown by a client certificate, at the feed's own origin alone")
    func clientCertificate() async throws {
        try await authority.issue("good", for: "IP:127.0.0.1")
        try await authority.issue("me", for: "DNS:me.example")
        let asking = "-Verify 1 -verify_return_error -CAfile ca.pem"
        let home = try await SecureServer("good", of: authority, options: asking)
        var tls = try trusting()
        tls.certificate = try authority.bytes("me.pem")
        tls.key = try authority.bytes("me.key")
        let url = try home.url("answer")
        #expect(try await service.perform(request(url, tls: tls)).text == "{}")
        #expect(await service.failure(of: request(url, tls: try trusting())) != nil)
        // The same server behind a redirect is a stranger, since its port is another one.
        try await authority.issue("start", for: "IP:127.0.0.1")
        let start = try await SecureServer("start", of: authority, options: asking)
        authority.folder.write("HTTP/1.0 302 OK\r\nLocation: \(url)\r\n\r\n", to: "away")
        authority.folder.write("HTTP/1.0 302 OK\r\nLocation: /answer\r\n\r\n", to: "near")
        #expect(try await service.perform(request(start.url("near"), tls: tls)).text == "{}")
        #expect(await service.failure(of: request(try start.url("away"), tls: tls)) != nil)
    }

    @Test("is not lost to a redirect to plain http")
    func downgrade() async throws {
        try await authority.issue("good", for: "IP:127.0.0.1")
        let plain = try ScriptedUpstream { _ in UpstreamAnswer(text: "plain") }
        let server = try await SecureServer("good", of: authority)
        authority.folder.write("HTTP/1.0 301 OK\r\nLocation: \(plain.url())\r\n\r\n", to: "down")
        let failure = await service.failure(of: request(try server.url("down"), tls: try trusting()))
        guard case .redirectRefused? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(plain.connections == 0)
        let feed = try ScriptedUpstream { [url = try server.url("answer")] _ in
            .redirect(to: url.description, status: 301)
        }
        var upward = try feed.request()
        upward.tls = try trusting()
        let answer = try await service.perform(upward)
        #expect(answer.text == "{}" && answer.effectiveURL.scheme == .https)
    }

    @Test(
        "is asked of pooled connections too, each with the trust and the certificate that it was made with",
        .enabled(if: !TLSFront.isAbsent, "python3 is not installed"))
    func pooled() async throws {
        try await authority.issue("good", for: "IP:127.0.0.1")
        try await authority.issue("me", for: "DNS:me.example")
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(text: "{}") }
        let front = try await TLSFront("good", of: authority, before: upstream)
        let url = try front.url()
        var known = try trusting()
        known.certificate = try authority.bytes("me.pem")
        known.key = try authority.bytes("me.key")
        var careless = TLSSettings()
        careless.verify = false
        for tls in [known, known, try trusting(), try trusting(), careless, careless] {
            #expect(try await service.perform(request(url, tls: tls)).text == "{}")
        }
        // One connection for each pair; then none for who trusts nobody here.
        #expect(front.clients == [true, false, false])
        #expect(await isTLSFailure(request(url)))
        #expect(upstream.requests.count == 6)
    }

    @Test(
        "holds through a proxy", .enabled(if: !TLSFront.isAbsent, "python3 is not installed"))
    func proxied() async throws {
        try await authority.issue("good", for: "DNS:inner.example")
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: $0.header("x-key") ?? "") }
        let front = try await TLSFront("good", of: authority, before: upstream)
        let proxy = try LoopbackProxy.start(login: "Basic \(Base64.encode(Array("u:p".utf8)))")
        defer { proxy.stop() }
        var request = TransferRequest(
            url: try WebURL(parsing: "https://inner.example:\(front.port)/"), userAgent: "t")
        request.tls = try trusting()
        request.credentials = .header("X-Key", "k")
        request.proxy = try ProxySettings(parsing: "http://u:p@127.0.0.1:\(proxy.port)")
        let answer = try await service.perform(request)
        #expect(answer.text == "k" && answer.status == 200)
        #expect(answer.headers.first("x-proxy") == nil)
        #expect(proxy.wishes.allSatisfy { $0.kind == "CONNECT" && $0.headers.first("x-key") == nil })
        request.tls = TLSSettings()
        #expect(await isTLSFailure(request))
    }
}
