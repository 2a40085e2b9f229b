import RefreshCore

/// The daemon and its feeds at a glance.
package enum StatusView {
    // MARK: - The whole

    /// One sentence on the daemon, one where its configuration is not what the file says, and one for each alarm.
    package static func summary(_ status: StatusAnswer, feeds: [FeedAnswer]) -> [StyledLine] {
        var line = StyledLine("refreshd", .strong)
        if let version = status.version { line.add(" \(version)") }
        if let uptime = status.uptime { line.add(", up \(Wording.span(uptime))") }
        line.add(": \(Wording.count(status.total ?? feeds.count, "feed"))")
        let freshness = ["fresh", "stale", "overdue", "new"].compactMap { word in
            count(word, of: status.byFreshness, else: feeds.map(\.freshness)).map {
                ("\($0) \(word)", Tones.freshness(word))
            }
        }
        let states = FeedStatus.State.allCases.filter { $0 != .active }.compactMap { state in
            count(state.rawValue, of: status.byState, else: feeds.map(\.state)).map {
                ("\($0) \(phrase(state))", Tones.state(state.rawValue))
            }
        }
        add(freshness, to: &line, before: " (", after: ")")
        add(states, to: &line, before: ", ", after: "")
        if let bytes = status.diskBytes {
            line.add(", ")
            line.add("\(Wording.size(bytes)) on disk")
        }
        let config = status.refusedConfig.map { "configuration: \(refused($0, status.generation))" }
        return [line] + ((config.map { [$0] } ?? []) + status.alarms).map { StyledLine($0, .bad) }
    }

    /// What the daemon's word for its configuration means; one that this version does not know stands for itself.
    private static func refused(_ word: String, _ generation: Int?) -> String {
        guard word == "reload-failed" else { return word }
        let old = generation.map { "generation \($0)" } ?? "the old one"
        return "the file was refused, \(old) goes on (refreshctl check tells why)"
    }

    private static func phrase(_ state: FeedStatus.State) -> String {
        switch state {
        case .backoff: "in backoff"
        case .configError: "with \(state.rawValue)"
        case .active, .limited, .gone, .paused, .disabled: state.rawValue
        }
    }

    private static func count(_ word: String, of told: [String: Int], else seen: [String?]) -> Int? {
        let number = told.isEmpty ? seen.filter { $0 == word }.count : told[word] ?? 0
        return number > 0 ? number : nil
    }

    private static func add(
        _ parts: [(String, Tone)], to line: inout StyledLine, before: String, after: String
    ) {
        for (index, part) in parts.enumerated() {
            line.add(index == 0 ? before : ", ")
            line.add(part.0, part.1)
        }
        if !parts.isEmpty { line.add(after) }
    }

    // MARK: - The feeds

    package static func table(_ feeds: [FeedAnswer], now: Timestamp) -> Table {
        Table(
            [
                Table.Column("FEED", least: 8), Table.Column("STATE"), Table.Column("FRESHNESS"),
                Table.Column("ITEMS", side: .right), Table.Column("REFRESHED"), Table.Column("NEXT"),
                Table.Column("NOTE", least: 8),
            ],
            rows: feeds.map { row($0, now: now) })
    }

    private static func row(_ feed: FeedAnswer, now: Timestamp) -> [Table.Cell] {
        let note = note(feed)
        return [
            Table.Cell(feed.name),
            Table.Cell(feed.state ?? "", tone: Tones.state(feed.state)),
            Table.Cell(feed.freshness ?? "", tone: Tones.freshness(feed.freshness)),
            Table.Cell(feed.items.map(String.init) ?? ""),
            Cells.age(feed.lastSuccess, now: now, none: "never"),
            Cells.due(feed.nextDue, now: now),
            Table.Cell(note.text, tone: note.tone),
        ]
    }

    /// What a person should know beyond the columns, the gravest first.
    private static func note(_ feed: FeedAnswer) -> (text: String, tone: Tone) {
        var parts: [String] = []
        var tone = Tone.plain
        if let error = feed.lastError {
            parts.append(feed.failures > 1 ? "\(feed.failures) failures, \(error.text)" : error.text)
            tone = .bad
        }
        if !feed.alarms.isEmpty {
            parts.append(feed.alarms.joined(separator: ", "))
            if tone == .plain { tone = .warning }
        }
        if feed.inFlight { parts.append("refreshing") }
        return (parts.joined(separator: "; "), tone)
    }
}
