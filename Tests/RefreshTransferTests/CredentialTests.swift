import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

// monitoring-plugins/monitoring-plugins#1593, T-U6: credentials follow a redirect to another host.
@Suite("Credentials", .timeLimit(.minutes(1))) struct CredentialTests {
    private let service: TransferService

    init() throws { service = try TransferService() }

    static let kinds: [(String, Credentials)] = [
        ("basic", .basic(user: "u", password: "p:w")), ("header", .header("X-Key", "s3cret")),
        ("param", .param("key", "s3 cret&x")), ("cookie", .cookie("session", "s3cret")),
    ]

    private static func shown(_ request: UpstreamRequest) -> String {
        let fields = ["authorization", "x-key", "cookie"].compactMap { name in
            request.header(name).map { "\(name): \($0)" }
        }
        return (fields + (request.target.contains("?") ? [request.target] : [])).joined(separator: ", ")
    }

    @Test(
        "reach their own origin, each in its place",
        arguments: [
            "basic": "authorization: Basic dTpwOnc=", "header": "x-key: s3cret",
            "param": "/?key=s3%20cret%26x", "cookie": "cookie: session=s3cret",
        ])
    func reach(_ name: String, _ shown: String) async throws {
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: Self.shown($0)) }
        var request = try upstream.request()
        request.credentials = try #require(Self.kinds.first { $0.0 == name }).1
        let answer = try await service.perform(request)
        #expect(answer.text == shown)
        // A key in the query is told to the upstream and to nobody else.
        #expect(answer.effectiveURL.description == upstream.url())
    }

    @Test("reach neither another origin nor, by its word, their own", arguments: kinds)
    func stay(_ name: String, _ credentials: Credentials) async throws {
        let end = try ScriptedUpstream { UpstreamAnswer(text: Self.shown($0)) }
        let endURL = end.url("/end")
        let back = "/back"
        let stranger = try ScriptedUpstream { request in .redirect(to: request.header("x-next") ?? endURL) }
        let strangerURL = stranger.url()
        let home = try ScriptedUpstream { request in
            switch request.path {
            case "/start": .redirect(to: "/near")
            case "/near": .redirect(to: strangerURL)
            case back: UpstreamAnswer(text: "back: \(Self.shown(request))")
            default: UpstreamAnswer(status: 404)
            }
        }
        var request = try home.request("/start")
        request.credentials = credentials
        let answer = try await service.perform(request)
        #expect(answer.text.isEmpty)
        #expect(answer.hops.map { $0.to.origin.port } == [home.port, stranger.port, end.port])
        #expect(home.requests.map { !Self.shown($0).isEmpty } == [true, true])
        #expect(stranger.requests.map(Self.shown) == [""])
        // The port alone makes another origin; so does the way back, which a stranger names.
        let returning = try ScriptedUpstream { [port = home.port] _ in
            .redirect(to: "http://127.0.0.1:\(port)\(back)")
        }
        let outward = try ScriptedUpstream { [url = returning.url()] _ in .redirect(to: url) }
        request = TransferRequest(
            url: try WebURL(parsing: outward.url()), allowPrivate: true, userAgent: "t")
        request.credentials = credentials
        #expect(try await service.perform(request).text == "back: ")
    }

    @Test(
        "stay at the origin that the file names, where a link to a next page leads elsewhere",
        arguments: kinds)
    func nextLink(_ name: String, _ credentials: Credentials) async throws {
        let home = try ScriptedUpstream { UpstreamAnswer(text: Self.shown($0)) }
        let stranger = try ScriptedUpstream { [url = home.url("/back")] request in
            request.path == "/page" ? UpstreamAnswer(text: Self.shown(request)) : .redirect(to: url)
        }
        for path in ["/page", "/away"] {
            var request = try stranger.request(path, headers: [("X-Key", "of the file")])
            request.home = try home.request().home
            request.credentials = credentials
            #expect(try await service.perform(request).text.isEmpty)
        }
        #expect(stranger.requests.map(Self.shown) == ["", ""] && home.requests.count == 1)
    }

    @Test("of a key in the query are not added to a link that has it")
    func onlyAbsent() async throws {
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: $0.target) }
        var request = try upstream.request("/?page=2&k%65y=other")
        request.credentials = .param("key", "mine")
        #expect(try await service.perform(request).text == "/?page=2&k%65y=other")
        request = try upstream.request("/?page=2")
        request.credentials = .param("key", "mine")
        #expect(try await service.perform(request).text == "/?page=2&key=mine")
    }

    @Test("stand in the place of the file's own field")
    func replaces() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        var request = try upstream.request(headers: [("AUTHORIZATION", "old"), ("X-Other", "1")])
        request.credentials = .header("Authorization", "Bearer new")
        _ = try await service.perform(request)
        let sent = try #require(upstream.requests.first).headers
        #expect(sent.all("authorization") == ["Bearer new"])
        #expect(sent.all("x-other") == ["1"])
    }

    @Test(
        "that would end a line are not sent, and not told",
        arguments: [
            Credentials.header("X-Key", "s3cret\r\nX: y"), .header("X-Key\n", "s3cret"),
            .cookie("a", "s3cret\r\nX: y"), .digest(user: "u\n", password: "s3cret"),
            .header("X-Key", "s3cret\u{0}"),
        ])
    func injection(_ credentials: Credentials) async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        var request = try upstream.request()
        request.credentials = credentials
        let failure = await service.failure(of: request)
        guard case .badRequest(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!reason.contains("s3cret"))
        #expect(upstream.connections == 0)
    }

    // MARK: - Digest

    private static let challenge = UpstreamAnswer(
        status: 401,
        headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256")],
        text: "who are you?")

    @Test("answer a digest challenge, and only the last answer counts")
    func digest() async throws {
        let upstream = try ScriptedUpstream { request in
            guard let proof = request.header("authorization"), proof.hasPrefix("Digest ") else {
                return Self.challenge
            }
            return UpstreamAnswer(headers: [("ETag", "\"1\"")], text: "{}")
        }
        var request = try upstream.request("/a")
        request.credentials = .digest(user: "u", password: "s3cret")
        for _ in 0..<2 {
            let answer = try await service.perform(request)
            #expect(answer.status == 200 && answer.text == "{}" && answer.wireBytes == 2)
            #expect(answer.headers.first("www-authenticate") == nil)
        }
        #expect(upstream.requests.count == 4)
        let proof = try #require(upstream.requests.last?.header("authorization"))
        #expect(proof.contains("username=\"u\"") && proof.contains("uri=\"/a\"") && !proof.contains("s3cret"))
    }

    @Test("say 401 where the digest is not the right one")
    func wrongDigest() async throws {
        let upstream = try ScriptedUpstream { _ in Self.challenge }
        var request = try upstream.request()
        request.credentials = .digest(user: "u", password: "p")
        let answer = try await service.perform(request)
        #expect(answer.status == 401 && answer.text == "who are you?")
        #expect(upstream.requests.count == 2)
    }

    @Test("answer no challenge of another origin")
    func digestAbroad() async throws {
        let stranger = try ScriptedUpstream { _ in Self.challenge }
        let home = try ScriptedUpstream { [url = stranger.url()] _ in .redirect(to: url) }
        var request = try home.request()
        request.credentials = .digest(user: "u", password: "p")
        #expect(try await service.perform(request).status == 401)
        #expect(stranger.requests.map { $0.header("authorization") } == [nil])
    }

    @Test("of digest are not answered to a challenge for basic, which would show the password")
    func noDowngrade() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")])
        }
        var request = try upstream.request()
        request.credentials = .digest(user: "u", password: "p")
        #expect(try await service.perform(request).status == 401)
        #expect(upstream.requests.allSatisfy { $0.header("authorization")?.hasPrefix("Basic") != true })
    }
}
