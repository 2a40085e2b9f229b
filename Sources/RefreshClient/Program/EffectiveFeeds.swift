import RefreshConfig
import RefreshCore

/// What is written of a configuration, feed by feed, each value under its path.
struct EffectiveFeeds {
    private typealias Values = [String: String]

    private var feeds: [String: Values] = [:]
    /// `daemon`, `budgets` and `plugins`.
    private var others: [String: Values] = [:]

    private static let parts = ["daemon", "budgets", "plugins"]
    /// Feeds of one answer.
    private static let page = "1000"

    /// As the files on this disk say it.
    init(_ sources: ConfigSources) {
        let overview = ConfigReader.overview(of: sources, checkers: .all)
        for feed in overview.feeds { feeds[feed.feed.name] = EffectiveFeeds.values(feed.lines) }
        for (part, lines) in zip(
            EffectiveFeeds.parts, [overview.daemon, overview.budgets, overview.plugins])
        { others[part] = EffectiveFeeds.values(lines) }
    }

    /// As the daemon runs with it; nil where it does not tell, since it is an older one or we may not control it.
    init?(of daemon: APIClient) async throws(ClientFailure) {
        var cursor: String?
        repeat {
            let query = [("limit", EffectiveFeeds.page)] + (cursor.map { [("cursor", $0)] } ?? [])
            let answer = try await daemon.send(.get(["config"], query: query))
            if [403, 404].contains(answer.status) { return nil }
            if let problem = answer.problem { throw .problem(problem, hint: nil) }
            for part in EffectiveFeeds.parts { others[part] = EffectiveFeeds.values(answer.value[part]) }
            for feed in answer.value["feeds"]?.elements ?? [] {
                feeds[feed["feed"]?.string ?? ""] = EffectiveFeeds.values(feed["values"])
            }
            let next = answer.value["has_more"]?.bool == true ? answer.value["cursor"]?.string : nil
            if next != nil, next == cursor { throw daemon.strange("the same cursor twice") }
            cursor = next
        } while cursor != nil
    }

    private static func values(_ lines: [Explanation.Line]) -> Values {
        Dictionary(lines.filter { !$0.isDefault }.map { ($0.path, $0.value) }) { first, _ in first }
    }

    private static func values(_ answer: AnswerValue?) -> Values {
        Dictionary(
            (answer?.elements ?? []).filter { $0["default"]?.bool != true }
                .map { ($0["path"]?.string ?? "", $0["value"]?.string ?? "") }
        ) { first, _ in first }
    }

    // MARK: - Comparing

    var names: Set<String> { Set(feeds.keys) }

    /// How a feed of both differs in `new`; nil where it does not.
    func change(of feed: String, to new: EffectiveFeeds) -> String? {
        EffectiveFeeds.change(feeds[feed] ?? [:], new.feeds[feed] ?? [:])
    }

    /// How what is beyond the feeds differs, one line a part.
    func others(to new: EffectiveFeeds) -> [String] {
        EffectiveFeeds.parts.compactMap { part in
            EffectiveFeeds.change(others[part] ?? [:], new.others[part] ?? [:]).map { "\(part): \($0)" }
        }
    }

    private static func change(_ old: Values, _ new: Values) -> String? {
        guard old != new else { return nil }
        let paths = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        return paths.map { path in
            "\(path) \(old[path] ?? "(default)") -> \(new[path] ?? "(default)")"
        }.joined(separator: ", ")
    }
}
