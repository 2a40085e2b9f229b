import RefreshCore
import Testing

@Suite("Answers of token endpoints") struct TokenAnswerTests {
    private static func read(
        _ status: Int, _ members: [String: String], retryAfter: Duration? = nil
    ) -> Result<TokenGrant, RefreshFailure> {
        TokenAnswer.read(status: status, retryAfter: retryAfter) { members[$0] }
    }

    @Test("grant a token, with what they say of it")
    func grants() throws {
        let whole = try Self.read(
            200,
            [
                "access_token": "a", "token_type": "bearer", "expires_in": "3600", "refresh_token": "r",
                "scope": "x",
            ]
        ).get()
        #expect(whole == TokenGrant(value: "a", lifetime: .seconds(3_600), refreshToken: "r"))
        let least = try Self.read(200, ["access_token": "a", "refresh_token": ""]).get()
        #expect(least == TokenGrant(value: "a"))
        #expect(try Self.read(200, ["access_token": "a", "token_type": "JWT"]).get().scheme == "JWT")
        #expect(
            try Self.read(200, ["access_token": "a", "token_type": "x\r\nY: z"]).get().scheme == "Bearer")
    }

    @Test(
        "tell lifetimes in seconds or not at all",
        arguments: [
            ("60", 60), ("60.5", 60), ("0", 0), ("-1", nil), ("soon", nil), ("", nil),
            ("99999999999999999999999", 315_360_000),
        ] as [(String, Int?)])
    func lifetimes(_ text: String, _ seconds: Int?) throws {
        let grant = try Self.read(200, ["access_token": "a", "expires_in": text]).get()
        #expect(grant.lifetime == seconds.map { .seconds($0) })
    }

    // RFC 6749, 5.2.
    @Test(
        "refuse with a code that is the operator's to read",
        arguments: [
            (400, "invalid_grant", RefreshFailure.Class.auth, "oauth-invalid-grant"),
            (401, "invalid_client", .auth, "oauth-invalid-client"),
            (400, "invalid_request", .auth, "oauth-invalid-request"),
            (400, "unauthorized_client", .auth, "oauth-unauthorized-client"),
            (400, "unsupported_grant_type", .auth, "oauth-unsupported-grant-type"),
            (400, "invalid_scope", .auth, "oauth-invalid-scope"),
            (200, "bad_verification_code", .auth, "oauth-bad-verification-code"),
            (400, "temporarily_unavailable", .transient, "oauth-temporarily-unavailable"),
            (400, "slow_down", .rate, "oauth-slow-down"), (400, "\u{1B}[0m é", .auth, "oauth---0m---"),
        ])
    func refuses(_ status: Int, _ error: String, _ kind: RefreshFailure.Class, _ code: String) {
        let members = ["error": error, "error_description": "because\u{1B}[2J", "access_token": "a"]
        guard case .failure(let failure) = Self.read(status, members) else {
            Issue.record("granted")
            return
        }
        #expect(failure.class == kind)
        #expect(failure.code == code)
        #expect(failure.detail.contains("because") && !failure.detail.contains("\u{1B}"))
    }

    @Test(
        "have the class of their status where they say no more",
        arguments: [
            (429, RefreshFailure.Class.rate), (503, .rate), (403, .rate), (500, .transient),
            (502, .transient),
            (408, .transient), (400, .auth), (401, .auth), (404, .upstream), (302, .upstream),
        ])
    func statuses(_ status: Int, _ kind: RefreshFailure.Class) {
        let asks = kind == .rate
        let answer = Self.read(status, ["access_token": "a"], retryAfter: asks ? .seconds(7) : nil)
        guard case .failure(let failure) = answer else {
            Issue.record("granted")
            return
        }
        #expect(failure.class == kind && failure.code == "http-\(status)")
        #expect(failure.retryAfter == (asks ? .seconds(7) : nil))
    }

    @Test("without a token are no grant", arguments: [[:], ["access_token": ""]])
    func missing(_ members: [String: String]) {
        guard case .failure(let failure) = Self.read(200, members) else {
            Issue.record("granted")
            return
        }
        #expect(failure.class == .data && failure.code == "token-missing")
    }
}

@Suite("Requests to token endpoints") struct TokenRequestTests {
    private static func plan(
        _ grant: OAuth2Plan.Grant, _ change: (inout OAuth2Plan) -> Void = { _ in }
    ) throws -> OAuth2Plan {
        var plan = OAuth2Plan(
            grant: grant, tokenURL: try WebURL(parsing: "https://id.example/token"), clientID: .literal("c"))
        change(&plan)
        return plan
    }

    private static func text(_ request: TokenRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    @Test("name the client in the form, or in a header that is encoded twice (RFC 6749, 2.3.1)")
    func clientAuth() throws {
        let body = TokenRequest(
            try Self.plan(.clientCredentials), clientID: "c d", clientSecret: "s&=%", refreshToken: nil)
        #expect(
            Self.text(body)
                == "grant_type=client_credentials&client_id=c+d&client_secret=s%26%3D%25")
        #expect(body.authorization == nil)
        let basic = TokenRequest(
            try Self.plan(.clientCredentials) { $0.clientAuth = .basic }, clientID: "c d",
            clientSecret: "s:é",
            refreshToken: nil)
        #expect(Self.text(basic) == "grant_type=client_credentials")
        #expect(basic.authorization == "Basic \(Base64.encode(Array("c+d:s%3A%C3%A9".utf8)))")
    }

    @Test("ask with everything that the file names")
    func fields() throws {
        let plan = try Self.plan(.refreshToken) {
            $0.scopes = ["a", "b"]
            $0.audience = "https://api.example/"
        }
        let request = TokenRequest(
            plan, clientID: "c", clientSecret: nil, refreshToken: "r", extra: [.init("resource", "x y")])
        #expect(
            Self.text(request)
                == "grant_type=refresh_token&refresh_token=r&scope=a+b"
                + "&audience=https%3A%2F%2Fapi.example%2F&client_id=c&resource=x+y")
    }
}
