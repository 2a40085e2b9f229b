import RefreshCore

/// What only those may ask who control the daemon, and how it went before.
extension Session {
    /// A reload waits for files and for the store.
    private static let reloadPatience: Duration = .seconds(90)

    func reload() async throws(ClientFailure) -> ExitCode {
        let answer = try await ask(.post(["reload"], patience: Session.reloadPatience)) {
            $0.status == 422 && $0.value["errors"] != nil
        }
        if json { try show(answer) }
        if let problem = answer.problem {
            notes.show(lines: (answer.value["errors"]?.elements ?? []).map { FaultAnswer($0).text })
            notes.tell(problem.text)
            return .config
        }
        let report = ReloadAnswer(answer.value)
        notes.show(lines: report.warnings.map { $0.text })
        if !json { try output.write(lines: ReloadView.lines(report).map { $0.line(on: display) }) }
        return .ok
    }

    func pause(_ feed: String, _ isPaused: Bool) async throws(ClientFailure) -> ExitCode {
        let answer = try await ask(.post(["feeds", feed, isPaused ? "pause" : "resume"]), feed: feed)
        if json { return try show(answer) }
        var line = StyledLine("\(feed): ", .strong)
        line.add(isPaused ? "paused; it is not fetched until it is resumed" : "resumed")
        try output.write(lines: [line.line(on: display)])
        return .ok
    }

    func history(_ feed: String) async throws(ClientFailure) -> ExitCode {
        let answer = try await ask(.get(["feeds", feed, "history"]), feed: feed)
        if json { return try show(answer) }
        let entries = answer.value["refreshes"]?.elements.map { HistoryAnswer($0) } ?? []
        try output.write(lines: HistoryView.table(entries, now: now).lines(on: display))
        if entries.isEmpty { notes.tell("no refreshes yet") }
        return .ok
    }
}
