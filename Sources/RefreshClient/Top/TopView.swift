import RefreshCore

/// A frame of `top`, from what is known and the size of the terminal; nothing else goes into it.
package struct TopView {
    package let model: TopModel
    /// In the daemon's clock, as far as ours agrees with it.
    package let now: Timestamp
    /// The widths of the frame before, so that columns do not jump; nil for the first.
    package var layout: Table.Layout?

    package init(_ model: TopModel, now: Timestamp, layout: Table.Layout? = nil) {
        self.model = model
        self.now = now
        self.layout = layout
    }

    /// Lines above the table, the empty one with them.
    private static let head = 5

    /// How many feeds fit on a terminal of so many rows.
    package static func room(rows: Int) -> Int { max(1, rows - head - 2) }

    /// The frame's lines, none wider than `columns`.
    ///
    /// - Parameters:
    ///   - rows: of the terminal; nil shows every feed, and no keys.
    ///   - first: the feed that stands first, of those in order.
    package mutating func lines(columns: Int, rows: Int?, first: Int = 0, colour: Bool) -> [String] {
        let display = Display.terminal(columns: columns, colour: colour)
        guard let snapshot = model.latest else {
            return [StyledLine(model.absence ?? "the daemon is asked", .faint).line(on: display)]
        }
        let feeds = model.feeds
        let room = rows.map { TopView.room(rows: $0) } ?? feeds.count
        let start = min(max(0, first), max(0, feeds.count - room))
        let shown = Array(feeds.dropFirst(start).prefix(room))
        var lines = header(snapshot, columns: columns).map { $0.fitted(columns).line(on: display) }
        lines.append("")
        lines += table(shown, columns: columns).lines(on: display, atLeast: &layout)
        guard rows != nil else { return lines }
        let last = start + shown.count
        let keys =
            shown.count < feeds.count
            ? "q quits, arrows scroll; \(start + 1) to \(last) of \(feeds.count)" : "q quits"
        lines.append(StyledLine(keys, .faint).fitted(columns).line(on: display))
        return lines
    }

    // MARK: - Above the table

    private func header(_ snapshot: TopSnapshot, columns: Int) -> [StyledLine] {
        var first = StatusView.summary(snapshot.status, feeds: snapshot.feeds).first ?? StyledLine()
        if let absence = model.absence {
            first = StyledLine(absence, .bad)
        } else {
            if let config = snapshot.status.refusedConfig { first.add("; configuration: \(config)", .bad) }
            for alarm in snapshot.status.alarms { first.add("; \(alarm)", .bad) }
        }
        return [first, upstream(columns), refreshes(snapshot), service()]
    }

    private func upstream(_ columns: Int) -> StyledLine {
        let rates = model.rates
        var line = TopView.begin("upstream")
        line.add("\(TopView.rate(rates.requests)) requests/s, \(TopView.speed(rates.bytes))  ")
        line.add(Sparkline.text(model.curve, columns: min(30, max(0, columns - 50))), .good)
        return line
    }

    private func refreshes(_ snapshot: TopSnapshot) -> StyledLine {
        let rates = model.rates
        var line = TopView.begin("refreshes")
        if let refreshed = rates.refreshed, let failed = rates.failed {
            line.add("\(refreshed) in \(Wording.span(rates.over))")
            line.add(", \(failed) failed", failed > 0 ? .bad : .plain)
        } else {
            line.add("-")
        }
        let under = snapshot.feeds.count(where: \.inFlight)
        let due = snapshot.feeds.count { feed in
            feed.nextDue.map { $0 - now <= .seconds(60) } ?? false
        }
        line.add("; \(under) under way, \(due) due within 60s")
        return line
    }

    private func service() -> StyledLine {
        let rates = model.rates
        var line = TopView.begin("sockets")
        line.add("\(TopView.rate(rates.asked)) requests/s")
        if let clients = model.latest?.figures.sum("refreshd_api_clients") {
            line.add(", \(Wording.count(Int(clients), "client"))")
        }
        line.add("; store  ", .strong)
        line.add("\(TopView.rate(rates.commits)) commits/s")
        if let commit = rates.commit { line.add(" of \(TopView.milliseconds(commit))") }
        return line
    }

    private static func begin(_ name: String) -> StyledLine {
        StyledLine(name + String(repeating: " ", count: max(1, 11 - name.utf8.count)), .strong)
    }

    // MARK: - The table

    /// From this width on the table tells more.
    private static let wide = 140

    private func table(_ feeds: [FeedAnswer], columns: Int) -> Table {
        let isWide = columns >= TopView.wide
        let curve = isWide ? 30 : 10
        var titles = [
            Table.Column("FEED", least: 8), Table.Column("STATE"), Table.Column("ITEMS", side: .right),
            Table.Column("AGE", side: .right), Table.Column("DUE", side: .right),
            Table.Column("TOOK", side: .right), Table.Column("LATENCY"),
        ]
        if isWide {
            titles += [
                Table.Column("SIZE", side: .right), Table.Column("ADDED", side: .right),
                Table.Column("CHANGED", side: .right), Table.Column("REMOVED", side: .right),
            ]
        }
        titles.append(Table.Column("NOTE", least: 4))
        return Table(
            titles,
            rows: feeds.map { feed in
                let past = model.refreshes(of: feed.name)
                return cells(feed, past.first, past, curve: curve)
                    + (isWide ? changes(past.first) : []) + [
                        TopView.note(feed, inWords: columns >= TopView.wordy)
                    ]
            })
    }

    private func cells(
        _ feed: FeedAnswer, _ last: HistoryAnswer?, _ past: [HistoryAnswer], curve: Int
    ) -> [Table.Cell] {
        let isActive = feed.state == nil || feed.state == "active"
        let word = (isActive ? feed.freshness : feed.state) ?? ""
        let times = past.prefix(curve).reversed().map { entry -> Double? in
            entry.outcome == "failed" ? nil : entry.duration.map { Double($0.inMilliseconds) }
        }
        return [
            Table.Cell(feed.name),
            Table.Cell(word, tone: isActive ? Tones.freshness(word) : Tones.state(word)),
            Table.Cell(feed.items.map(String.init) ?? ""),
            Table.Cell(feed.lastSuccess.map { Wording.span(now - $0) } ?? "never"),
            due(feed),
            Table.Cell(last?.duration.map { TopView.milliseconds($0) } ?? ""),
            Table.Cell(
                Sparkline.text(Array(times), columns: curve),
                tone: last?.outcome == "failed" ? .bad : .good),
        ]
    }

    private func due(_ feed: FeedAnswer) -> Table.Cell {
        if feed.inFlight { return Table.Cell("running", tone: .strong) }
        guard let due = feed.nextDue else { return Table.Cell("-", tone: .faint) }
        return Table.Cell(due <= now ? "now" : Wording.span(due - now))
    }

    private func changes(_ last: HistoryAnswer?) -> [Table.Cell] {
        func number(_ value: Int?) -> Table.Cell { Table.Cell(value.map(String.init) ?? "") }
        return [
            Table.Cell(last?.bytes.map(Wording.size) ?? ""), number(last?.added), number(last?.changed),
            number(last?.removed),
        ]
    }

    /// From this width on what is wrong is told in words; below it by its code, of which more is seen.
    private static let wordy = 100

    private static func note(_ feed: FeedAnswer, inWords: Bool) -> Table.Cell {
        if let error = feed.lastError {
            let text = inWords ? error.text : error.code ?? error.text
            let times =
                feed.failures > 1 ? (inWords ? "\(feed.failures) failures, " : "\(feed.failures)× ") : ""
            return Table.Cell(times + text, tone: .bad)
        }
        if !feed.alarms.isEmpty { return Table.Cell(feed.alarms.joined(separator: ", "), tone: .warning) }
        return Table.Cell("")
    }

    // MARK: - Numbers

    /// One digit behind the point where the number is small; `-` where there is none yet.
    private static func rate(_ value: Double?) -> String {
        guard let value else { return "-" }
        let tenths = Int((value * 10).rounded())
        return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    }

    private static func speed(_ value: Double?) -> String {
        value.map { "\(Wording.size(Int($0.rounded())))/s" } ?? "-"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let microseconds = duration.inMicroseconds
        if microseconds < 10_000 { return "\(microseconds / 1_000).\(microseconds / 100 % 10) ms" }
        let milliseconds = microseconds / 1_000
        return milliseconds < 10_000
            ? "\(milliseconds) ms" : "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }
}
