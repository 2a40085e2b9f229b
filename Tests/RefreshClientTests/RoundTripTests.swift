import Glibc
import RefreshClient
import RefreshConfig
import RefreshCore
import TestSupport
import Testing

/// A daemon as a test scripts it, and refreshctl run against it with its outputs in files.
private final class Rig: Sendable {
    let folder = TemporaryFolder()
    let daemon: ScriptedUpstream
    let socket: String

    init(_ answers: [String: UpstreamAnswer]) throws {
        socket = folder.path("s")
        daemon = try ScriptedUpstream(unixSocket: socket) { request in
            answers["\(request.method) \(request.target)"]
                ?? Rig.problem(404, "not-found", "there is nothing at \(request.target)")
        }
    }

    deinit { daemon.stop() }

    static func json(_ text: String, status: Int = 200) -> UpstreamAnswer {
        UpstreamAnswer(status: status, headers: [("Content-Type", "application/json")], text: text)
    }

    static func problem(_ status: Int, _ code: String, _ detail: String) -> UpstreamAnswer {
        json(#"{"title":"No","status":\#(status),"detail":"\#(detail)","code":"\#(code)"}"#, status: status)
    }

    struct Ending {
        let code: ExitCode
        let output: String
        let errors: String
    }

    func run(_ arguments: [String]) async throws -> Ending {
        let output = folder.write("", to: "out")
        let errors = folder.write("", to: "err")
        let outputDescriptor = unsafe open(output, O_WRONLY)
        let errorDescriptor = unsafe open(errors, O_WRONLY)
        defer {
            close(outputDescriptor)
            close(errorDescriptor)
        }
        let program = Program(
            environment: Environment(["REFRESHD_SOCKET": socket]), uid: getuid(),
            output: Output(descriptor: outputDescriptor), errors: Output(descriptor: errorDescriptor),
            now: Timestamp(seconds: 1_767_225_600))
        let code = await program.run(arguments)
        return Ending(
            code: code, output: String(decoding: try #require(readFile(output)), as: UTF8.self),
            errors: String(decoding: try #require(readFile(errors)), as: UTF8.self))
    }
}

@Suite("Round trip", .timeLimit(.minutes(1))) struct RoundTripTests {
    private static let feeds = Rig.json(
        """
        {"feeds":[{"name":"shop","title":"Shop","adapter":"json","url":"http://x/","state":"backoff",
        "freshness":"stale","items":3,"bytes":99,"last_success":"2025-12-31T23:57:00Z","next_due":null,
        "consecutive_failures":2,"last_error":{"class":"transient","code":"http-503","detail":"down"},
        "in_flight":false,"alarms":["suspect"],"novel":{"x":[1]}}]}
        """)

    @Test("status shows the feeds")
    func status() async throws {
        let rig = try Rig([
            "GET /v1/status": Rig.json(#"{"version":"0.1.0","feeds":{"total":1}}"#),
            "GET /v1/feeds": Self.feeds,
        ])
        let plain = try await rig.run(["status"])
        #expect(
            plain.output
                == "shop\tbackoff\tstale\t3\t2025-12-31T23:57:00Z\t\t2 failures, transient http-503: down; suspect\n"
        )
        #expect(plain.code == .ok && plain.errors.isEmpty)
        let json = try await rig.run(["status", "--json"])
        #expect(json.output == "{\"version\":\"0.1.0\",\"feeds\":{\"total\":1}}\n")
        #expect(rig.daemon.requests.allSatisfy { $0.header("host") == "localhost" })
        #expect(rig.daemon.requests.first?.header("user-agent") == "refreshctl/\(Version.text)")
    }

    private static func page(_ keys: [Int], cursor: String?, key: String) -> UpstreamAnswer {
        let items = keys.map { #"{"key":"\#($0)","rev":1,"data":{"n":1.10}}"# }.joined(separator: ",")
        let next = cursor.map { "\"\($0)\"" } ?? "null"
        return Rig.json(
            #"{"items":[\#(items)],"cursor":\#(next),"has_more":\#(cursor != nil),"sync_key":"\#(key)","#
                + #""stale":false}"#)
    }

    @Test("items follow the cursors to the end, as rows and as one document")
    func allItems() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/items?limit=500": Self.page([1, 2], cursor: "c/1", key: "k1"),
            "GET /v1/feeds/shop/items?cursor=c%2F1&limit=500": Self.page([3], cursor: nil, key: "k2"),
        ])
        let rows = try await rig.run(["items", "shop", "--all"])
        #expect(rows.output == "1\t1\t\t{\"n\":1.10}\n2\t1\t\t{\"n\":1.10}\n3\t1\t\t{\"n\":1.10}\n")
        #expect(rows.errors.isEmpty)
        let json = try await rig.run(["items", "shop", "--all", "--json"])
        #expect(
            json.output == """
                {"items":[
                {"key":"1","rev":1,"data":{"n":1.10}},
                {"key":"2","rev":1,"data":{"n":1.10}},
                {"key":"3","rev":1,"data":{"n":1.10}}
                ],"has_more":false,"stale":false,"sync_key":"k1"}

                """)
    }

    @Test("items of one page come as the daemon wrote them, and tell how to go on")
    func onePage() async throws {
        let rig = try Rig(["GET /v1/feeds/shop/items?limit=2": Self.page([1, 2], cursor: "c1", key: "k")])
        let rows = try await rig.run(["items", "shop", "--limit", "2"])
        #expect(rows.errors == "refreshctl: more items follow; go on with --cursor c1, or see them --all\n")
        let json = try await rig.run(["items", "shop", "--limit", "2", "--json"])
        #expect(json.output.hasPrefix(#"{"items":[{"key":"1","rev":1,"data":{"n":1.10}},{"#))
        #expect(json.errors.isEmpty)
    }

    @Test("a daemon that promises more and leads nowhere is not followed for ever")
    func noWay() async throws {
        let stuck = Rig.json(#"{"items":[],"cursor":"c","has_more":true}"#)
        let rig = try Rig([
            "GET /v1/feeds/shop/items?limit=500": stuck, "GET /v1/feeds/shop/items?cursor=c&limit=500": stuck,
        ])
        let ending = try await rig.run(["items", "shop", "--all"])
        #expect(ending.code == .unavailable)
        #expect(ending.errors.contains("no cursor that leads to them"))
    }

    @Test("changes tell the key to go on from")
    func changes() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/changes?since=k1": Rig.json(
                #"{"changes":[{"op":"upsert","key":"1","rev":2,"created":true,"item":{"key":"1","data":[1]}},"#
                    + #"{"op":"delete","key":"2","rev":1,"reason":"missing"}],"sync_key":"k2","has_more":false}"#
            )
        ])
        let ending = try await rig.run(["changes", "shop", "--since", "k1"])
        #expect(ending.output == "upsert\t1\t2\tnew\t[1]\ndelete\t2\t1\tmissing\t\n")
        #expect(ending.errors == "refreshctl: go on later with --since k2\n")
    }

    @Test("a sync key that is too old ends with the reason and what to do")
    func resync() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/changes?since=k1": Rig.problem(410, "resync", "the key is too old")
        ])
        let ending = try await rig.run(["changes", "shop", "--since", "k1", "--json"])
        #expect(ending.code == .failure)
        #expect(ending.output.contains(#""code":"resync""#))
        #expect(
            ending.errors
                == "refreshctl: the key is too old; list again (refreshctl items shop --all) and go on from its sync key\n"
        )
    }

    @Test(
        "get shows one item, whatever its key holds",
        arguments: [("a/b", "a%2Fb"), ("..", "%2E%2E"), ("-1", "-1")])
    func get(_ key: String, _ segment: String) async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/items/\(segment)": Rig.json(#"{"key":"k","rev":7,"data":{"a":"\u001b"}}"#)
        ])
        let ending = try await rig.run(["get", "shop", "--", key])
        #expect(ending.output == "key\tk\nrev\t7\ndata\t{\"a\":\"\\u001b\"}\n")
        #expect(ending.code == .ok)
    }

    @Test("an item that is gone is shown and is no success")
    func gone() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/items/1": Rig.json(
                #"{"key":"1","rev":7,"state":"gone","data":1}"#, status: 410)
        ])
        let ending = try await rig.run(["get", "shop", "1"])
        #expect(ending.output == "key\t1\nrev\t7\nstate\tgone\ndata\t1\n")
        #expect(ending.code == .failure)
    }

    @Test("an unknown feed leads to the right one", arguments: ["shpo", "Shop"])
    func unknownFeed(_ name: String) async throws {
        let rig = try Rig([
            "GET /v1/feeds/shpo/items": Rig.problem(404, "feed-not-found", "there is no feed shpo"),
            "GET /v1/feeds": Self.feeds,
        ])
        let ending = try await rig.run(["items", name])
        #expect(ending.code == .failure)
        #expect(ending.errors.hasSuffix("; did you mean \"shop\"?\n"))
    }

    @Test(
        "refresh ends as the refresh does",
        arguments: [
            (
                200, #"{"outcome":"refreshed","feed":"shop","counts":{"added":2}}"#, ExitCode.ok,
                "refreshed\t2"
            ),
            (200, #"{"outcome":"failed","error":{"class":"data","code":"x"}}"#, .failure, "failed\t0"),
            (200, #"{"outcome":"too_soon","retry_in_ms":5000}"#, .failure, "too_soon\t0"),
            (202, #"{"batch":"b1"}"#, .ok, "started\t0"),
        ])
    func refresh(_ status: Int, _ answer: String, _ code: ExitCode, _ row: String) async throws {
        let rig = try Rig(["POST /v1/feeds/shop/refresh": Rig.json(answer, status: status)])
        let ending = try await rig.run(["refresh", "shop", "--now", "--deadline", "5s"])
        #expect(ending.code == code)
        #expect(ending.output.hasPrefix("shop\t\(row)\t"))
        let request = try #require(rig.daemon.requests.first)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body == #"{"mode":"now","wait":"all","deadline_ms":5000}"#)
        #expect(request.header("content-type") == "application/json")
    }

    @Test("a refusal ends with the status for it")
    func forbidden() async throws {
        let rig = try Rig(["POST /v1/feeds/shop/refresh": Rig.problem(403, "forbidden", "only for operators")]
        )
        let ending = try await rig.run(["refresh", "shop"])
        #expect(ending.code == .denied)
        #expect(ending.errors == "refreshctl: only for operators\n")
    }

    @Test("somebody else on the socket is not taken for the daemon")
    func stranger() async throws {
        let rig = try Rig(["GET /v1/feeds": UpstreamAnswer(text: "<html>\u{1B}[2J")])
        let ending = try await rig.run(["feeds"])
        #expect(ending.code == .unavailable)
        #expect(ending.errors.contains("is not refreshd"))
    }

    @Test("a daemon that hangs up is told from one that is not there")
    func hangsUp() async throws {
        let rig = try Rig(["GET /v1/feeds": .nothing])
        let cut = try await rig.run(["feeds"])
        #expect(cut.code == .unavailable)
        #expect(cut.errors.contains("no answer from refreshd on \(rig.socket)"))
        rig.daemon.stop()
        let gone = try await rig.run(["feeds"])
        #expect(gone.code == .unavailable)
        #expect(gone.errors.contains("no refreshd answers on \(rig.socket)"))
    }

    @Test("nothing of an answer reaches the terminal unescaped")
    func hostile() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/items": Rig.json(
                #"{"items":[{"key":"\u001b]0;owned\u0007\n","rev":1,"data":"\u009b"}],"#
                    + #""error":{"detail":"a\nb\u001b[2J"},"has_more":true,"cursor":"\u001b"}"#)
        ])
        let ending = try await rig.run(["items", "shop"])
        let shown = ending.output + ending.errors
        #expect(
            !shown.unicodeScalars.contains {
                $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control
            })
        #expect(ending.output.utf8.count { $0 == 0x0A } == 1)
    }
}

