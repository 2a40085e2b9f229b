import RefreshConfig
import RefreshCore

/// `refreshctl explain`: what holds for a feed of a configuration, without a daemon.
package enum FeedExplanation {
    package static func run(
        _ request: ExplainRequest, environment: Environment, uid: UInt32, output: Output, errors: Output
    ) throws(ClientFailure) -> ExitCode {
        let file = request.file ?? DefaultPlaces(uid: uid, environment: environment.variables).config
        let explained = ConfigReader.explain(path: file, feed: request.feed)
        let mistakes = explained.result.errors
        for problem in mistakes { try errors.write(lines: [problem.text]) }
        guard let explanation = explained.explanation else {
            if mistakes.isEmpty {
                let hint = FeedHint.text(for: request.feed, among: explained.feeds)
                Notes(errors).tell("there is no feed \"\(request.feed)\" in \(file); \(hint)")
            }
            return mistakes.contains { $0.code == .access } ? .config : .failure
        }
        let text = request.json ? "\(explanation.json)\n" : explanation.text
        try output.write(Array(text.utf8))
        return mistakes.isEmpty ? .ok : .failure
    }
}
