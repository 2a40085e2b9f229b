import Glibc
import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Secrets") struct SecretsTests {
    private let folder = TemporaryFolder()

    private func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) -> String {
        let path = folder.write(bytes, to: name)
        _ = unsafe chmod(path, mode)
        return path
    }

    private static func failure(_ secrets: Secrets, _ source: SecretSource) -> SecretFailure? {
        do throws(SecretFailure) {
            _ = try secrets.text(source)
            return nil
        } catch {
            return error
        }
    }

    @Test("come from where the file says, each time anew")
    func sources() throws {
        let path = write(Array("from-file\n".utf8), to: "secret")
        let credentials = folder.path
        let secrets = Secrets(environment: { name in
            ["QUOTES_KEY": "from-env", "CREDENTIALS_DIRECTORY": credentials][name]
        })
        #expect(try secrets.text(.literal("as it stands ")) == "as it stands ")
        #expect(try secrets.text(.environment("QUOTES_KEY")) == "from-env")
        #expect(try secrets.text(.file(path)) == "from-file")
        #expect(try secrets.text(.credential("secret")) == "from-file")
        _ = write(Array("rotated\r\n".utf8), to: "secret")
        #expect(try secrets.text(.file(path)) == "rotated")
        // A value that came out of use a moment ago is still hidden.
        #expect(secrets.mask.masked("from-file rotated from-env") == "*** *** ***")
    }

    @Test("of a credential may be stood in for, and are of their folder alone")
    func credentials() throws {
        let path = write(Array("stand-in".utf8), to: "x")
        let folder = folder.path
        let secrets = Secrets(
            environment: { $0 == "CREDENTIALS_DIRECTORY" ? folder : nil }, standIns: ["token": path])
        #expect(try secrets.text(.credential("token")) == "stand-in")
        for name in ["../x", "..", ".", "", "a/b", "x\u{0}"] {
            guard case .missing? = Self.failure(secrets, .credential(name)) else {
                Issue.record("\(name) was read")
                return
            }
        }
        #expect(
            Self.failure(Secrets(environment: { _ in nil }), .credential("token"))
                == .missing(source: "the credential token"))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let code: String
        var testDescription: String { name }
    }

    @Test(
        "that are none are refused by their source, without their value",
        arguments: [
            Case(name: "empty", bytes: [], code: "secret-empty"),
            Case(name: "only a line end", bytes: [0x0A], code: "secret-empty"),
            Case(name: "two lines", bytes: Array("topsecret\r\nX: y\n".utf8), code: "secret-not-text"),
            Case(name: "with a zero byte", bytes: Array("topsecret\0".utf8), code: "secret-not-text"),
            Case(name: "not UTF-8", bytes: Array("topsecret".utf8) + [0xFF], code: "secret-not-text"),
            Case(
                name: "too large", bytes: [UInt8](repeating: 0x61, count: 65_537), code: "secret-too-large"),
        ])
    func bad(_ item: Case) throws {
        let path = write(item.bytes, to: "bad")
        let failure = try #require(Self.failure(Secrets(), .file(path))).failure
        #expect(failure.code == item.code && failure.class == .config)
        #expect(failure.detail.hasPrefix("the file \(path) "))
        #expect(!failure.detail.contains("topsecret"))
    }

    @Test("are read from regular files, and nothing waits for a pipe", .timeLimit(.minutes(1)))
    func special() throws {
        let pipe = folder.path("pipe")
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        for path in [pipe, folder.path, "/dev/zero"] {
            #expect(Self.failure(Secrets(), .file(path))?.code == "secret-unreadable")
        }
        #expect(
            Self.failure(Secrets(), .file(folder.path("none")))
                == .missing(source: "the file \(folder.path("none"))"))
        #expect(Self.failure(Secrets(), .environment("REFRESHD_NO_SUCH_VARIABLE")) != nil)
    }

    @Test(
        "in a file that everybody may read are warned of, once",
        arguments: [(0o644, 1), (0o604, 1), (0o640, 0)])
    func modes(_ mode: mode_t, _ warnings: Int) throws {
        let path = write(Array("topsecret".utf8), to: "open", mode: mode)
        let said = Locked<[String]>([])
        let secrets = Secrets(warn: { text in said.withLock { $0.append(text) } })
        for _ in 0..<3 { _ = try secrets.text(.file(path)) }
        let texts = said.withLock { $0 }
        #expect(texts.count == warnings)
        #expect(texts.allSatisfy { $0.contains(path) && !$0.contains("topsecret") })
    }

    @Test("fill in trust, proxy and headers of a request")
    func completes() throws {
        let folder = folder
        folder.write("authority", to: "ca.pem")
        folder.write("key\n", to: "key.pem")
        var plan = RequestPlan(url: try WebURL(parsing: "https://a.example/"))
        plan.tls.authorities = folder.path("ca.pem")
        plan.tls.key = .file(folder.path("key.pem"))
        plan.tls.verify = false
        plan.proxy = ProxyPlan(url: .literal("http://u:pass%40word@proxy.example:3128"))
        plan.crossOrigin = .deny
        plan.headers = [
            HeaderPlan(name: "X-Plain", value: .template(Template("1"))),
            HeaderPlan(name: "X-Key", value: .secret(.literal("key value"))),
        ]
        let secrets = Secrets()
        var request = TransferRequest(url: plan.url, userAgent: "t")
        try secrets.complete(&request, from: plan)
        #expect(request.tls.authorities == Array("authority".utf8))
        #expect(request.tls.key == Array("key".utf8))
        #expect(!request.tls.verify && !request.mayLeaveOrigin)
        #expect(request.proxy?.password == "pass@word")
        #expect(request.credentials.headers == [.init("X-Key", "key value")])
        #expect(secrets.mask.masked("pass@word, pass%40word, key value") == "***, ***, ***")
        plan.proxy = ProxyPlan(url: .literal("topsecret"))
        do throws(SecretFailure) {
            try secrets.complete(&request, from: plan)
            Issue.record("taken")
        } catch {
            #expect(error.code == "bad-proxy" && !error.failure.detail.contains("topsecret"))
        }
    }

    @Test("remember no endless number of tokens")
    func bounded() {
        let secrets = Secrets()
        for number in 0..<1_100 { secrets.hide("token-\(10_000 + number)") }
        #expect(secrets.mask.masked("token-10000 token-11099") == "token-10000 ***")
    }
}

