import RefreshClient
import RefreshCore
import Testing

@Suite("Views") struct ViewTests {
    private let now = Timestamp(seconds: 1_767_225_600)
    private let wide = Display.terminal(columns: 110, colour: false)
    private let narrow = Display.terminal(columns: 70, colour: false)

    private var feeds: [FeedAnswer] {
        var shop = FeedAnswer()
        shop.name = "shop"
        shop.title = "Demo shop"
        shop.adapter = "json"
        shop.url = "http://127.0.0.1:8807/products.json"
        shop.state = "active"
        shop.freshness = "fresh"
        shop.items = 24
        shop.bytes = 4_300
        shop.lastSuccess = now + .seconds(-180)
        shop.nextDue = now + .seconds(240)
        shop.inFlight = true
        var news = FeedAnswer()
        news.name = "news"
        news.title = "Zeitung \u{1B}]0;owned\u{07}価格"
        news.adapter = "feed"
        news.url = "https://news.example/atom.xml"
        news.state = "backoff"
        news.freshness = "overdue"
        news.items = 7
        news.bytes = 812
        news.lastSuccess = now + .seconds(-200_000)
        news.nextDue = now + .seconds(3_600)
        news.failures = 3
        news.lastError = ErrorNote(
            class: "transient", code: "http-503", detail: "the upstream\nis not available")
        var idle = FeedAnswer()
        idle.name = "idle"
        idle.state = "disabled"
        idle.freshness = "new"
        return [shop, news, idle]
    }

    private func rows(_ lines: [String], _ golden: String) {
        #expect(lines.joined(separator: "\n") == golden)
    }

    @Test("status shows every feed's health, ages for people")
    func statusWide() {
        rows(
            StatusView.table(feeds, now: now).lines(on: wide),
            """
            FEED  STATE     FRESHNESS  ITEMS  REFRESHED  NEXT    NOTE
            shop  active    fresh         24  3m ago     in 4m   refreshing
            news  backoff   overdue        7  2d ago     in 60m  3 failures, transient http-503: the upstream\\nis not ava…
            idle  disabled  new               never      -
            """)
    }

