import RefreshAdapters
import RefreshCore
import RefreshEngine
import RefreshStore
import RefreshTransfer
import TestSupport
import Testing

/// Feeds that have to prove who asks, over real sockets.
@Suite("Flights with credentials", .timeLimit(.minutes(1))) struct CredentialFlightTests {
    private static let items = UpstreamAnswer(text: #"[{"id":1}]"#)
    private static let key = SecretSource.literal("k3y-of-the-feed")

    private func feed(
        _ url: String, _ auth: AuthPlan = .none,
        _ change: (inout Feed, inout FeedDetails) -> Void = { _, _ in }
    ) throws -> Feed {
        var feed = try EngineRig.feed("shop", url)
        var details = FeedDetails()
        details.auth = auth
        change(&feed, &details)
        feed.details = Shared(details)
        return feed
    }

    private func refresh(_ rig: EngineRig, _ feed: String = "shop") async -> RefreshOutcome? {
        await rig.engine.refresh(EngineRig.id(feed), mode: .now, acceptDrop: false)
    }

    // MARK: - Sent with each request

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let auth: AuthPlan
        let isRight: @Sendable (UpstreamRequest) -> Bool
        var testDescription: String { name }

        init(_ name: String, _ auth: AuthPlan, _ isRight: @escaping @Sendable (UpstreamRequest) -> Bool) {
            self.name = name
            self.auth = auth
            self.isRight = isRight
        }
    }

    static let kinds = [
        Kind("basic", .basic(user: .literal("user"), password: .literal("pass"))) {
            $0.header("authorization") == "Basic dXNlcjpwYXNz"
        },
        Kind("digest", .digest(user: .literal("user"), password: .literal("pass"))) {
            $0.header("authorization")?.hasPrefix("Digest username=\"user\"") == true
        },
        Kind("bearer", .bearer(token: key)) { $0.header("authorization") == "Bearer k3y-of-the-feed" },
        Kind("key in a header", .apiKey(APIKeyPlan(value: key, place: .header("X-Key"), prefix: "v1 "))) {
            $0.header("x-key") == "v1 k3y-of-the-feed"
        },
        Kind("key in the query", .apiKey(APIKeyPlan(value: key, place: .param("k")))) {
            $0.target == "/list?k=k3y-of-the-feed"
        },
        Kind("key in a cookie", .apiKey(APIKeyPlan(value: key, place: .cookie("k")))) {
            $0.header("cookie") == "k=k3y-of-the-feed"
        },
    ]

    @Test("show them at home, and to nobody behind a redirect", arguments: kinds) func kind(_ kind: Kind)
        async throws
    {
        let stranger = try ScriptedUpstream { _ in Self.items }
        defer { stranger.stop() }
        let elsewhere = stranger.url("/list")
        let leads = Locked(false)
        let upstream = try ScriptedUpstream { request in
            guard kind.isRight(request) else {
                let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#
                return UpstreamAnswer(status: 401, headers: [("WWW-Authenticate", challenge)])
            }
            return leads.withLock { $0 } ? .redirect(to: elsewhere) : Self.items
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [
            try feed(upstream.url("/list"), kind.auth) { feed, _ in
                feed.request.headers = [
                    HeaderPlan(name: "X-Own", value: .template(Template("own"))),
                    HeaderPlan(name: "X-Secret", value: .secret(.literal("hidden"))),
                ]
            }
        ])
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.store.items == 1)
        #expect(upstream.requests.last?.header("x-secret") == "hidden")
        leads.withLock { $0 = true }
        _ = await refresh(rig)
        let asked = try #require(stranger.requests.first)
        #expect(rig.status("shop")?.progress.failures == 0)
        for name in ["authorization", "x-key", "cookie", "x-own", "x-secret"] {
            #expect(asked.header(name) == nil, "\(name)")
        }
        #expect(asked.target == "/list")
        await rig.stop()
    }

    @Test("are no reason to log in again where the upstream refuses them, and that is told as what it is")
    func refused() async throws {
        let upstream = try ScriptedUpstream { _ in UpstreamAnswer(status: 401) }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/list"), .bearer(token: Self.key))])
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.progress.failure?.failure.class == .auth)
        #expect(upstream.requests.count == 1)
        await rig.stop()
    }

    @Test("read them anew for each request, and say where one is that cannot be read")
    func readAnew() async throws {
        let upstream = try ScriptedUpstream { _ in Self.items }
        defer { upstream.stop() }
        let folder = TemporaryFolder()
        let path = folder.write("first-token\n", to: "token")
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/list"), .bearer(token: .file(path)))])
        #expect(await eventually { rig.landed("shop") })
        folder.write("second-token\n", to: "token")
        _ = await refresh(rig)
        #expect(
            upstream.requests.map { $0.header("authorization") } == [
                "Bearer first-token", "Bearer second-token",
            ])
        folder.write("\n", to: "token")
        guard case .failed(let failure) = await refresh(rig) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.class == .config && failure.code == "secret-empty")
        #expect(failure.detail.contains(path))
        #expect(upstream.requests.count == 2)
        await rig.stop()
    }

    @Test("hide them where an upstream quotes what it was sent")
    func masked() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(text: "<html>bad key \(request.header("x-key") ?? "")</html>")
        }
        defer { upstream.stop() }
        let auth = AuthPlan.apiKey(APIKeyPlan(value: Self.key, place: .header("X-Key")))
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/list"), auth)])
        #expect(await eventually { rig.landed("shop") })
        let detail = try #require(rig.status("shop")?.progress.failure?.failure.detail)
        #expect(detail.contains("bad key ***") && !detail.contains("k3y-of-the-feed"), "\(detail)")
        await rig.stop()
    }

    @Test("keep no new address that quotes them")
    func redirectQuotes() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/list"
                ? .redirect(to: "/moved?k=k3y-of-the-feed", status: 301) : Self.items
        }
        defer { upstream.stop() }
        let auth = AuthPlan.apiKey(APIKeyPlan(value: Self.key, place: .param("k")))
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/list"), auth)])
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.store.items == 1)
        #expect(rig.status("shop")?.progress.redirects == nil)
        await rig.stop()
    }

    // MARK: - Tokens

    /// Notes what is saved among what the upstream is asked.
    private struct NotedTokens: TokenStore {
        let tokens: DurableTokens
        let events: Events

        func load(_ credential: CredentialID) async throws(RefreshFailure) -> String? {
            try await tokens.load(credential)
        }
        func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure) {
            try await tokens.save(refreshToken, for: credential)
            events.add("saved \(refreshToken)")
        }
    }

    private final class Events: Sendable {
        private let list = Locked<[String]>([])
        var all: [String] { list.withLock { $0 } }
        func add(_ event: String) { list.withLock { $0.append(event) } }
    }

    @Test(
        "have a rotated token on the disk before what came with it is used, and begin with it after a restart"
    )
    func rotation() async throws {
        let events = Events()
        let upstream = try ScriptedUpstream { request in
            if request.path == "/token" {
                let body = String(decoding: request.body, as: UTF8.self)
                let old = ["refresh-1", "refresh-2", "refresh-3"].firstIndex { body.contains($0) } ?? 9
                events.add("asked with \(old + 1)")
                return UpstreamAnswer(
                    text: #"{"access_token":"access-\#(old + 1)","token_type":"bearer","expires_in":3600,"#
                        + #""refresh_token":"refresh-\#(old + 2)"}"#)
            }
            events.add(request.header("authorization") ?? "")
            return Self.items
        }
        defer { upstream.stop() }
        var plan = OAuth2Plan(
            grant: .refreshToken, tokenURL: try WebURL(parsing: upstream.url("/token")),
            clientID: .literal("client"))
        plan.refreshToken = .literal("refresh-1")
        let folder = TemporaryFolder()
        let shop = try feed(upstream.url("/list"), .oauth2(plan))
        let durable = try DurableStore(folder: folder.path("durable"), now: ManualTime().now().wall)
        let tokens = NotedTokens(tokens: DurableTokens(durable, time: ManualTime()), events: events)
        for round in 1...2 {
            let rig = try await EngineRig(feeds: [shop], tokens: tokens)
            #expect(await eventually { rig.landed("shop") })
            await rig.stop()
            #expect(
                events.all.suffix(3) == [
                    "asked with \(round)", "saved refresh-\(round + 1)", "Bearer access-\(round)",
                ])
        }
        #expect(events.all.count == 6)
        await offPool { durable.stop() }
    }

    private func session(_ upstream: ScriptedUpstream) throws -> AuthPlan {
        var login = RequestPlan(url: try WebURL(parsing: upstream.url("/login")), allowPrivate: true)
        login.method = "POST"
        login.body = .form([Param(name: "user", value: Template("me"))])
        return .session(
            SessionPlan(
                login: login, token: .body(try JSONPath(parsing: "$.token")), send: .header("X-Session")))
    }

    /// A session of the upstream's: only the last one that it gave is good, up to `most`.
    private func sessions(_ valid: Events, refusal: UpstreamAnswer) throws -> ScriptedUpstream {
        try ScriptedUpstream { request in
            guard request.path == "/login" else {
                return request.header("x-session") == valid.all.last ? Self.items : refusal
            }
            let token = "session-\(valid.all.count + 1)"
            valid.add(token)
            return UpstreamAnswer(text: #"{"token":"\#(token)"}"#)
        }
    }

    @Test(
        "log in again where the upstream refuses a session, by its status or by a rule of the feed's",
        arguments: [401, 200])
    func relogin(status: Int) async throws {
        let valid = Events()
        let upstream = try sessions(
            valid, refusal: UpstreamAnswer(status: status, text: #"{"error":"stale"}"#))
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [
            try feed(upstream.url("/list"), session(upstream)) { _, details in
                guard status == 200 else { return }
                var when = ErrorRule.Condition()
                when.text = "stale"
                details.errors = [ErrorRule(when: when, action: .login)]
            }
        ])
        #expect(await eventually { rig.landed("shop") })
        #expect(upstream.requests.map(\.path) == ["/login", "/list"])
        valid.add("of another client")
        #expect(await refresh(rig) == .unchanged)
        #expect(upstream.requests.map(\.path).suffix(3) == ["/list", "/login", "/list"])
        await rig.stop()
    }

    @Test("log in once, and then give up until the next time")
    func loginIsNoUse() async throws {
        let upstream = try ScriptedUpstream { request in
            request.path == "/login"
                ? UpstreamAnswer(text: #"{"token":"of no use"}"#) : UpstreamAnswer(status: 401)
        }
        defer { upstream.stop() }
        let rig = try await EngineRig(feeds: [try feed(upstream.url("/list"), session(upstream))])
        #expect(await eventually { rig.landed("shop") })
        #expect(rig.status("shop")?.progress.failure?.failure.class == .auth)
        #expect(upstream.requests.map(\.path).filter { $0 == "/login" }.count <= 2)
        #expect(upstream.requests.count <= 4)
        await rig.stop()
    }

    // MARK: - Cookies

    @Test("send a feed's cookies back with its next pass, and never with another feed's")
    func cookies() async throws {
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(headers: [("Set-Cookie", "seen=\(request.path.dropFirst()); Path=/")], text: "[]")
        }
        defer { upstream.stop() }
        let feeds = try ["a", "b", "c"].map { name in
            var feed = try EngineRig.feed(name, upstream.url("/\(name)"))
            feed.request.cookies = name == "c" ? .off : .memory
            return feed
        }
        let rig = try await EngineRig(feeds: feeds)
        #expect(await eventually { ["a", "b", "c"].allSatisfy { rig.landed($0) } })
        for name in ["a", "b", "c"] { _ = await refresh(rig, name) }
        let asked = Dictionary(grouping: upstream.requests, by: \.path).mapValues {
            $0.map { $0.header("cookie") }
        }
        #expect(asked == ["/a": [nil, "seen=a"], "/b": [nil, "seen=b"], "/c": [nil, nil]])
        await rig.stop()
    }
}