@Suite("Without a daemon") struct OfflineTests {
    @Test("check tells a wrong file from one that cannot be read")
    func check() async throws {
        let rig = try Rig([:])
        let missing = try await rig.run(["check", rig.folder.path("none.yaml")])
        #expect(missing.code == .config)
        #expect(missing.output.contains("no such file"))
        let wrong = rig.folder.write("feeds:\n  shop:\n    adaptor: json\n", to: "wrong.yaml")
        let mistaken = try await rig.run(["check", wrong])
        #expect(mistaken.code == .failure)
        #expect(mistaken.output.contains("wrong.yaml:3:5:"))
        let json = try await rig.run(["check", "--format", "json", wrong])
        #expect(json.output.hasPrefix("{") && json.output.contains("\"line\":3"))
        let good = rig.folder.write(
            "feeds:\n  news: {adapter: feed, url: 'https://news.example/atom.xml', every: 1h}\n",
            to: "good.yaml")
        let fine = try await rig.run(["check", good])
        #expect(fine.code == .ok)
    }

    @Test("explain shows what holds for a feed, and who says so")
    func explain() async throws {
        let rig = try Rig([:])
        let file = rig.folder.write(
            "feeds:\n  news: {adapter: feed, url: 'https://news.example/atom.xml', every: 2h}\n", to: "f.yaml"
        )
        let shown = try await rig.run(["explain", "news", file])
        #expect(shown.code == .ok)
        #expect(shown.output.contains("every = 2h  (\(file):2)\n"))
        #expect(shown.output.contains("keep.count = 500  (default)\n"))
        let json = try await rig.run(["explain", "news", file, "--format", "json"])
        #expect(json.output.hasPrefix("{\"feed\":\"news\",\"values\":[{"))
        let unknown = try await rig.run(["explain", "newz", file])
        #expect(unknown.code == .failure)
        #expect(
            unknown.errors
                == "refreshctl: there is no feed \"newz\" in \(file); did you mean \"news\"?\n")
        let missing = try await rig.run(["explain", "news", rig.folder.path("none.yaml")])
        #expect(missing.code == .config)
    }

    @Test("schema prints the schema, or the reference of all keys")
    func schema() async throws {
        let rig = try Rig([:])
        #expect(try await rig.run(["schema"]).output == ConfigSchema.json + "\n")
        let page = try await rig.run(["schema", "--format", "markdown"])
        #expect(page.output == ConfigReference.markdown)
    }

    @Test("a wrong command line says where help is")
    func usage() async throws {
        let rig = try Rig([:])
        let ending = try await rig.run(["items", "shop", "--limti", "3"])
        #expect(ending.code == .usage)
        #expect(
            ending.errors == """
                refreshctl: "items" has no option "--limti"; did you mean "--limit"?
                refreshctl: see: refreshctl help items

                """)
        #expect(ending.output.isEmpty)
    }

    @Test("help and version go to standard output")
    func help() async throws {
        let rig = try Rig([:])
        #expect(try await rig.run(["help"]).output == Help.text(nil))
        #expect(try await rig.run(["--version"]).output == "refreshctl \(Version.text)\n")
    }
}
