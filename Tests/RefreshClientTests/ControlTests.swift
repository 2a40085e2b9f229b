import Glibc
import RefreshClient
import RefreshCore
import TestSupport
import Testing

@Suite("Control", .timeLimit(.minutes(1))) struct ControlTests {
    private static let reloaded = Rig.json(
        #"{"generation":4,"added":["b"],"changed":["a"],"removed":["c"],"unchanged":7,"#
            + #""warnings":[{"file":"f.yaml","line":3,"col":5,"code":"doubtful","detail":"odd"}]}"#)

    @Test("reload goes to the socket beside the daemon's, and shows what it touched")
    func reload() async throws {
        let rig = try Rig([:], control: ["POST /v1/reload": Self.reloaded])
        let ending = try await rig.run(["reload"])
        #expect(ending.code == .ok)
        #expect(
            ending.output
                == "reloaded, generation 4: 1 added, 1 changed, 1 removed, 7 unchanged\n~ a\n+ b\n- c\n")
        #expect(ending.errors == "f.yaml:3:5: doubtful: odd\n")
        #expect(rig.daemon.requests.isEmpty)
        let request = try #require(rig.control?.requests.first)
        #expect(request.header("content-type") == "application/json")
    }

    @Test("a reload that is refused shows every mistake with its place, and ends with 78")
    func refused() async throws {
        let answer = Rig.json(
            #"{"title":"No","status":422,"code":"config-invalid","detail":"2 errors","errors":["#
                + #"{"file":"f.yaml","line":3,"col":5,"code":"unknown_key","detail":"no \"adaptor\""},"#
                + #"{"file":"g.yaml","line":0,"col":0,"code":"access","detail":"gone"}]}"#, status: 422)
        let rig = try Rig([:], control: ["POST /v1/reload": answer])
        let ending = try await rig.run(["reload"])
        #expect(ending.code == .config)
        #expect(
            ending.errors == """
                f.yaml:3:5: unknown_key: no "adaptor"
                g.yaml: access: gone
                refreshctl: 2 errors

                """)
        #expect(ending.output.isEmpty)
        let json = try await rig.run(["reload", "--json"])
        #expect(json.output.hasPrefix(#"{"title":"No""#))
    }

    @Test("a reload beside another one is no configuration's fault")
    func busy() async throws {
        let rig = try Rig([:], control: ["POST /v1/reload": Rig.problem(409, "control-busy", "another one")])
        let ending = try await rig.run(["reload"])
        #expect(ending.code == .failure)
        #expect(ending.errors == "refreshctl: another one\n")
    }

    @Test("pause and resume go to the socket that is named", arguments: ["pause", "resume"])
    func pause(_ word: String) async throws {
        let rig = try Rig(["POST /v1/feeds/shop/\(word)": Rig.json(#"{"feed":"shop","paused":true}"#)])
        let ending = try await rig.run([word, "shop", "--socket", rig.socket])
        #expect(ending.code == .ok)
        #expect(ending.output.hasPrefix("shop: \(word)"))
        // Without the option it is looked for beside, where nobody is.
        #expect(try await rig.run([word, "shop"]).code == .unavailable)
    }

    @Test("history shows a row for each refresh")
    func history() async throws {
        let rig = try Rig([
            "GET /v1/feeds/shop/history": Rig.json(
                #"{"feed":"shop","refreshes":[{"at":"2025-12-31T23:57:00Z","why":"schedule","requests":2,"status":200,"#
                    + #""bytes":2048,"took_ms":120,"result":"refreshed","added":1,"changed":2,"removed":3,"#
                    + #""error":null},{"at":"2025-12-31T23:52:00Z","why":"refresh","requests":1,"status":503,"#
                    + #""result":"failed","error":{"class":"transient","code":"http-503","detail":"down"}}]}"#
            )
        ])
        let ending = try await rig.run(["history", "shop"])
        #expect(
            ending.output == """
                2025-12-31T23:57:00Z\tschedule\trefreshed\t2\t200\t2048\t120\t1\t2\t3\t
                2025-12-31T23:52:00Z\trefresh\tfailed\t1\t503\t\t\t\t\t\ttransient http-503: down

                """)
    }

    @Test("history on a terminal")
    func historyView() {
        var entry = HistoryAnswer()
        let now = Timestamp(seconds: 1_767_225_600)
        entry.at = now + .seconds(-180)
        entry.cause = "schedule"
        entry.outcome = "refreshed"
        entry.requests = 2
        entry.status = 200
        entry.bytes = 4_300
        entry.duration = .milliseconds(120)
        entry.added = 1
        entry.changed = 0
        entry.removed = 12
        let lines = HistoryView.table([entry], now: now).lines(on: .terminal(columns: 100, colour: false))
        #expect(
            lines == [
                "WHEN    CAUSE     OUTCOME    ASKED  STATUS     SIZE    TOOK  ADDED  CHANGED  REMOVED  ERROR",
                "3m ago  schedule  refreshed      2     200  4.2 KiB  120 ms      1        0       12",
            ])
    }

    @Test(
        "purge and reset say what was done, and where it takes longer that it does",
        arguments: [
            ("purge", #"{"feed":"shop","purged_items":12}"#, "shop: emptied, 12 items; programs list anew"),
            ("reset", #"{"feed":"shop","reset":true}"#, "shop: its place upstream is forgotten"),
        ])
    func stored(word: String, answer: String, words: String) async throws {
        let rig = try Rig([:], control: ["POST /v1/feeds/shop/\(word)": Rig.json(answer)])
        let ending = try await rig.run([word, "shop"])
        #expect(ending.code == .ok && ending.output.hasPrefix(words), "\(ending)")
        #expect(rig.control?.requests.first?.header("content-type") == "application/json")
        #expect(try await rig.run([word, "shop", "--json"]).output == answer + "\n")
        let late = #"{"feed":"shop","outcome":"timeout","detail":"it goes on"}"#
        let slow = try Rig([:], control: ["POST /v1/feeds/shop/\(word)": Rig.json(late)])
        let ended = try await slow.run([word, "shop"])
        #expect(ended.code == .failure && ended.errors == "refreshctl: it goes on\n")
    }

    @Test("backup names the folder, and what was dropped for it")
    func backup() async throws {
        let rig = try Rig(
            [:],
            control: [
                "POST /v1/backup": Rig.json(
                    #"{"folder":"/b","name":"n2","files":[{"name":"cache.sqlite3","bytes":81920},"#
                        + #"{"name":"durable.sqlite3","bytes":20480}],"kept":1,"dropped":["n1"],"took_ms":12}"#
                )
            ])
        let ending = try await rig.run(["backup"])
        #expect(ending.code == .ok)
        #expect(ending.output == "backed up to /b/n2: 2 files, 100 KiB\n")
        #expect(ending.errors == "refreshctl: dropped the oldest: n1\n")
    }

    @Test("log-level is told, and asked for without one")
    func logLevel() async throws {
        let rig = try Rig([:], control: ["POST /v1/log-level": Rig.json(#"{"level":"debug","was":"info"}"#)])
        let set = try await rig.run(["log-level", "debug"])
        #expect(set.code == .ok && set.output == "debug\n")
        let asked = try await rig.run(["log-level"])
        #expect(asked.output == "debug\n")
        let bodies = rig.control?.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == [#"{"level":"debug"}"#, "{}"])
        #expect(try await rig.run(["log-level", "loud"]).code == .usage)
    }

    @Test("metrics come as they are, into a file at once, or as a document")
    func metrics() async throws {
        let text = "# TYPE a gauge\na{feed=\"shop\"} 1\n"
        let rig = try Rig(["GET /metrics": Rig.json(text)])
        #expect(try await rig.run(["metrics"]).output == text)
        let file = rig.folder.path("refreshd.prom")
        let ending = try await rig.run(["metrics", "--output", file])
        #expect(ending.code == .ok && ending.output.isEmpty)
        #expect(readFile(file).map { String(decoding: $0, as: UTF8.self) } == text)
        var facts = stat()
        #expect(unsafe lstat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o644 & ~0o022)
        let json = try await rig.run(["metrics", "--json"])
        #expect(json.output.hasPrefix(#"{"metrics":[{"name":"a","labels":{"feed":"shop"},"value":"1"}"#))
        // One that is away leaves the figures of before.
        let away = try await rig.run(["metrics", "--output", file, "--socket", rig.folder.path("none")])
        #expect(away.code == .unavailable && readFile(file) != nil)
    }

    @Test("help for programs lists every command with its options")
    func help() async throws {
        let rig = try Rig([:])
        let all = try await rig.run(["help", "--json"])
        for command in CommandName.allCases {
            #expect(all.output.contains(#""name":"\#(command.rawValue)""#))
        }
        let one = try await rig.run(["help", "top", "--json"])
        #expect(one.output.hasPrefix(#"{"commands":[{"name":"top","#) && one.output.contains("--interval"))
    }

    @Test("explain tells how the feed stands where a daemon runs it")
    func live() async throws {
        let rig = try Rig([
            "GET /v1/feeds/news": Rig.json(
                #"{"name":"news","state":"backoff","next_due":"2026-01-01T00:05:00Z","due_rule":"retry-after"}"#
            )
        ])
        let file = rig.folder.write(
            "feeds:\n  news: {adapter: feed, url: 'https://news.example/atom.xml'}\n", to: "f.yaml")
        let shown = try await rig.run(["explain", "news", file])
        #expect(shown.code == .ok)
        #expect(
            shown.output.hasSuffix(
                "state = backoff  (the daemon)\nnext_due = 2026-01-01T00:05:00Z  (the daemon)\n"
                    + "due_rule = retry-after  (the daemon)\n"))
        let json = try await rig.run(["explain", "news", file, "--format", "json"])
        #expect(json.output.contains(#","live":{"name":"news","#) && json.output.hasSuffix("}}\n"))
    }

    @Test("check knows XPath")
    func xpath() async throws {
        let rig = try Rig([:])
        let file = rig.folder.write(
            "feeds:\n  a:\n    adapter: xml\n    url: https://a.example/\n"
                + "    records: {path: '//a[', fields: {b: b}}\n    key: b\n", to: "f.yaml")
        let ending = try await rig.run(["check", file])
        #expect(ending.code == .failure)
        #expect(ending.output.contains("f.yaml:5:"))
    }
}

@Suite("Differences", .timeLimit(.minutes(1))) struct DiffTests {
    private static func file(_ feeds: String) -> String { "feeds:\n\(feeds)" }

    private static let old = file(
        """
          a: {adapter: feed, url: 'https://a.example/x'}
          b: {adapter: feed, url: 'https://b.example/x'}
          c: {adapter: feed, url: 'https://c.example/x'}

        """)
    private static let new = file(
        """
          a: {adapter: feed, url: 'https://a.example/x'}
          b: {adapter: feed, url: 'https://b.example/y', every: 3h}
          d: {adapter: feed, url: 'https://d.example/x'}

        """)

    @Test("of two files are told in full")
    func files() async throws {
        let rig = try Rig([:])
        let old = rig.folder.write(Self.old, to: "old.yaml")
        let new = rig.folder.write(Self.new, to: "new.yaml")
        let ending = try await rig.run(["diff", old, new])
        #expect(ending.code == .failure)
        #expect(ending.output == "~ b: schedule, request\n- c\n+ d\n")
        let json = try await rig.run(["diff", old, new, "--json"])
        #expect(
            json.output
                == #"{"full":true,"added":["d"],"removed":["c"],"changed":[{"feed":"b","#
                + #""what":"schedule, request"}],"others":[],"unchanged":1}"# + "\n")
        let same = try await rig.run(["diff", old, old])
        #expect(same.code == .ok && same.output.isEmpty)
        #expect(try await rig.run(["diff", old, rig.folder.path("none")]).code == .config)
    }

    @Test("of what runs are told as far as the daemon tells of it")
    func running() async throws {
        let rig = try Rig([
            "GET /v1/feeds": Rig.json(
                #"{"feeds":[{"name":"a","adapter":"feed","url":"https://a.example/x","state":"active"},"#
                    + #"{"name":"b","adapter":"json","url":"https://b.example/x","state":"disabled"},"#
                    + #"{"name":"c","adapter":"feed","url":"https://c.example/x"}]}"#)
        ])
        let new = rig.folder.write(Self.new, to: "new.yaml")
        let ending = try await rig.run(["diff", new])
        #expect(ending.code == .failure)
        #expect(
            ending.output
                == "~ b: adapter json -> feed, url https://b.example/x -> https://b.example/y, is enabled\n"
                + "- c\n+ d\n")
    }

    @Test("of what runs are told value by value where the daemon tells all of it")
    func runningInFull() async throws {
        func value(_ path: String, _ value: String) -> String {
            #"{"path":"\#(path)","value":"\#(value)","origin":"f.yaml:1","default":false}"#
        }
        func page(_ feeds: [String], next: String?) -> UpstreamAnswer {
            Rig.json(
                #"{"daemon":[\#(value("concurrency", "4"))],"budgets":[],"plugins":[],"feeds":["#
                    + feeds.joined(separator: ",")
                    + #"],"cursor":\#(next.map { "\"\($0)\"" } ?? "null"),"has_more":\#(next != nil)}"#)
        }
        func feed(_ name: String, _ url: String) -> String {
            let values = [value("adapter", "feed"), value("request.url", url)].joined(separator: ",")
            return #"{"feed":"\#(name)","values":[\#(values)]}"#
        }
        let rig = try Rig(
            [:],
            control: [
                "GET /v1/config?limit=1000": page(
                    [feed("a", "https://a.example/x"), feed("b", "https://b.example/x")], next: "b"),
                "GET /v1/config?limit=1000&cursor=b": page([feed("c", "https://c.example/x")], next: nil),
            ])
        let new = rig.folder.write(Self.new, to: "new.yaml")
        let ending = try await rig.run(["diff", new])
        #expect(ending.code == .failure)
        #expect(
            ending.output
                == "~ b: every (default) -> 3h, request.url https://b.example/x -> https://b.example/y\n"
                + "- c\n+ d\n~ (daemon: concurrency 4 -> (default))\n")
        let same = rig.folder.write("daemon: {concurrency: 4}\n" + Self.old, to: "same.yaml")
        let nothing = try await rig.run(["diff", same, "--json"])
        #expect(nothing.code == .ok)
        #expect(nothing.output.contains(#""full":true"#) && nothing.output.contains(#""unchanged":3"#))
    }
}
