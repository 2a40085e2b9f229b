import CLinux
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// Every secret of a configuration, searched for in everything that the programs print or answer.
@Suite("Secrets", .timeLimit(.minutes(2))) struct SecretsTests {
    /// By where it stands; none is a part of another.
    private static let secrets = [
        "bearer": "bearer-Zq7fK2mT", "header": "header-Xw3pL9vB", "user": "user-Rn5cJ8yQ",
        "password": "password-Gd4hS6kM", "param": "param-Tb2nV7wC", "literal": "literal-Hf9rE3zL",
        "login": "login-Pm6xD1qA", "token": "token-Yk8tB5uN", "oauth": "oauth-Lc3gW9jR",
        "proxy": "proxy-Jv1sF7oE", "plain": "plain-Ux4iC6bK", "granted": "granted-Oe7yQ2hD",
    ]

    /// Answers with all that it was sent, where a program might repeat it: in errors, addresses and heads.
    private static func echo(_ request: UpstreamRequest) -> UpstreamAnswer {
        let heads = request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
        let all = "\(request.target) \(heads) \(String(decoding: request.body, as: UTF8.self))"
        switch request.path {
        case "/token": return UpstreamAnswer(text: #"{"access_token":"\#(secrets["granted"] ?? "")"}"#)
        case "/login": return UpstreamAnswer(text: #"{"session":"\#(secrets["token"] ?? "")"}"#)
        case "/html": return UpstreamAnswer(headers: [("Content-Type", "text/html")], text: "<p>\(all)</p>")
        case "/moved": return .redirect(to: "/away?was=\(request.target)", status: 301)
        case "/refused":
            return UpstreamAnswer(
                status: 401, headers: [("WWW-Authenticate", "Basic realm=\"\(heads)\"")], text: all)
        default: return UpstreamAnswer(status: 500, text: all)
        }
    }

    private static func config(_ url: String, _ folder: TemporaryFolder) -> String {
        let secret = secrets.mapValues { $0 }
        folder.write(secret["user"] ?? "", to: "user.secret")
        folder.write((secret["password"] ?? "") + "\n", to: "password.secret")
        folder.write(secret["login"] ?? "", to: "login.secret")
        folder.write(secret["oauth"] ?? "", to: "oauth.secret")
        return """
            version: 1
            daemon: {allow_private: true, origin_gap: 0s, per_origin: 8, log: {level: debug, format: text}}
            defaults: {adapter: json, key: id, every: 1h, schedule: {min_gap: 0s}, errors: [{when: {status: [500]}, do: fail, message: failed}]}
            feeds:
              bearer: {url: '\(url)/b', auth: {type: bearer, token: {env: BEARER}}}
              header: {url: '\(url)/html', request: {headers: {X-Key: {env: HEADER}, Authorization: \(secret["plain"] ?? "")}}}
              basic: {url: '\(url)/refused', auth: {type: basic, user: {file: user.secret}, password: {file: password.secret}}}
              param: {url: '\(url)/moved', auth: {type: api_key, param: key, value: {env: PARAM}}}
              literal: {url: '\(url)/html', auth: {type: api_key, header: X-Token, value: \(secret["literal"] ?? "")}}
              login:
                url: '\(url)/html'
                auth:
                  type: session
                  login: {url: '\(url)/login', method: POST, body: {json: {user: reader, password: {file: login.secret}}}}
                  token: $.session
                  send: {header: X-Session}
              oauth:
                url: '\(url)/html'
                auth: {type: oauth2, grant: client_credentials, token_url: '\(url)/token', client_id: reader, client_secret: {file: oauth.secret}}
              proxied: {url: 'http://shop.example/x', request: {proxy: 'http://me:\(secret["proxy"] ?? "")@127.0.0.1:9'}}
            """
    }

    private static let environment = [
        "BEARER": secrets["bearer"] ?? "", "HEADER": secrets["header"] ?? "", "PARAM": secrets["param"] ?? "",
    ]

    private static let feeds = [
        "bearer", "header", "basic", "param", "literal", "login", "oauth", "proxied",
    ]

    /// As it is, percent-encoded, and in Base64, alone and behind the user of a basic login.
    private static func forms(of secret: String) -> [String] {
        let user = secrets["user"] ?? ""
        return [secret, secret.replacing("-", with: "%2D")]
            + [secret, "\(user):\(secret)"].map { Base64.encode(Array($0.utf8)).replacing("=", with: "") }
    }

    private static func expectNone(in text: String, _ what: String) {
        for (name, secret) in secrets {
            for form in forms(of: secret) where text.contains(form) {
                let place = text.firstRange(of: form).map { text[..<$0.lowerBound].suffix(80) } ?? ""
                Issue.record("\(what) shows the secret of \(name) behind: \(place)")
            }
        }
    }

    @Test("none is found in the log, in any answer, or in what refreshctl prints")
    func nowhere() async throws {
        let upstream = try ScriptedUpstream { Self.echo($0) }
        defer { upstream.stop() }
        let daemon = DaemonUnderTest(config: "")
        daemon.folder.write(
            Self.config("http://127.0.0.1:\(upstream.port)", daemon.folder), to: "plugins.yaml")
        #expect(unsafe chmod(daemon.folder.path("plugins.yaml"), 0o600) == 0)
        try await daemon.start(environment: Self.environment)
        for feed in Self.feeds {
            let wish = #"{"mode":"force","wait":"all","deadline_ms":20000}"#
            Self.expectNone(
                in: await daemon.api.post("/v1/feeds/\(feed)/refresh", json: wish)?.text ?? "", "refresh")
        }
        // What was sent shows that the secrets were read at all.
        let sent = upstream.requests.map {
            "\($0.target) \($0.headers) \(String(decoding: $0.body, as: UTF8.self))"
        }
        .joined(separator: "\n")
        for name in ["bearer", "header", "param", "literal", "login", "token", "oauth", "granted"] {
            #expect(sent.contains(Self.secrets[name] ?? "?"), "\(name) was never sent")
        }
        await answers(of: daemon)
        try await files(of: daemon)
        try await commands(daemon)
        try await daemon.stop()
        Self.expectNone(in: daemon.process?.errors ?? "", "the log")
        #expect(daemon.process?.errors.contains("feed basic:") == true)
    }

    private func answers(of daemon: DaemonUnderTest) async {
        var targets = [
            "/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/status", "/v1/feeds",
            "/v1/schema/config.json", "/v1/config", "/v1/config?defaults=1",
        ]
        for feed in Self.feeds {
            targets += ["", "/items", "/history", "/changes"].map { "/v1/feeds/\(feed)\($0)" }
            targets.append("/v1/config?feed=\(feed)&defaults=1")
        }
        for target in targets {
            let answer = await daemon.control.get(target)
            #expect(answer != nil)
            Self.expectNone(in: answer?.text ?? "", target)
        }
    }

    /// Mistakes beside, and in, what holds a secret.
    private func files(of daemon: DaemonUnderTest) async throws {
        let good = String(decoding: readFile(daemon.folder.path("plugins.yaml")) ?? [], as: UTF8.self)
        let (plain, literal) = (Self.secrets["plain"] ?? "", Self.secrets["literal"] ?? "")
        let mistakes = [
            "  bad: {url: 'http://me:\(plain)@shop.example/x'}\n",
            "  bad: {url: 'http://shop.example/x', auth: {type: bearer, tokn: \(plain)}}\n",
            "  bad: {url: 'http://shop.example/x', auth: {type: api_key, value: [\(literal)], header: X}}\n",
            "  bad: {url: 'http://shop.example/x', request: {headers: {Authorization: {vault: \(plain)}}}}\n",
            "  bad: {url: 'http://shop.example/x', request: {proxy: 'http://me:\(plain)@'}}\n",
            "  bad: {url: 'http://shop.example/x', vars: {a: {env: \(plain)}}}\n",
            "  bad: \(plain)\n",
        ]
        for mistake in mistakes {
            daemon.folder.write("\(good)\n\(mistake)", to: "plugins.yaml")
            let reload = await daemon.control.post("/v1/reload", json: "")
            #expect(reload?.status == 422, "\(mistake)")
            Self.expectNone(in: reload?.text ?? "", "the reload of \(mistake.prefix(20))")
            let check = await daemon.control.post("/v1/config/check", json: "")
            Self.expectNone(in: check?.text ?? "", "the check of \(mistake.prefix(20))")
            Self.expectNone(in: await daemon.control.get("/v1/status")?.text ?? "", "status")
        }
        daemon.folder.write(good, to: "plugins.yaml")
    }

    private func commands(_ daemon: DaemonUnderTest) async throws {
        let file = daemon.folder.path("plugins.yaml")
        let lines =
            [
                ["check", file], ["check", file, "--json"], ["diff", file], ["status"], ["feeds"], ["reload"],
            ]
            + Self.feeds.flatMap { [["explain", $0, file], ["try", $0, file], ["history", $0]] }
        for words in lines {
            let folder = TemporaryFolder()
            let process = try ChildProcess(
                "\(productsFolder)/refreshctl", words, in: folder,
                environment: ["REFRESHD_SOCKET": daemon.socket].merging(Self.environment) { $1 })
            #expect(await process.wait() != nil)
            Self.expectNone(in: process.output, "\(words.prefix(2))")
            Self.expectNone(in: process.errors, "\(words.prefix(2))")
        }
    }
}
