import RefreshCore

/// What only those may ask who control the daemon, and how it went before.
extension Session {
    /// A reload waits for files and for the store.
    private static let reloadPatience: Duration = .seconds(90)

    func reload() async throws(ClientFailure) -> ExitCode {
        let answer = try await Progress.during("reloading", on: errors) { () async throws(ClientFailure) in
            try await ask(.post(["reload"], patience: Session.reloadPatience)) {
                $0.status == 422 && $0.value["errors"] != nil
            }
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

    // MARK: - What is stored

    func purge(_ feed: String) async throws(ClientFailure) -> ExitCode {
        let answer = try await wish(["feeds", feed, "purge"], "emptying \(feed)", feed: feed)
        if json { return try show(answer) }
        if try isLate(answer) { return .failure }
        let items = answer.value["purged_items"]?.int
        let count = items.map { ", \(Wording.count($0, "item"))" } ?? ""
        return try told(feed, "emptied\(count); programs list anew, and it is fetched from the beginning")
    }

    func reset(_ feed: String) async throws(ClientFailure) -> ExitCode {
        let answer = try await wish(["feeds", feed, "reset"], "resetting \(feed)", feed: feed)
        if json { return try show(answer) }
        if try isLate(answer) { return .failure }
        return try told(feed, "its place upstream is forgotten; the next pass reads everything")
    }

    /// A copy of everything may take minutes.
    private static let backupPatience: Duration = .seconds(630)

    func backup() async throws(ClientFailure) -> ExitCode {
        let answer = try await wish(["backup"], "copying the databases", patience: Session.backupPatience)
        if json { return try show(answer) }
        if try isLate(answer) { return .failure }
        let files = answer.value["files"]?.elements ?? []
        let bytes = files.reduce(0) { $0 + ($1["bytes"]?.int ?? 0) }
        let place = [answer.value["folder"]?.string, answer.value["name"]?.string].compactMap { $0 }
            .joined(separator: "/")
        var line = StyledLine("backed up", .strong)
        line.add(" to \(place): \(Wording.count(files.count, "file")), \(Wording.size(bytes))")
        try output.write(lines: [line.line(on: display)])
        let dropped = answer.value["dropped"]?.elements ?? []
        if !dropped.isEmpty {
            notes.tell("dropped the oldest: \(dropped.map(\.words).joined(separator: ", "))")
        }
        return .ok
    }

    // MARK: - The daemon's words

    func logLevel(_ level: String?) async throws(ClientFailure) -> ExitCode {
        var text = JSONText()
        text.object { text in
            guard let level else { return }
            text.name("level")
            text.string(level)
        }
        let answer = try await ask(.post(["log-level"], body: text.bytes, patience: APIRequest.patience))
        if json { return try show(answer) }
        let now = answer.value["level"]?.string ?? "unknown"
        guard level != nil, case .terminal = display else {
            try output.write(lines: [SafeText.escaped(now)])
            return .ok
        }
        let was = answer.value["was"]?.string.map { ", it was \($0)" } ?? ""
        try output.write(lines: [StyledLine("the daemon logs from \(now) on\(was)").line(on: display)])
        return .ok
    }

    /// Everybody may read what a collector is to read.
    private static let figuresMode: UInt32 = 0o644

    func metrics(_ file: String?) async throws(ClientFailure) -> ExitCode {
        let text = try await client.text(.metrics).content
        let shown = json ? Array("\(Figures(parsing: text).json)\n".utf8) : Array(text)
        if let file {
            try LocalFile.replace(file, with: shown, mode: Session.figuresMode)
        } else {
            try output.write(shown)
        }
        return .ok
    }

    // MARK: - Pieces

    private func wish(
        _ segments: [String], _ words: String, feed: String? = nil, patience: Duration = .seconds(90)
    ) async throws(ClientFailure) -> APIAnswer {
        try await Progress.during(words, on: errors) { () async throws(ClientFailure) in
            try await ask(.post(segments, patience: patience), feed: feed)
        }
    }

    /// Whether the daemon could wait no longer, which is then told.
    private func isLate(_ answer: APIAnswer) throws(ClientFailure) -> Bool {
        guard answer.value["outcome"]?.string == "timeout" else { return false }
        notes.tell(answer.value["detail"]?.string ?? "it takes longer, and goes on without us")
        return true
    }

    private func told(_ feed: String, _ words: String) throws(ClientFailure) -> ExitCode {
        var line = StyledLine("\(feed): ", .strong)
        line.add(words)
        try output.write(lines: [line.line(on: display)])
        return .ok
    }
}
