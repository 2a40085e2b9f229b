import RefreshCore
import Testing

@testable import RefreshClient

@Suite("Top") struct TopTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    // MARK: - The daemon of these tests

    private var status: StatusAnswer {
        var status = StatusAnswer()
        status.version = "1.2.3"
        status.config = "ok"
        status.uptime = .seconds(10_900)
        status.total = 5
        status.byFreshness = ["fresh": 2, "stale": 1, "overdue": 1, "new": 1]
        status.byState = ["active": 3, "backoff": 1, "paused": 1]
        status.diskBytes = 4_404_019
        return status
    }

    private func feed(_ name: String, _ change: (inout FeedAnswer) -> Void) -> FeedAnswer {
        var feed = FeedAnswer()
        (feed.name, feed.state, feed.freshness) = (name, "active", "fresh")
        feed.lastAttempt = now + .seconds(-20)
        change(&feed)
        return feed
    }

    private var feeds: [FeedAnswer] {
        [
            feed("prices") {
                ($0.items, $0.lastSuccess, $0.nextDue) = (2_480, now + .seconds(-180), now + .seconds(42))
            },
            feed("価格表") {
                ($0.items, $0.lastSuccess, $0.nextDue) = (12, now + .seconds(-7_300), now + .seconds(4_000))
                $0.freshness = "stale"
                $0.inFlight = true
            },
            feed("advisories") {
                ($0.items, $0.lastSuccess, $0.nextDue) = (310, now + .seconds(-90_000), now + .seconds(600))
                ($0.state, $0.freshness, $0.failures) = ("backoff", "overdue", 4)
                $0.lastError = ErrorNote(
                    class: "transient", code: "http-503", detail: "the upstream\u{1B}[2J is not available")
            },
            feed("old") { ($0.state, $0.freshness, $0.items) = ("paused", "new", 0) },
            feed("e\u{301}toiles") {
                ($0.items, $0.lastSuccess, $0.nextDue) = (7, now + .seconds(-5), now + .seconds(-1))
                $0.alarms = ["flapping"]
            },
        ]
    }

    private func figures(_ requests: Int, failed: Int) -> Figures {
        Figures(
            parsing: """
                # HELP refreshd_upstream_requests_total Requests.
                refreshd_upstream_requests_total{class="2xx"} \(requests)
                refreshd_upstream_requests_total{class="5xx"} \(failed)
                refreshd_upstream_bytes_total \(requests * 4_096)
                refreshd_api_requests_total{class="2xx"} \(requests * 40)
                refreshd_api_clients 3
                refreshd_refreshes_total{feed="a",result="refreshed"} \(requests)
                refreshd_refreshes_total{feed="a",result="failed"} \(failed)
                refreshd_store_commit_seconds_sum \(Double(requests) * 0.0008)
                refreshd_store_commit_seconds_count \(requests)

                """.utf8)
    }

    private func entry(_ milliseconds: Int, failed: Bool = false) -> HistoryAnswer {
        var entry = HistoryAnswer()
        entry.duration = .milliseconds(milliseconds)
        entry.outcome = failed ? "failed" : "refreshed"
        (entry.bytes, entry.added, entry.changed, entry.removed) = (13_312, 3, 12, 1)
        return entry
    }

    private var model: TopModel {
        var model = TopModel()
        for (place, requests) in [100, 104, 110, 111, 119, 124].enumerated() {
            model.take(
                TopSnapshot(
                    status: status, feeds: feeds, figures: figures(requests, failed: place / 3),
                    taken: .seconds(2 * place)))
        }
        let past = [120, 180, 90, 400, 210, 150].map { entry($0) }
        for feed in feeds where feed.name != "old" {
            let failed = feed.name == "advisories"
            model.take(failed ? [entry(30_000, failed: true), entry(4)] + past : past, of: feed)
        }
        return model
    }

    // MARK: - Frames

    private func frame(
        _ columns: Int, rows: Int? = 14, first: Int = 0, colour: Bool = false, _ model: TopModel? = nil
    ) -> [String] {
        var view = TopView(model ?? self.model, now: now)
        return view.lines(columns: columns, rows: rows, first: first, colour: colour)
    }

    @Test("fits a terminal of 80 columns")
    func narrow() {
        let lines = frame(80)
        #expect(lines.joined(separator: "\n") == TopGolden.narrow)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    }

    @Test("tells more on 200 columns")
    func wide() {
        let lines = frame(200)
        #expect(lines.joined(separator: "\n") == TopGolden.wide)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 200 })
    }

    @Test(
        "no line is wider than the terminal, and no more are shown than it has rows",
        arguments: [20, 33, 80, 140, 300])
    func widths(columns: Int) {
        for rows in [3, 10, 24] {
            let lines = frame(columns, rows: rows)
            // Columns that are never cut need more than a terminal of 60 has.
            if columns >= 80 { #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }) }
            #expect(lines.count <= max(rows, 8))
        }
    }

    @Test("colours say what the words say, and are left out where they are not wanted")
    func colours() {
        let painted = frame(120, colour: true).joined(separator: "\n")
        #expect(painted.contains("\u{1B}[31m4 failures, transient http-503"))
        #expect(painted.contains("\u{1B}[1mFEED"))
        #expect(!frame(120).joined().contains("\u{1B}"))
        // What an upstream has put into its error drives nothing.
        #expect(!painted.contains("\u{1B}[2J"))
    }

    @Test("scrolls over what does not fit, and not beyond the end")
    func scrolls() {
        let first = frame(80, rows: 9)
        #expect(first.last == "q quits, arrows scroll; 1 to 2 of 5")
        let last = frame(80, rows: 9, first: 99)
        #expect(last.last == "q quits, arrows scroll; 4 to 5 of 5")
        #expect(last.contains { $0.hasPrefix("old ") })
    }

    @Test("columns keep their width while their content gets shorter")
    func steady() {
        var view = TopView(model, now: now)
        _ = view.lines(columns: 120, rows: nil, colour: false)
        var shorter = TopModel()
        shorter.take(
            TopSnapshot(
                status: status, feeds: [feed("a") { $0.items = 1 }], figures: figures(1, failed: 0),
                taken: .zero))
        var next = TopView(shorter, now: now, layout: view.layout)
        let lines = next.lines(columns: 120, rows: nil, colour: false)
        let before = view.lines(columns: 120, rows: nil, colour: false)
        #expect(lines[5].hasPrefix("FEED        STATE"))
        #expect(lines[5] == before[5])
    }

    @Test("a daemon that went away is told of above its last figures")
    func absence() {
        var model = model
        model.absence = "no refreshd answers"
        let lines = frame(80, model)
        #expect(lines[0] == "no refreshd answers")
        #expect(lines.count == frame(80).count)
        var empty = TopModel()
        empty.absence = "no refreshd answers"
        #expect(frame(80, empty) == ["no refreshd answers"])
    }

    @Test("a frame is put over the one before in one piece")
    func piece() {
        #expect(
            Screen.frame(["a", "b", "c"], rows: 2)
                == "\u{1B}[?2026h\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\u{1B}[J\u{1B}[?2026l")
    }

    // MARK: - Figures

    @Test("rates are those of the last minute")
    func rates() {
        let rates = model.rates
        #expect(rates.over == .seconds(10))
        #expect(rates.requests == 2.5)
        #expect(rates.refreshed == 25 && rates.failed == 1)
        #expect(rates.commit == .microseconds(800))
        #expect(model.curve == [2, 3, 1, 4, 2.5])
        var long = TopModel()
        for second in 0...200 {
            long.take(
                TopSnapshot(
                    status: status, feeds: [], figures: figures(second * second, failed: 0),
                    taken: .seconds(second)))
        }
        #expect(long.rates.over == .seconds(60))
        #expect(long.rates.requests == Double(200 * 200 - 140 * 140) / 60)
    }

    @Test("a daemon that was started anew begins at nothing, and one look makes no rate")
    func restart() {
        var model = model
        model.take(
            TopSnapshot(status: status, feeds: feeds, figures: figures(3, failed: 0), taken: .seconds(14)))
        #expect(model.rates == TopModel.Rates())
        #expect(model.curve.isEmpty)
    }

    @Test("only feeds that were refreshed since are asked for their past")
    func unknown() {
        var model = model
        #expect(model.unknown(among: feeds).map(\.name) == ["old"])
        var changed = feeds
        changed[0].lastAttempt = now
        #expect(model.unknown(among: changed).map(\.name) == ["prices", "old"])
        model.take([], of: changed[3])
        #expect(model.unknown(among: feeds).isEmpty)
    }

    @Test(
        "curves have the height that a value has beside the highest",
        arguments: [
            ([0, 1, 2, 4, 8], 9, "▁▁▂▄█"), ([5, 5], 9, "██"), ([0, 0], 9, "▁▁"), ([], 9, ""),
            ([1, nil, 8], 9, "▁×█"), ([1, 2, 3, 4], 2, "▆█"), ([1], 0, ""),
        ] as [([Double?], Int, String)])
    func sparklines(_ values: [Double?], _ columns: Int, _ text: String) {
        #expect(Sparkline.text(values, columns: columns) == text)
    }

    @Test(
        "reads keys, also those of several bytes",
        arguments: [
            ("q", [.quit]), ("\u{3}", [.quit]), ("\u{1B}", [.quit]), ("jj", [.down, .down]),
            ("\u{1B}[A", [.up]),
            ("\u{1B}[6~", [.pageDown]), ("\u{1B}[1;5C", []), ("x", []), ("G", [.end]),
        ] as [(String, [TerminalEvents.Key])])
    func keys(_ sent: String, _ keys: [TerminalEvents.Key]) {
        #expect(TerminalEvents.Key.read(Array(sent.utf8)) == keys)
    }

    @Test("figures are read with their labels, and what is none is passed over")
    func parsing() {
        let figures = Figures(
            parsing: """
                # TYPE a counter
                a{feed="x\\"y\\n",class="2xx"} 1.5
                a 2 1700000000
                a{broken 3
                b NaN

                """.utf8)
        #expect(figures.samples.map(\.name) == ["a", "a", "b"])
        #expect(figures.samples[0].label("feed") == "x\"y\n")
        #expect(figures.sum("a") == 3.5)
        #expect(figures.sum("a", where: ("class", "2xx")) == 1.5)
        #expect(figures.sum("none") == nil)
        #expect(
            Figures(parsing: "a{l=\"v\"} 1\n".utf8).json
                == #"{"metrics":[{"name":"a","labels":{"l":"v"},"value":"1"}]}"#)
    }
}

