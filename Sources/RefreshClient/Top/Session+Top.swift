import CLinux
import RefreshCore

/// How the daemon fares, live.
extension Session {
    func top(_ request: TopRequest) async throws(ClientFailure) -> ExitCode {
        var model = TopModel()
        try await look(&model, visible: nil)
        if json || request.once || output.terminalSize == nil {
            return try await frame(&model, request)
        }
        let screen = try Screen(output: output)
        do throws(ClientFailure) {
            try await live(screen, &model, request)
        } catch {
            screen.close()
            throw error
        }
        screen.close()
        return .ok
    }

    /// Two looks, so that there are rates, and one frame.
    private func frame(_ model: inout TopModel, _ request: TopRequest) async throws(ClientFailure) -> ExitCode
    {
        // Cut short where the task is cancelled.
        try? await ContinuousClock().sleep(for: min(request.interval, .seconds(1)))
        try await look(&model, visible: nil)
        if json {
            try show(json: Array(TopJSON.text(model).utf8) + [0x0A])
            return .ok
        }
        var (columns, colour) = (environment["COLUMNS"].flatMap { Int($0) } ?? 100, false)
        if case .terminal(let known, let wanted) = display { (columns, colour) = (known, wanted) }
        var view = TopView(model, now: Session.wallTime)
        try output.write(lines: view.lines(columns: columns, rows: nil, colour: colour))
        return .ok
    }

    /// Frame after frame, until a key or a signal ends it.
    private func live(
        _ screen: Screen, _ model: inout TopModel, _ request: TopRequest
    ) async throws(ClientFailure) {
        let terminal = try TerminalEvents(interval: request.interval)
        var layout: Table.Layout?
        var size = output.terminalSize ?? Screen.Size(columns: 80, rows: 24)
        var first = 0
        let colour = environment.hasColour
        func draw(_ model: TopModel) throws(ClientFailure) {
            var view = TopView(model, now: Session.wallTime, layout: layout)
            let lines = view.lines(columns: size.columns, rows: size.rows, first: first, colour: colour)
            layout = view.layout
            try screen.show(lines, rows: size.rows)
        }
        try draw(model)
        for await event in terminal.events {
            switch event {
            case .ended, .key(.quit): return
            case .tick:
                defer { terminal.looked() }
                do throws(ClientFailure) {
                    try await look(&model, visible: first..<(first + TopView.room(rows: size.rows)))
                } catch {
                    model.absence = error.message ?? "the daemon is away"
                }
            case .resized:
                size = output.terminalSize ?? size
                layout = nil
            case .key(let key): first = Session.scrolled(first, by: key, model.feeds.count, size.rows)
            }
            try draw(model)
        }
    }

    private static func scrolled(_ first: Int, by key: TerminalEvents.Key, _ count: Int, _ rows: Int) -> Int {
        let room = TopView.room(rows: rows)
        let wanted =
            switch key {
            case .up: first - 1
            case .down: first + 1
            case .pageUp: first - room
            case .pageDown: first + room
            case .home: 0
            case .end: count
            case .quit: first
            }
        return min(max(0, wanted), max(0, count - room))
    }

    // MARK: - Looking

    /// Feeds whose refreshes are asked for at one look, at most.
    private static let mostPasts = 40

    /// Asks for everything that a frame shows.
    ///
    /// - Parameter visible: the feeds that are seen, by their place; nil is all.
    private func look(_ model: inout TopModel, visible: Range<Int>?) async throws(ClientFailure) {
        let status = try await ask(.get(["status"]))
        let feeds = try await ask(.get(["feeds"]))
        let figures = try await client.text(.metrics)
        let time = ContinuousClock.now - Session.start
        model.take(
            TopSnapshot(
                status: StatusAnswer(status.value), feeds: FeedAnswer.list(feeds.value),
                figures: Figures(parsing: figures.content), taken: time))
        let ordered = model.feeds
        let seen = visible.map { Array(ordered[$0.clamped(to: ordered.indices)]) } ?? ordered
        for feed in model.unknown(among: seen).prefix(Session.mostPasts) {
            let answer = try await client.send(.get(["feeds", feed.name, "history"]))
            // A feed may have gone since, and an older daemon tells no past.
            guard answer.problem == nil else { continue }
            model.take(answer.value["refreshes"]?.elements.map { HistoryAnswer($0) } ?? [], of: feed)
        }
    }

    private static let start = ContinuousClock.now

    /// What the clock on the wall says.
    private static var wallTime: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec)) + .nanoseconds(time.tv_nsec)
    }
}

/// One frame of `top` for programs.
enum TopJSON {
    static func text(_ model: TopModel) -> String {
        var text = JSONText()
        let rates = model.rates
        text.object { text in
            text.name("over_ms")
            text.number(rates.over.inMilliseconds)
            for (name, value) in [
                ("upstream_requests_per_s", rates.requests), ("upstream_bytes_per_s", rates.bytes),
                ("api_requests_per_s", rates.asked), ("commits_per_s", rates.commits),
            ] {
                text.name(name.utf8)
                text.thousandths(value)
            }
            text.name("commit_ms")
            text.thousandths(rates.commit.map { Double($0.inMicroseconds) / 1_000 })
            for (name, value) in [("refreshes", rates.refreshed), ("failed", rates.failed)] {
                text.name(name.utf8)
                if let value { text.number(value) } else { text.null() }
            }
            text.name("feeds")
            text.array { text in
                for feed in model.feeds { write(feed, model, to: &text) }
            }
        }
        return text.text
    }

    private static func write(_ feed: FeedAnswer, _ model: TopModel, to text: inout JSONText) {
        text.object { text in
            for (name, value) in [
                ("feed", feed.name), ("state", feed.state), ("freshness", feed.freshness),
                ("next_due", feed.nextDue?.rfc3339), ("last_success", feed.lastSuccess?.rfc3339),
                ("error", feed.lastError?.text),
            ] {
                text.name(name.utf8)
                if let value { text.string(value) } else { text.null() }
            }
            text.name("in_flight")
            text.bool(feed.inFlight)
            text.name("consecutive_failures")
            text.number(feed.failures)
            // Newest first, as the daemon tells them; null for one that failed.
            text.name("took_ms")
            text.array { text in
                for entry in model.refreshes(of: feed.name) {
                    if entry.outcome != "failed", let duration = entry.duration {
                        text.number(duration.inMilliseconds)
                    } else {
                        text.null()
                    }
                }
            }
        }
    }
}

extension JSONText {
    /// A number with at most three digits behind the point, or null.
    fileprivate mutating func thousandths(_ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e12 else { return null() }
        let all = Int((abs(value) * 1_000).rounded())
        let digits = String(all % 1_000)
        let sign = value < 0 ? "-" : ""
        raw("\(sign)\(all / 1_000).\(String(repeating: "0", count: 3 - digits.count))\(digits)".utf8)
    }
}
