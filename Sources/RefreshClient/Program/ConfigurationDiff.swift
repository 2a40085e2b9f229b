import RefreshConfig
import RefreshCore

/// `refreshctl diff`: what a configuration would change.
struct ConfigurationDiff {
    let request: DiffRequest
    let program: Program
    let json: Bool

    /// What differs, by the feeds' names.
    private struct Differences {
        var added: [String] = []
        var changed: [(name: String, what: String)] = []
        var removed: [String] = []
        var unchanged = 0
        /// Beyond the feeds.
        var others: [String] = []
        /// Whether every value was compared.
        var isFull = true

        var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && others.isEmpty }
    }

    /// - Parameters:
    ///   - socket: the value of `--socket`.
    ///   - control: where the daemon tells everything of its configuration.
    func run(socket: String?, control: SocketPlaces) async throws(ClientFailure) -> ExitCode {
        switch request {
        case .files(let old, let new):
            guard let old = try plan(old), let new = try plan(new) else { return .config }
            return try show(ConfigurationDiff.compare(old, new))
        case .running(let file):
            let result = try read(file ?? program.defaultConfig)
            guard let plan = result.plan else { return .config }
            if let running = try await running(control) {
                return try show(ConfigurationDiff.compare(running, EffectiveFeeds(result.sources)))
            }
            let client = try program.client(at: program.places(socket))
            let answer = try await client.send(.get(["feeds"]))
            if let problem = answer.problem { throw .problem(problem, hint: nil) }
            Notes(program.errors).tell(
                "only names, adapters, titles and URLs are compared: the rest is told at the control socket")
            return try show(ConfigurationDiff.compare(FeedAnswer.list(answer.value), plan))
        }
    }

    /// What the daemon says at its control socket; nil where there is none for us.
    private func running(_ places: SocketPlaces) async throws(ClientFailure) -> EffectiveFeeds? {
        guard let path = try? places.choose(fault: SocketFault.probe), SocketFault.probe(path) == nil else {
            return nil
        }
        return try await EffectiveFeeds(of: APIClient(socket: path, transfer: try Program.transfer()))
    }

    /// Nil where the file has mistakes, which are then told.
    private func plan(_ file: String) throws(ClientFailure) -> Plan? { try read(file).plan }

    private func read(_ file: String) throws(ClientFailure) -> ConfigResult {
        let result = ConfigReader.read(path: file, checkers: .all)
        if result.plan == nil { Notes(program.errors).show(lines: result.errors.map(\.text)) }
        return result
    }

    // MARK: - Comparing

    private static func compare(_ old: Plan, _ new: Plan) -> Differences {
        let diff = PlanDiff(from: old, to: new)
        var differences = Differences()
        differences.added = diff.added.map(\.name)
        differences.removed = diff.removed.map(\.name)
        differences.unchanged = diff.unchanged.count
        let before = Dictionary(old.feeds.map { ($0.id, $0) }) { first, _ in first }
        let after = Dictionary(new.feeds.map { ($0.id, $0) }) { first, _ in first }
        differences.changed = diff.changed.map { id in
            guard let one = before[id], let other = after[id] else { return (id.name, "") }
            return (id.name, parts(one, other))
        }
        if diff.daemonChanged { differences.others.append("daemon") }
        if diff.sharedChanged { differences.others.append("budgets or plugins") }
        return differences
    }

    /// Which parts of a feed differ, by the words of the file.
    private static func parts(_ old: Feed, _ new: Feed) -> String {
        let (one, other) = (old.details.value, new.details.value)
        let parts: [(String, Bool)] = [
            ("adapter", old.adapter != new.adapter), ("title", old.title != new.title),
            ("tags", old.tags != new.tags), ("enabled", old.enabled != new.enabled),
            ("schedule", old.schedule != new.schedule), ("expect", old.expect != new.expect),
            ("request", old.request != new.request), ("auth", one.auth != other.auth),
            ("records", old.records != new.records), ("sort", one.sort != other.sort),
            ("paginate", one.paging != other.paging), ("incremental", one.incremental != other.incremental),
            ("deletes", old.deletes != new.deletes), ("by_id", one.byID != other.byID),
            ("freshness", one.freshness != other.freshness), ("preload", one.preload != other.preload),
            ("keep", old.retention != new.retention), ("derive", one.derived != other.derived),
            ("outbox", one.outbox != other.outbox), ("parent", one.parent != other.parent),
            ("errors", one.errors != other.errors || one.retry != other.retry),
            ("limits", one.limits != other.limits),
        ]
        return parts.filter(\.1).map(\.0).joined(separator: ", ")
    }

    /// Value by value.
    private static func compare(_ running: EffectiveFeeds, _ file: EffectiveFeeds) -> Differences {
        var differences = Differences()
        let (before, after) = (running.names, file.names)
        differences.added = after.subtracting(before).sorted()
        differences.removed = before.subtracting(after).sorted()
        for name in before.intersection(after).sorted() {
            if let what = running.change(of: name, to: file) {
                differences.changed.append((name, what))
            } else {
                differences.unchanged += 1
            }
        }
        differences.others = running.others(to: file)
        return differences
    }

    /// As far as the daemon tells everybody of what it runs.
    private static func compare(_ running: [FeedAnswer], _ plan: Plan) -> Differences {
        var differences = Differences()
        differences.isFull = false
        let before = Dictionary(running.map { ($0.name, $0) }) { first, _ in first }
        for feed in plan.feeds {
            guard let old = before[feed.id.name] else {
                differences.added.append(feed.id.name)
                continue
            }
            var what: [String] = []
            func note(_ name: String, _ old: String?, _ new: String?) {
                if let old, old != new { what.append("\(name) \(old) -> \(new ?? "none")") }
            }
            note("adapter", old.adapter, feed.adapter.name)
            note("url", old.url, feed.request.url.display)
            note("title", old.title, feed.title)
            if let state = old.state, (state == "disabled") == feed.enabled {
                what.append(feed.enabled ? "is enabled" : "is disabled")
            }
            if what.isEmpty {
                differences.unchanged += 1
            } else {
                differences.changed.append((feed.id.name, what.joined(separator: ", ")))
            }
        }
        let after = Set(plan.feeds.map(\.id.name))
        differences.removed = running.map(\.name).filter { !after.contains($0) }.sorted()
        return differences
    }

    // MARK: - Showing

    private func show(_ differences: Differences) throws(ClientFailure) -> ExitCode {
        if json {
            try program.output.write(lines: [text(differences)])
        } else {
            var lines = DiffView.lines(
                added: differences.added, changed: differences.changed, removed: differences.removed)
            lines += differences.others.map { StyledLine("~ (\($0))", .warning) }
            try program.output.write(lines: lines.map { $0.line(on: program.display) })
            if differences.isEmpty { Notes(program.errors).tell("nothing differs") }
        }
        return differences.isEmpty ? .ok : .failure
    }

    private func text(_ differences: Differences) -> String {
        var text = JSONText()
        text.object { text in
            text.name("full")
            text.bool(differences.isFull)
            for (name, feeds) in [("added", differences.added), ("removed", differences.removed)] {
                text.name(name.utf8)
                text.array { for feed in feeds { $0.string(feed) } }
            }
            text.name("changed")
            text.array { text in
                for feed in differences.changed {
                    text.object {
                        $0.name("feed")
                        $0.string(feed.name)
                        $0.name("what")
                        $0.string(feed.what)
                    }
                }
            }
            text.name("others")
            text.array { for other in differences.others { $0.string(other) } }
            text.name("unchanged")
            text.number(differences.unchanged)
        }
        return text.text
    }
}