@Suite("Top and the daemon", .timeLimit(.minutes(1))) struct TopConversationTests {
    private func rig() throws -> Rig {
        try Rig([
            "GET /v1/status": Rig.json(#"{"version":"1","uptime_ms":5000,"feeds":{"total":1}}"#),
            "GET /v1/feeds": Rig.json(
                #"{"feeds":[{"name":"shop","state":"active","freshness":"fresh","items":3,"#
                    + #""last_attempt":"2025-12-31T23:57:00Z"}]}"#),
            "GET /v1/feeds/shop/history": Rig.json(
                #"{"refreshes":[{"took_ms":40,"result":"refreshed"},{"took_ms":9,"result":"failed"}]}"#),
            "GET /metrics": Rig.json(
                "refreshd_api_clients 2\nrefreshd_api_requests_total{class=\"2xx\"} 9\n"),
        ])
    }

    @Test("into a pipe it is one frame as wide as somebody says")
    func once() async throws {
        let rig = try rig()
        let ending = try await rig.run(["top", "--interval", "500ms"], ["COLUMNS": "72"])
        #expect(ending.code == .ok && ending.errors.isEmpty)
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "refreshd 1, up 5s: 1 feed (1 fresh)")
        #expect(lines.contains("FEED  STATE  ITEMS    AGE  DUE   TOOK  LATENCY  NOTE"))
        #expect(lines.contains { $0.hasPrefix("shop  fresh      3  never    -  40 ms  ×█") })
        #expect(!ending.output.contains("\u{1B}") && !ending.output.contains("quits"))
        // The past of a feed that was not refreshed meanwhile is asked for once.
        #expect(rig.daemon.requests.count { $0.target == "/v1/feeds/shop/history" } == 1)
    }

    @Test("for programs it is one document")
    func json() async throws {
        let ending = try await rig().run(["top", "--json", "--interval", "500ms"])
        #expect(ending.code == .ok)
        #expect(ending.output.contains(#""api_requests_per_s":0.000"#))
        #expect(ending.output.hasSuffix(#""consecutive_failures":0,"took_ms":[40,null]}]}"# + "\n"))
    }

    @Test("without a daemon it ends as every command does")
    func away() async throws {
        let rig = try Rig([:])
        #expect(try await rig.run(["top", "--socket", rig.folder.path("none")]).code == .unavailable)
    }
}
