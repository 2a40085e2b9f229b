import RefreshCore

/// How a wish for a refresh ended.
package enum RefreshView {
    /// For people, one sentence; for programs one row: feed, outcome, the six counts, milliseconds until a retry may
    /// work, error.
    package static func line(_ answer: RefreshAnswer, feed: String, on display: Display) -> String {
        guard case .terminal = display else { return row(answer, feed: feed) }
        var line = StyledLine("\(feed): ", .strong)
        let tone: Tone = answer.isSuccess ? (answer.outcome == "refreshed" ? .good : .plain) : .bad
        line.add(sentence(answer), tone)
        return line.line(on: display)
    }

    private static func sentence(_ answer: RefreshAnswer) -> String {
        let wait = answer.retryIn.map { "; try again in \(Wording.span($0))" } ?? ""
        switch answer.outcome {
        case nil: return "refresh started"
        case "refreshed": return "refreshed: \(counts(answer.counts))"
        case "unchanged": return "the upstream has nothing new"
        case "fresh": return "still fresh, nothing was asked (--now asks anyway)"
        case "failed": return "failed: \(answer.error?.text ?? "unknown")\(wait)"
        case "backoff": return "waits after failures, nothing was asked\(because(answer))\(wait)"
        case "limited": return "the upstream wants to be left alone, nothing was asked\(wait)"
        case "too_soon": return "the last attempt was a moment ago, nothing was asked\(wait)"
        case "timeout": return "still under way at the deadline; it goes on without you"
        case "refused": return "refused\(because(answer))"
        case let other?: return "\(other)\(because(answer))\(wait)"
        }
    }

    private static func because(_ answer: RefreshAnswer) -> String {
        (answer.error?.text ?? answer.detail).map { ": \($0)" } ?? ""
    }

    private static func counts(_ counts: RefreshCounts?) -> String {
        guard let counts else { return "done" }
        let parts = numbers(counts).filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        return parts.isEmpty ? "no items" : parts.joined(separator: ", ")
    }

    private static func numbers(_ counts: RefreshCounts) -> [(String, Int)] {
        [
            ("added", counts.added), ("changed", counts.changed), ("removed", counts.removed),
            ("evicted", counts.evicted), ("unchanged", counts.unchanged), ("rejected", counts.rejected),
        ]
    }

    private static func row(_ answer: RefreshAnswer, feed: String) -> String {
        let counts = numbers(answer.counts ?? RefreshCounts()).map { String($0.1) }
        let retry = answer.retryIn.map { String($0.inMilliseconds) } ?? ""
        let error = answer.error?.text ?? answer.detail ?? ""
        return ([feed, answer.outcome ?? "started"] + counts + [retry, error])
            .map { SafeText.escaped($0) }.joined(separator: "\t")
    }
}
