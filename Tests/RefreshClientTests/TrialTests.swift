import Glibc
import RefreshClient
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@Suite("Trial", .timeLimit(.minutes(1))) struct TrialTests {
    private static let atom = """
        <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title><id>urn:f</id>
        <updated>2026-01-01T00:00:00Z</updated>
        <entry><id>urn:a</id><title>6.1</title><updated>2026-01-01T00:00:00Z</updated></entry>
        <entry><id>urn:b</id><title>6.0</title><updated>2025-12-01T00:00:00Z</updated></entry></feed>
        """

    /// The first of the example feeds.
    private static func kernel(_ url: String) -> String {
        """
        version: 1
        feeds:
          kernel:                      # the shortest useful feed
            adapter: feed
            url: \(url)
            allow_private: true

        """
    }

    @Test("of the shortest feed shows its page and what a cache would hold")
    func kernel() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Type", "application/atom+xml")], text: Self.atom)
        }
        let rig = try Rig([:])
        let file = rig.folder.write(Self.kernel(upstream.url("/releases.atom")), to: "f.yaml")
        let ending = try await rig.run(["try", "kernel", file])
        #expect(ending.code == .ok, "\(ending.errors)")
        let lines = ending.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "page 1: GET \(upstream.url("/releases.atom"))")
        #expect(ending.output.contains("  status 200, \(Self.atom.utf8.count) B, 2 rows\n"))
        #expect(ending.output.contains("  stop: the list has one page (single)\n"))
        #expect(ending.output.contains("\nthe cache would hold 2 items\n  urn:a  {"))
        #expect(upstream.requests.count == 1)
    }

    @Test("names the words that do nothing yet in this build")
    func notYet() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Type", "application/atom+xml")], text: Self.atom)
        }
        let rig = try Rig([:])
        let derive = "    derive:\n      short: {from: [title], exec: [/bin/true]}\n"
        let file = rig.folder.write(Self.kernel(upstream.url("/releases.atom")) + derive, to: "f.yaml")
        let ending = try await rig.run(["try", "kernel", file])
        #expect(ending.code == .ok, "\(ending.errors)")
        let warning = "\(file): warning: these keys do nothing yet in this build: derive\n"
        #expect(ending.output.hasPrefix(warning), "\(ending.output)")
    }

    // MARK: - Pages

    private static func shop(_ url: String, _ more: String = "") -> String {
        """
        feeds:
          shop:
            adapter: json
            allow_private: true
            request:
              url: \(url)
              headers: {X-Mode: {env: TRIAL_TEST_UNSET}}
            key: id
            records: {path: items, where: '@.hidden != true'}
            paginate: {type: cursor, next: next, to: {param: after}}
        \(more)
        """.split(separator: "\n").filter { !$0.contains("TRIAL_TEST_UNSET") }.joined(separator: "\n") + "\n"
    }

    private static func pages(_ request: UpstreamRequest) -> UpstreamAnswer {
        let (rows, next): (String, String) =
            switch request.target {
            case "/list": (#"{"id":1,"n":1.10},{"id":2,"hidden":true}"#, #""c2""#)
            case "/list?after=c2": (#"{"id":3},{"id":"x"}"#, #""c3""#)
            case "/list?after=c3": (#"{"id":4}"#, "null")
            default: ("", "null")
            }
        return UpstreamAnswer(
            headers: [
                ("Content-Type", "application/json"), ("X-RateLimit-Remaining", "58"),
                ("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "30"),
            ], text: #"{"items":[\#(rows)],"next":\#(next)}"#)
    }

    @Test("of a paged list goes as far as it is told, and says where it goes on")
    func paged() async throws {
        let upstream = try ScriptedUpstream { Self.pages($0) }
        let rig = try Rig([:])
        let file = rig.folder.write(Self.shop(upstream.url("/list")), to: "f.yaml")
        let ending = try await rig.run(["try", "shop", file])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(ending.output.contains(", 2 rows, 1 after \"where\"\n"))
        #expect(ending.output.contains("  rate limit: 58 of 60 left, new ones in 30s\n"))
        #expect(ending.output.contains("  next: cursor c2\n"))
        #expect(ending.output.contains("end: cut after 2 requests; the list goes on at cursor c3\n"))
        #expect(ending.output.contains("the cache would hold 3 items\n  1  {\"id\":1,\"n\":1.10}\n"))
        #expect(upstream.requests.count == 2)
        let all = try await rig.run(["try", "shop", file, "--pages", "9"])
        #expect(all.output.contains("end: complete, the whole list was read\n"))
        let json = try await rig.run(["try", "shop", file, "--pages", "9", "--json"])
        let document = try JSONDocument(parsing: PaddedBytes(json.output))
        let items = try #require(document.member("items", of: document.root))
        #expect(document.count(of: items) == 4)
        #expect(document.bool(document.member("complete", of: document.root)) == true)
        #expect(document.count(of: try #require(document.member("pages", of: document.root))) == 3)
    }

    @Test("is recorded, and played again without network, to the same end")
    func replay() async throws {
        let upstream = try ScriptedUpstream { Self.pages($0) }
        let rig = try Rig([:])
        let file = rig.folder.write(Self.shop(upstream.url("/list")), to: "f.yaml")
        let folder = rig.folder.path("rec/one")
        let live = try await rig.run(["try", "shop", file, "--record", folder])
        #expect(live.code == .ok, "\(live.errors)")
        #expect(live.errors.contains("2 answers recorded in"))
        upstream.stop()
        let again = try await rig.run(["try", "shop", file, "--replay", folder])
        #expect(again.output == live.output)
        #expect(again.code == .ok)
        let further = try await rig.run(["try", "shop", file, "--replay", folder, "--pages", "3"])
        #expect(further.code == .failure)
        #expect(
            further.errors
                == "refreshctl: no answer is recorded for GET \(upstream.url("/list?after=c3"))\n")
        let twice = try await rig.run(["try", "shop", file, "--record", folder])
        #expect(twice.code == .failure && twice.errors.contains("a recording is here already"))
        let none = try await rig.run(["try", "shop", file, "--replay", rig.folder.path("none")])
        #expect(none.errors.contains("No such file"))
    }

    @Test("keeps secrets out of what it shows and records")
    func secrets() async throws {
        let secret = "s3cr3t-token"
        let upstream = try ScriptedUpstream { request in
            UpstreamAnswer(
                headers: [
                    ("Content-Type", "application/json"), ("X-Echo", request.header("authorization") ?? ""),
                ],
                text: #"[{"id":1,"echo":"\#(secret)"}]"#)
        }
        let rig = try Rig([:])
        let key = rig.folder.write("\(secret)\n", to: "key")
        let file = rig.folder.write(
            """
            feeds:
              shop:
                adapter: json
                allow_private: true
                url: \(upstream.url("/list"))
                auth: {type: bearer, token: {cred: shop_token}}
                key: id

            """, to: "f.yaml")
        let folder = rig.folder.path("rec")
        let ending = try await rig.run([
            "try", "shop", file, "--secret", "shop_token=\(key)", "--record", folder,
        ])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(upstream.requests.first?.header("authorization") == "Bearer \(secret)")
        let recorded = String(decoding: try #require(readFile("\(folder)/0001.json")), as: UTF8.self)
        #expect(!(ending.output + ending.errors + recorded).contains(secret))
        #expect(ending.output.contains("***"))
        // The recording needs no secret.
        let again = try await rig.run(["try", "shop", file, "--replay", folder])
        #expect(again.code == .ok, "\(again.errors)")
        // Without the credential the trial says what is missing.
        let without = try await rig.run(["try", "shop", file])
        #expect(without.code == .failure)
        #expect(without.output.contains("the credential shop_token is not there"))
    }

    @Test("of an XML list reads rows by XPath")
    func xml() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: [("Content-Type", "text/xml")],
                text: "<rates><rate code='EUR'>1.10</rate><rate code='USD'>1</rate></rates>")
        }
        let rig = try Rig([:])
        let file = rig.folder.write(
            """
            feeds:
              rates:
                adapter: xml
                allow_private: true
                url: \(upstream.url("/rates"))
                records: {path: /rates/rate, fields: {code: '@code', value: .}}
                key: '@code'

            """, to: "f.yaml")
        let ending = try await rig.run(["try", "rates", file])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(
            ending.output.contains(
                "the cache would hold 2 items\n  EUR  {\"code\":\"EUR\",\"value\":\"1.10\"}\n"))
    }

    @Test("of an incremental feed says what the next pass begins from")
    func next() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: [("Content-Type", "application/json"), ("Date", "Thu, 01 Jan 2026 00:00:09 GMT")],
                text: #"[{"id":1,"at":"2026-01-01T00:00:00Z"},{"id":2,"at":"2025-01-01T00:00:00Z"}]"#)
        }
        let rig = try Rig([:])
        let file = rig.folder.write(
            """
            feeds:
              a:
                adapter: json
                allow_private: true
                url: \(upstream.url("/a"))
                key: id
                incremental: {type: field, cursor: at, to: {param: since}}

            """, to: "f.yaml")
        let ending = try await rig.run(["try", "a", file])
        #expect(ending.output.contains("next pass: begins from 2026-01-01T00:00:00Z\n"), "\(ending.output)")
        let json = try await rig.run(["try", "a", file, "--json"])
        #expect(json.output.contains(#""next_since":"2026-01-01T00:00:00Z""#))
    }

    @Test("begins where it is told to")
    func since() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Type", "application/json")], text: "[]")
        }
        let rig = try Rig([:])
        let feed = { (more: String) in
            """
            feeds:
              a:
                adapter: json
                allow_private: true
                url: \(upstream.url("/a"))
                key: id
            \(more)

            """
        }
        let file = rig.folder.write(
            feed("    incremental: {type: field, cursor: at, to: {param: since}, overlap: 10s}"), to: "f.yaml"
        )
        let ending = try await rig.run(["try", "a", file, "--since", "2026-01-01T00:00:10Z"])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(upstream.requests.last?.target == "/a?since=2026-01-01T00%3A00%3A00Z")
        _ = try await rig.run(["try", "a", file])
        #expect(upstream.requests.last?.target == "/a")
        let odd = try await rig.run(["try", "a", file, "--since", "soon"])
        #expect(odd.code == .failure && odd.errors.contains("no value of the kind rfc3339"))
        let plain = rig.folder.write(feed(""), to: "g.yaml")
        let senseless = try await rig.run(["try", "a", plain, "--since", "1"])
        #expect(senseless.errors.contains("has no \"incremental\""))
    }

    @Test("of a feed by parents takes an item of the daemon, or of the recording")
    func parents() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Type", "application/json")], text: #"[{"id":7}]"#)
        }
        let rig = try Rig([
            "GET /v1/feeds/stores/items?limit=100": Rig.json(
                #"{"items":[{"key":"a/1","data":{"id":"a/1"}}]}"#)
        ])
        let file = rig.folder.write(
            """
            feeds:
              stores: {adapter: json, url: 'https://a.example/stores', key: id}
              orders:
                adapter: json
                allow_private: true
                parent: {feed: stores}
                url: \(upstream.url("/stores/$(parent.id)/orders"))
                key: [parent.id, id]

            """, to: "f.yaml")
        let folder = rig.folder.path("rec")
        let ending = try await rig.run(["try", "orders", file, "--record", folder])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(upstream.requests.map(\.target) == ["/stores/a%2F1/orders"])
        #expect(ending.output.contains(#"  ["a/1","7"]  {"id":7"#))
        upstream.stop()
        rig.daemon.stop()
        let again = try await rig.run(["try", "orders", file, "--replay", folder])
        #expect(again.code == .ok, "\(again.errors)")
        let alone = try await rig.run(["try", "orders", file])
        #expect(alone.code == .failure && alone.errors.contains("no daemon answers"))
    }

    @Test("tells what would change where a daemon has the feed")
    func comparison() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(
                headers: [("Content-Type", "application/json")],
                text: #"[{"id":1,"a":1},{"id":2,"a":1},{"id":3,"a":1}]"#)
        }
        let rig = try Rig([
            "GET /v1/feeds/a": Rig.json(#"{"name":"a","items":6}"#),
            "GET /v1/feeds/a/items?key=1&key=2&key=3": Rig.json(
                #"{"items":[{"key":"1","data":{"a": 1.0, "id":1}},{"key":"2","data":{"id":2,"a":2}}]}"#),
        ])
        let file = rig.folder.write(
            "feeds:\n  a: {adapter: json, allow_private: true, url: '\(upstream.url("/a"))', key: id}\n",
            to: "f.yaml")
        let ending = try await rig.run(["try", "a", file])
        #expect(ending.code == .ok, "\(ending.errors)")
        #expect(
            ending.output.hasSuffix(
                "in the daemon: 1 new, 1 changed, 1 the same, 0 deleted\n  + 3\n  ~ 2\n"
                    + "  4 that it has were not met, and would be gone\n"))
        let json = try await rig.run(["try", "a", file, "--json"])
        #expect(
            json.output.hasSuffix(
                #""daemon":{"added":["3"],"changed":["2"],"removed":[],"unchanged":1,"missing":4}}"# + "\n"))
    }

    @Test("that fails says why and ends so", arguments: [404, 200])
    func failure(_ status: Int) async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(status: status, headers: [("Content-Type", "text/html")], text: "<html>\u{1B}[2J")
        }
        let rig = try Rig([:])
        let file = rig.folder.write(
            "feeds:\n  a: {adapter: json, allow_private: true, url: '\(upstream.url("/a"))', key: id}\n",
            to: "f.yaml")
        let ending = try await rig.run(["try", "a", file])
        #expect(ending.code == .failure)
        #expect(ending.output.contains("end: failed: \(status == 404 ? "upstream http-404" : "data")"))
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test("of what is not there or wrong says so, and another feed's mistake stops nothing")
    func mistakes() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("Content-Type", "application/json")], text: "[]")
        }
        let rig = try Rig([:])
        let file = rig.folder.write(
            "feeds:\n  a: {adapter: json, allow_private: true, url: '\(upstream.url("/a"))', key: id}\n"
                + "  b: {adaptor: json}\n", to: "f.yaml")
        let good = try await rig.run(["try", "a", file])
        #expect(good.code == .ok)
        #expect(good.errors.contains("f.yaml:3:"))
        let bad = try await rig.run(["try", "b", file])
        #expect(bad.code == .failure && bad.errors.contains("did you mean \"adapter\"?"))
        let absent = try await rig.run(["try", "aa", file])
        #expect(absent.code == .failure && absent.errors.contains("did you mean \"a\"?"))
        #expect(try await rig.run(["try", "a", rig.folder.path("none")]).code == .config)
    }

    @Test("does not use up a refresh token")
    func refreshToken() async throws {
        let rig = try Rig([:])
        let file = rig.folder.write(
            """
            feeds:
              a:
                adapter: json
                url: https://a.example/
                key: id
                auth: {type: oauth2, grant: refresh_token, token_url: 'https://a.example/t', client_id: c, refresh_token: {env: T}}

            """, to: "f.yaml")
        let ending = try await rig.run(["try", "a", file])
        #expect(ending.code == .failure)
        #expect(ending.errors.contains("might use up the refresh token"))
    }
}
