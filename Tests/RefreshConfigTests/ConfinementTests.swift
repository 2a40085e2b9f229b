import RefreshConfig
import RefreshCore
import Testing

/// Nothing of the environment, of files or of another feed gets into what a feed sends, but where secrets may stand.
@Suite("Secrets stay where they may stand") struct ConfinementTests {
    private static func result(_ feed: String) -> ConfigResult {
        let text = """
            feeds:
              other: {adapter: json, url: 'https://other.example/', key: id, vars: {MINE: theirs}}
              shop:
                adapter: json
                key: id
            """
        let lines = feed.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        return ConfigReader.read(bytes: Array("\(text)\n\(lines)\n".utf8), file: "f.yaml")
    }

    @Test(
        "a source of a secret is refused anywhere else",
        arguments: [
            "url: {env: HOME}", "request: {url: {file: /etc/shadow}}",
            "url: https://a.example/\nrequest: {params: {k: {env: HOME}}}",
            "request: {url: 'https://a.example/', method: POST, body: {form: {k: {cred: x}}}}",
            "request: {url: 'https://a.example/', method: POST, body: {text: {cred: x}}}",
            "url: https://a.example/\nvars: {A: {env: HOME}}", "url: https://a.example/\ntitle: {env: HOME}",
            "url: https://a.example/\nrecords: {path: {env: HOME}}",
            "url: https://a.example/\ntags: [{env: HOME}]",
            "request: {url: 'https://a.example/', unix: {file: x}}",
            "request: {url: 'https://a.example/', tls: {ca: {cred: x}}}",
        ])
    func sources(_ feed: String) {
        let result = ConfinementTests.result(feed)
        #expect(result.plan == nil)
        #expect(!result.errors.isEmpty && result.errors.allSatisfy { $0.path.hasPrefix("feeds.shop") })
    }

    @Test("in the body of a request that is no login it is an object like any other") func plainBody() throws
    {
        let feed = "request: {url: 'https://a.example/', method: POST, body: {json: {k: {env: HOME}}}}"
        let plan = try #require(ConfinementTests.result(feed).plan)
        let shop = try #require(plan.feeds.first { $0.id.name == "shop" })
        #expect(shop.request.secrets.isEmpty)
        #expect(
            shop.request.body
                == .json(
                    .object([
                        .init(
                            name: "k",
                            value: .object([.init(name: "env", value: .text(Template("HOME")))]))
                    ])))
    }

    @Test(
        "no placeholder reaches a secret, the environment, a file or another feed's variables",
        arguments: [
            "env.HOME", "cred.x", "file.x", "secret", "secret.x", "auth.token", "var.MINE", "feeds.other.url",
            "HOME",
        ])
    func placeholders(_ name: String) {
        for place in [
            "url: https://a.example/$(\(name))",
            "url: https://a.example/\nrequest: {params: {k: $(\(name))}}",
            "url: https://a.example/\nrequest: {headers: {K: $(\(name))}}",
            "request: {url: 'https://a.example/', method: POST, body: {json: {k: $(\(name))}}}",
        ] {
            let result = ConfinementTests.result(place)
            #expect(result.plan == nil && result.errors.count == 1, "\(place)")
        }
    }

    @Test("the secrets of a login's body are known by their sources, and hidden where they stand in the file")
    func login() throws {
        let feed = """
            url: https://a.example/
            auth:
              type: session
              login:
                url: https://a.example/login
                method: POST
                params: {api_key: {cred: k}}
                body: {form: {user: reader, password: {file: /p}, pin: hunter22}}
              token: $.token
              send: {header: X-Token}
            """
        let plan = try #require(ConfinementTests.result(feed).plan)
        let shop = try #require(plan.feeds.first { $0.id.name == "shop" })
        guard case .session(let session) = shop.details.auth else {
            Issue.record("no session")
            return
        }
        #expect(session.login.secrets == [.credential("k"), .file("/p"), .literal("hunter22")])
    }
}
