import RefreshConfig
import RefreshCore

/// `refreshctl explain`: what holds for a feed of a configuration, and how it stands where a daemon runs it.
package enum FeedExplanation {
    /// - Parameter live: what the daemon tells of the feed.
    static func run(
        _ request: ExplainRequest, live: APIAnswer?, environment: Environment, uid: UInt32, output: Output,
        errors: Output
    ) throws(ClientFailure) -> ExitCode {
        let file = request.file ?? DefaultPlaces(uid: uid, environment: environment.variables).config
        let explained = ConfigReader.explain(path: file, feed: request.feed, checkers: .all)
        let mistakes = explained.result.errors
        for problem in mistakes { try errors.write(lines: [problem.text]) }
        guard let explanation = explained.explanation else {
            if mistakes.isEmpty {
                let hint = FeedHint.text(for: request.feed, among: explained.feeds)
                Notes(errors).tell("there is no feed \"\(request.feed)\" in \(file); \(hint)")
            }
            return mistakes.contains { $0.code == .access } ? .config : .failure
        }
        let text = request.json ? json(explanation, live) : explanation.text + (live.map(words) ?? "")
        try output.write(Array(text.utf8))
        return mistakes.isEmpty ? .ok : .failure
    }

    /// How the feed stands, in the form of the lines above.
    private static func words(_ live: APIAnswer) -> String {
        let feed = FeedAnswer(live.value)
        var facts: [(String, String?)] = [
            ("state", feed.state), ("freshness", feed.freshness), ("last_success", feed.lastSuccess?.rfc3339),
            ("next_due", feed.nextDue?.rfc3339), ("due_rule", feed.dueRule),
        ]
        facts.append(("last_error", feed.lastError?.text))
        return facts.compactMap { name, value in
            value.map { "\(name) = \(SafeText.escaped($0))  (the daemon)\n" }
        }.joined()
    }

    /// The daemon's own words as one more member.
    private static func json(_ explanation: Explanation, _ live: APIAnswer?) -> String {
        guard let live else { return "\(explanation.json)\n" }
        return "\(explanation.json.dropLast()),\"live\":\(live.value.text)}\n"
    }
}
