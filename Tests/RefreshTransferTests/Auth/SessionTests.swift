import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

@Suite("Sessions", .timeLimit(.minutes(1))) struct SessionTests {
    private let transfer: TransferService
    private let time = ManualTime()

    init() throws { transfer = try TransferService() }

    private var service: CredentialService {
        CredentialService(
            transfer: transfer, secrets: Secrets(), reader: FlatReader(), store: MemoryTokenStore(),
            time: time)
    }

    /// Logs in by `/login`, counted, and takes the last session only.
    private static func upstream(
        _ login: @escaping @Sendable (String) -> UpstreamAnswer,
        shown: @escaping @Sendable (UpstreamRequest) -> String?
    ) throws -> ScriptedUpstream {
        let sessions = Locked(0)
        let expires = Locked(false)
        return try ScriptedUpstream { request in
            switch request.path {
            case "/login": return login("session-\(sessions.withLock { $0 += 1; return $0 })")
            case "/expire":
                expires.withLock { $0 = true }
                return UpstreamAnswer()
            default:
                let current = "session-\(sessions.withLock { $0 })"
                let isExpired = expires.withLock { isExpired in
                    defer { isExpired = false }
                    return isExpired
                }
                return shown(request) == current && !isExpired
                    ? UpstreamAnswer(text: current) : UpstreamAnswer(status: 401)
            }
        }
    }

    private func login(_ upstream: ScriptedUpstream) throws -> TransferRequest {
        try upstream.request(
            "/login", headers: [("Content-Type", "application/json")], method: "POST",
            body: Array(#"{"user":"u","password":"p"}"#.utf8))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let token: SessionPlan.TokenPlace
        let send: CredentialPlace
        let prefix: String
        let login: @Sendable (String) -> UpstreamAnswer
        let shown: @Sendable (UpstreamRequest) -> String?
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "a token in the body, sent as a header",
            token: .body(JSONPath([.name(Array("token".utf8))])),
            send: .header("Authorization"), prefix: "Token ",
            login: { UpstreamAnswer(text: #"{"token":"\#($0)"}"#) },
            shown: { $0.header("authorization").map { String($0.dropFirst(6)) } }),
        Case(
            name: "a token in a header, sent as a parameter", token: .header("X-Session"),
            send: .param("sid"),
            prefix: "",
            login: { UpstreamAnswer(headers: [("x-session", $0)]) },
            shown: { request in request.target.split(separator: "sid=").last.map { String($0) } }),
        Case(
            name: "a cookie set with a redirect, sent as a cookie", token: .cookie("sid"),
            send: .cookie("sid"),
            prefix: "",
            login: {
                UpstreamAnswer(
                    status: 302,
                    headers: [("Location", "/home"), ("Set-Cookie", "sid=\($0); HttpOnly; Path=/")])
            },
            shown: { request in request.header("cookie").map { String($0.dropFirst(4)) } }),
    ]

    @Test("log in once, and again when the upstream has forgotten them", arguments: cases)
    func logsIn(_ item: Case) async throws {
        let service = service
        let upstream = try Self.upstream(item.login, shown: item.shown)
        let login = try login(upstream)
        var plan = SessionPlan(login: RequestPlan(url: login.url), token: item.token, send: item.send)
        plan.prefix = item.prefix
        func ask() async throws -> TransferAnswer {
            try await service.perform(upstream.request("/rows"), auth: .session(plan), login: login)
        }
        for _ in 0..<3 { #expect(try await ask().text == "session-1") }
        _ = try await transfer.perform(upstream.request("/expire"))
        #expect(try await ask().text == "session-2")
        let logins = upstream.requests.filter { $0.path == "/login" }
        #expect(logins.count == 2)
        #expect(logins.allSatisfy { $0.method == "POST" && $0.body.count == login.body?.count })
        #expect(!upstream.requests.contains { $0.path == "/home" })
    }

    @Test("end with their time to live")
    func ttl() async throws {
        let service = service
        let item = Self.cases[0]
        let upstream = try Self.upstream(item.login, shown: item.shown)
        let login = try login(upstream)
        var plan = SessionPlan(login: RequestPlan(url: login.url), token: item.token, send: item.send)
        plan.prefix = item.prefix
        plan.ttl = .seconds(600)
        for (passed, text) in [(0, "session-1"), (599, "session-1"), (1, "session-2")] {
            time.advance(by: .seconds(passed))
            let answer = try await service.perform(
                upstream.request("/rows"), auth: .session(plan), login: login)
            #expect(answer.text == text)
        }
    }

    @Test(
        "say why the login failed",
        arguments: [
            (UpstreamAnswer(status: 401), RefreshFailure.Class.auth, "login-http-401"),
            (UpstreamAnswer(status: 404), .upstream, "login-http-404"),
            (UpstreamAnswer(status: 429, headers: [("Retry-After", "9")]), .rate, "login-http-429"),
            (UpstreamAnswer(text: "{}"), .data, "login-token-missing"),
        ])
    func refusals(_ answer: UpstreamAnswer, _ kind: RefreshFailure.Class, _ code: String) async throws {
        let upstream = try ScriptedUpstream { _ in answer }
        let login = try login(upstream)
        let plan = SessionPlan(
            login: RequestPlan(url: login.url), token: Self.cases[0].token, send: .header("X"))
        do throws(CredentialFailure) {
            _ = try await service.perform(
                try upstreamRequest(upstream), auth: .session(plan), login: login)
            Issue.record("logged in")
        } catch {
            #expect(error.failure.class == kind && error.failure.code == code)
        }
        #expect(upstream.requests.count == 1)
    }

    private func upstreamRequest(_ upstream: ScriptedUpstream) throws(CredentialFailure) -> TransferRequest {
        do { return try upstream.request("/rows") } catch { throw .noLogin }
    }
}
