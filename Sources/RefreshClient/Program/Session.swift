import RefreshCore

/// One command's conversation with the daemon, and what it shows of it.
struct Session {
    let client: APIClient
    let display: Display
    /// The daemon's own words instead of tables.
    let json: Bool
    let output: Output
    /// For what a person should know beyond the rows.
    let notes: Notes
    /// Where it is told that something goes on.
    let errors: Output
    let now: Timestamp
    let environment: Environment

    func run(_ command: Command) async throws(ClientFailure) -> ExitCode {
        switch command {
        case .status: try await status()
        case .top(let request): try await top(request)
        case .feeds: try await feeds()
        case .items(let request): try await items(request)
        case .get(let feed, let key): try await get(feed, key)
        case .changes(let request): try await changes(request)
        case .watch(let request): try await watch(request)
        case .history(let feed): try await history(feed)
        case .refresh(let request): try await refresh(request)
        case .pause(let feed): try await pause(feed, true)
        case .resume(let feed): try await pause(feed, false)
        case .purge(let feed): try await purge(feed)
        case .reset(let feed): try await reset(feed)
        case .reload: try await reload()
        case .backup: try await backup()
        case .logLevel(let level): try await logLevel(level)
        case .metrics(let file): try await metrics(file)
        case .restore, .doctor, .check, .try, .explain, .suggest, .import, .diff, .schema, .help, .version:
            preconditionFailure("these need no daemon")
        }
    }

    // MARK: - Overviews

    private func status() async throws(ClientFailure) -> ExitCode {
        let answer = try await ask(.get(["status"]))
        if json { return try show(answer) }
        let list = FeedAnswer.list(try await ask(.get(["feeds"])).value)
        if case .terminal(let columns, _) = display {
            let summary = StatusView.summary(StatusAnswer(answer.value), feeds: list)
                .flatMap { $0.wrapped(columns - 1) }
            try output.write(lines: summary.map { $0.line(on: display) } + (list.isEmpty ? [] : [""]))
        }
        try output.write(lines: StatusView.table(list, now: now).lines(on: display))
        return .ok
    }

    private func feeds() async throws(ClientFailure) -> ExitCode {
        let answer = try await ask(.get(["feeds"]))
        if json { return try show(answer) }
        let list = FeedAnswer.list(answer.value)
        try output.write(lines: FeedsView.table(list).lines(on: display))
        if list.isEmpty { notes.tell("no feeds are configured") }
        return .ok
    }

    // MARK: - One item, one refresh

    private func get(_ feed: String, _ key: String) async throws(ClientFailure) -> ExitCode {
        let request = APIRequest.get(["feeds", feed, "items", key])
        let answer = try await ask(request, feed: feed) { $0.status == 410 && $0.value["key"] != nil }
        if json {
            try show(answer)
        } else {
            let item = ItemAnswer(answer.value["item"] ?? answer.value)
            try output.write(lines: ItemView.lines(item, on: display, now: now))
        }
        guard answer.status == 410 else { return .ok }
        notes.tell("the upstream no longer has this item; this is the last copy")
        return .failure
    }

    private func refresh(_ request: RefreshRequest) async throws(ClientFailure) -> ExitCode {
        let answer = try await Progress.during("refreshing \(request.feed)", on: errors) {
            () async throws(ClientFailure) in
            try await ask(request.apiRequest, feed: request.feed)
        }
        let outcome = RefreshAnswer(answer.value)
        if json {
            try show(answer)
        } else {
            try output.write(lines: [RefreshView.line(outcome, feed: request.feed, on: display)])
        }
        return outcome.isSuccess ? .ok : .failure
    }

    // MARK: - Asking

    /// The answer to `request`, where it is a good one or one that `passes`.
    ///
    /// - Parameter feed: the feed that the request names; unknown ones are compared with those that there are.
    func ask(
        _ request: APIRequest, feed: String? = nil, passes: (APIAnswer) -> Bool = { _ in false }
    ) async throws(ClientFailure) -> APIAnswer {
        if let feed, !FeedID.isLegal(feed) {
            let problem = Problem(status: 404, code: "feed-not-found", detail: "no feed is named \"\(feed)\"")
            throw .problem(problem, hint: try await otherFeeds(than: feed))
        }
        let answer = try await client.send(request)
        guard let problem = answer.problem, !passes(answer) else { return answer }
        if json { try show(answer) }
        var hint: String?
        if let feed, problem.status == 404, problem.code == "feed-not-found" {
            hint = try await otherFeeds(than: feed)
        } else if problem.status == 410, let feed {
            hint = "list again (refreshctl items \(feed) --all) and go on from its sync key"
        }
        throw .problem(problem, hint: hint)
    }

    private func otherFeeds(than name: String) async throws(ClientFailure) -> String? {
        let answer = try await client.send(.get(["feeds"]))
        guard answer.problem == nil else { return nil }
        let names = FeedAnswer.list(answer.value).map(\.name)
        return FeedHint.text(for: name, among: names)
    }

    /// The daemon's words as they came.
    @discardableResult func show(_ answer: APIAnswer) throws(ClientFailure) -> ExitCode {
        let body = answer.body.content
        try show(json: Array(body) + (body.last == 0x0A ? [] : [0x0A]))
        return .ok
    }

    func show(json text: [UInt8]) throws(ClientFailure) {
        guard case .terminal = display else { return try output.write(text) }
        try output.write(Array(SafeText.json(String(decoding: text, as: UTF8.self)).utf8))
    }
}