@Suite("Plans of authentication", .timeLimit(.minutes(1))) struct AuthPlanTests {
    @Test(
        "reach the upstream in their place",
        arguments: [
            (AuthPlan.none, ""), (.bearer(token: .literal("t0ken")), "Bearer t0ken"),
            (.basic(user: .literal("u"), password: .literal("p")), "Basic dTpw"),
            (
                .apiKey(
                    APIKeyPlan(value: .literal("k3y"), place: .header("Authorization"), prefix: "ApiKey ")),
                "ApiKey k3y"
            ),
        ])
    func places(_ plan: AuthPlan, _ sent: String) async throws {
        let transfer = try TransferService()
        let upstream = try ScriptedUpstream { UpstreamAnswer(text: $0.header("authorization") ?? "") }
        let service = CredentialService(
            transfer: transfer, secrets: Secrets(), reader: FlatReader(), store: MemoryTokenStore(),
            time: ManualTime())
        #expect(try await service.perform(upstream.request(), auth: plan).text == sent)
    }

    @Test("answer a digest challenge")
    func digest() async throws {
        let transfer = try TransferService()
        let upstream = try ScriptedUpstream { request in
            request.header("authorization")?.hasPrefix("Digest username=\"u\"") == true
                ? UpstreamAnswer(text: "in")
                : UpstreamAnswer(
                    status: 401, headers: [("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)])
        }
        let service = CredentialService(
            transfer: transfer, secrets: Secrets(), reader: FlatReader(), store: MemoryTokenStore(),
            time: ManualTime())
        let plan = AuthPlan.digest(user: .literal("u"), password: .literal("p"))
        #expect(try await service.perform(upstream.request(), auth: plan).text == "in")
    }

    @Test("send nothing where a secret is missing")
    func missing() async throws {
        let transfer = try TransferService()
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer() }
        let service = CredentialService(
            transfer: transfer, secrets: Secrets(environment: { _ in nil }), reader: FlatReader(),
            store: MemoryTokenStore(), time: ManualTime())
        let failure = await service.failure(
            of: try upstream.request(), auth: .bearer(token: .environment("TOKEN")))
        #expect(failure == .secret(.missing(source: "the environment variable TOKEN")))
        #expect(upstream.connections == 0)
    }

    // dlt-hub/dlt#2856: the key stood in the URL of the error.
    @Test("of a key in the query leave no trace in an answer or a failure")
    func traceless() async throws {
        let transfer = try TransferService()
        let upstream = try ScriptedUpstream { request in
            request.path == "/cut" ? .nothing : UpstreamAnswer(status: 400, text: "bad key x1y2z3")
        }
        let secrets = Secrets()
        let service = CredentialService(
            transfer: transfer, secrets: secrets, reader: FlatReader(), store: MemoryTokenStore(),
            time: ManualTime())
        let plan = AuthPlan.apiKey(APIKeyPlan(value: .literal("x1y2z3"), place: .param("key")))
        let answer = try await service.perform(upstream.request("/?a=1"), auth: plan)
        #expect(answer.effectiveURL.query == "a=1")
        #expect(secrets.mask.masked(answer.text) == "bad key ***")
        let failure = try #require(await service.failure(of: try upstream.request("/cut"), auth: plan))
        #expect(!failure.failure.detail.contains("x1y2z3"))
        // A pooled connection that was closed is tried once more.
        #expect(Set(upstream.requests.map(\.target)) == ["/?a=1&key=x1y2z3", "/cut?key=x1y2z3"])
    }
}