    @Test("status gives way on a narrow terminal where words are longest")
    func statusNarrow() {
        let lines = StatusView.table(feeds, now: now).lines(on: narrow)
        rows(
            lines,
            """
            FEED  STATE     FRESHNESS  ITEMS  REFRESHED  NEXT    NOTE
            shop  active    fresh         24  3m ago     in 4m   refreshing
            news  backoff   overdue        7  2d ago     in 60m  3 failures, tran…
            idle  disabled  new               never      -
            """)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 70 })
    }

    @Test(
        "status at a glance, at 80 and at 200 columns",
        arguments: [(80, StatusGolden.narrow), (200, StatusGolden.wide)])
    func statusWhole(columns: Int, golden: String) {
        var status = StatusAnswer()
        (status.version, status.config, status.uptime, status.total) = ("1.2.3", "ok", .seconds(10_900), 3)
        status.byFreshness = ["fresh": 1, "overdue": 1, "new": 1]
        status.byState = ["active": 1, "backoff": 1, "disabled": 1]
        status.diskBytes = 4_404_019
        let display = Display.terminal(columns: columns, colour: false)
        let lines =
            StatusView.summary(status, feeds: feeds).flatMap { $0.wrapped(columns - 1) }
            .map { $0.line(on: display) } + [""]
            + StatusView.table(feeds, now: now).lines(on: display)
        rows(lines, golden)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
    }

    @Test("status for programs has exact times, no head and no cutting")
    func statusPlain() {
        rows(
            StatusView.table(feeds, now: now).lines(on: .plain),
            """
            shop\tactive\tfresh\t24\t2025-12-31T23:57:00Z\t2026-01-01T00:04:00Z\trefreshing
            news\tbackoff\toverdue\t7\t2025-12-29T16:26:40Z\t2026-01-01T01:00:00Z\t\
            3 failures, transient http-503: the upstream\\nis not available
            idle\tdisabled\tnew\t\t\t\t
            """)
    }

    @Test("colours mark what is good and what is not, and nothing of the data colours anything")
    func colours() {
        let lines = StatusView.table(feeds, now: now).lines(on: .terminal(columns: 110, colour: true))
        rows(
            Array(lines[1...2]),
            """
            shop  active    \u{1B}[32mfresh\u{1B}[0m         24  3m ago     in 4m   refreshing
            news  \u{1B}[33mbackoff\u{1B}[0m   \u{1B}[31moverdue\u{1B}[0m        7  2d ago     in 60m  \
            \u{1B}[31m3 failures, transient http-503: the upstream\\nis not ava…\u{1B}[0m
            """)
    }

    @Test("feeds shows titles without obeying them")
    func feedsTable() {
        rows(
            FeedsView.table(feeds).lines(on: wide),
            """
            FEED  ADAPTER  ITEMS     SIZE  TITLE                             URL
            shop  json        24  4.2 KiB  Demo shop                         http://127.0.0.1:8807/products.json
            news  feed         7    812 B  Zeitung \\u001b]0;owned\\u0007価格  https://news.example/atom.xml
            idle
            """)
    }

    @Test("the summary counts what is not well")
    func summary() {
        var status = StatusAnswer()
        status.version = "0.1.0"
        status.uptime = .seconds(7_300)
        status.diskBytes = 1_300_000
        #expect(
            StatusView.summary(status, feeds: feeds).map { $0.line(on: wide) } == [
                "refreshd 0.1.0, up 2h: 3 feeds (1 fresh, 1 overdue, 1 new), 1 in backoff, 1 disabled, 1.2 MiB on disk"
            ])
        status.byFreshness = ["fresh": 9, "wilted": 2]
        status.byState = ["active": 9]
        status.total = 9
        status.config = "reload failed: plugins.yaml:3:1"
        status.alarms = ["nothing can be stored: the disk is full"]
        #expect(
            StatusView.summary(status, feeds: []).map { $0.line(on: wide) } == [
                "refreshd 0.1.0, up 2h: 9 feeds (9 fresh), 1.2 MiB on disk",
                "configuration: reload failed: plugins.yaml:3:1",
                "nothing can be stored: the disk is full",
            ])
        #expect(
            StatusView.summary(StatusAnswer(), feeds: []).map { $0.line(on: wide) } == ["refreshd: 0 feeds"])
    }

    private var items: [ItemAnswer] {
        var plain = ItemAnswer()
        plain.key = "42"
        plain.rev = 3
        plain.changedAt = now + .seconds(-60)
        plain.data = "{\"id\": 42,\n\t\"name\": \"Käse\"}"
        var hostile = ItemAnswer()
        hostile.key = "a\tb\u{1B}[2J"
        hostile.rev = 1
        hostile.data = "\"\u{202E}\""
        return [plain, hostile]
    }

    @Test("a configuration that was refused is told with the one that goes on")
    func refused() {
        var status = StatusAnswer()
        (status.config, status.generation, status.total) = ("reload-failed", 3, 0)
        let lines = StatusView.summary(status, feeds: []).map { $0.line(on: narrow) }
        #expect(
            lines.last
                == "configuration: the file was refused, generation 3 goes on (refreshctl check tells why)")
    }

    @Test("items are one row each, whatever their keys and records hold")
    func itemRows() {
        rows(
            ItemsView.table(items, now: now).lines(on: .terminal(columns: 44, colour: false)),
            """
            KEY            REV  CHANGED  DATA
            42               3  60s ago  {"id": 42,  "n…
            a\\tb\\u001b[2J    1           "\\u202e"
            """)
        rows(
            ItemsView.table(items, now: now).lines(on: .plain),
            """
            42\t3\t2025-12-31T23:59:00Z\t{"id": 42,  "name": "Käse"}
            a\\tb\\u001b[2J\t1\t\t"\\u202e"
            """)
    }

    @Test("later pages go on without a head, and widen a column where they must")
    func pages() {
        var layout: Table.Layout?
        let display = Display.terminal(columns: 44, colour: false)
        let pages = [items[0], items[0], items[1]].map { item in
            ItemsView.table([item], now: now).lines(on: display, continuing: &layout)
        }
        #expect(pages[0].count == 2)
        #expect(pages[1] == [pages[0][1]])
        #expect(pages[2] == [#"a\tb\u001b[2J    1           "\u202e""#])
    }

    @Test("one item is shown whole")
    func item() {
        rows(
            ItemView.lines(items[0], on: wide, now: now),
            """
            key         42
            rev         3
            changed_at  2025-12-31T23:59:00Z (60s ago)

            {
              "id": 42,
              "name": "Käse"
            }
            """)
        rows(
            ItemView.lines(items[1], on: .plain, now: now),
            """
            key\ta\\tb\\u001b[2J
            rev\t1
            data\t"\\u202e"
            """)
    }

    @Test("changes say what happened and why")
    func changes() {
        var added = ChangeAnswer()
        added.op = "upsert"
        added.key = "42"
        added.rev = 1
        added.created = true
        added.item = items[0]
        var removed = ChangeAnswer()
        removed.op = "delete"
        removed.key = "7"
        removed.reason = "missing"
        rows(
            ChangesView.table([added, removed]).lines(on: wide),
            """
            OP      KEY  REV  WHY      DATA
            upsert  42     1  new      {"id": 42,  "name": "Käse"}
            delete  7         missing
            """)
    }

    @Test("a table without rows has no lines")
    func empty() {
        #expect(ChangesView.table([]).lines(on: wide).isEmpty)
        #expect(ChangesView.table([]).lines(on: .plain).isEmpty)
    }

    @Test("a cell of a megabyte costs what is shown of it")
    func hugeCell() {
        var item = ItemAnswer()
        item.key = "k"
        item.data = "\"" + String(repeating: "x", count: 1_000_000) + "\""
        let lines = ItemsView.table([item], now: now).lines(on: narrow)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 70 })
    }
}

@Suite("Refresh outcomes") struct RefreshViewTests {
    private static func answer(_ outcome: String?, _ edit: (inout RefreshAnswer) -> Void = { _ in })
        -> RefreshAnswer
    {
        var answer = RefreshAnswer(outcome: outcome)
        edit(&answer)
        return answer
    }

    private static var counts: RefreshCounts {
        var counts = RefreshCounts()
        counts.added = 2
        counts.unchanged = 22
        return counts
    }

    static let cases: [(RefreshAnswer, String, Bool)] = [
        (answer(nil), "shop: refresh started", true),
        (answer("refreshed") { $0.counts = counts }, "shop: refreshed: 2 added, 22 unchanged", true),
        (answer("unchanged"), "shop: the upstream has nothing new", true),
        (answer("fresh"), "shop: still fresh, nothing was asked (--now asks anyway)", true),
        (
            answer("failed") {
                $0.error = ErrorNote(class: "data", code: "not-json", detail: "no \u{1B}JSON")
            },
            "shop: failed: data not-json: no \\u001bJSON", false
        ),
        (
            answer("too_soon") { $0.retryIn = .seconds(50) },
            "shop: the last attempt was a moment ago, nothing was asked; try again in 50s", false
        ),
        (
            answer("backoff") { $0.retryIn = .seconds(600) },
            "shop: waits after failures, nothing was asked; try again in 10m", false
        ),
        (answer("timeout"), "shop: still under way at the deadline; it goes on without you", false),
        (answer("refused") { $0.detail = "stopping" }, "shop: refused: stopping", false),
        (answer("novel"), "shop: novel", true),
    ]

    @Test("are told in a sentence and in the exit status", arguments: cases)
    func outcome(_ answer: RefreshAnswer, _ sentence: String, _ success: Bool) {
        #expect(
            RefreshView.line(answer, feed: "shop", on: .terminal(columns: 80, colour: false)) == sentence)
        #expect(answer.isSuccess == success)
    }

    @Test("are one row for programs")
    func row() {
        let done = RefreshViewTests.answer("refreshed") { $0.counts = RefreshViewTests.counts }
        #expect(RefreshView.line(done, feed: "shop", on: .plain) == "shop\trefreshed\t2\t0\t0\t0\t22\t0\t\t")
        let soon = RefreshViewTests.answer("too_soon") { $0.retryIn = .seconds(50) }
        #expect(
            RefreshView.line(soon, feed: "shop", on: .plain) == "shop\ttoo_soon\t0\t0\t0\t0\t0\t0\t50000\t")
    }
}
