import RefreshCore

/// What came of a wish for a refresh, as the client reads it.
enum OutcomeText {
    static func answer(_ result: ErrandResult, to errand: Errand, instance: String) -> Answer {
        switch (result, errand) {
        case (.refresh(let outcome?), .refresh(let feed, _)): return answer(outcome, feed: feed)
        case (.pause(true), .pause(let feed, let isPaused)): return ControlText.paused(feed, isPaused)
        case (.reload(let outcome), _): return ControlText.answer(outcome, instance: instance)
        case (.clear(let outcome), .clear(let feed, let clearing)) where outcome != .noFeed:
            return ControlText.cleared(feed, clearing, outcome, instance: instance)
        case (.backup(let outcome), _): return ControlText.answer(outcome, instance: instance)
        case (.logLevel(let change), _): return ControlText.answer(change)
        case (.checkConfiguration(let verdict), _): return ControlText.answer(verdict)
        case (.configuration(let running?), .configuration(let wish)):
            return ControlText.answer(running, wish)
        default:
            let name = errand.feed?.name ?? ""
            return Problem(.feedNotFound, "there is no feed \"\(name)\" any more").answer(instance: instance)
        }
    }

    static func answer(_ outcome: RefreshOutcome, feed: FeedID) -> Answer {
        json(feed, outcome.name) { text in
            switch outcome {
            case .refreshed(let counts): write(counts, to: &text)
            case .failed(let failure): text.member("error", failure)
            case .backoff(let wait), .tooSoon(let wait), .limited(let wait):
                text.member("retry_in_ms", wait.inMilliseconds)
            case .refused(let reason): text.member("detail", reason)
            case .unchanged, .fresh: break
            }
        }
    }

    /// The client's time is over; what it asked for goes on (semantics R20).
    static func timeout(feed: FeedID?) -> Answer {
        json(feed, "timeout") { $0.member("detail", "what was asked for goes on") }
    }

    /// The wish was taken, and nobody waits for it.
    static func accepted(feed: FeedID?, batch: UInt64, instance: String) -> Answer {
        var text = JSONText(reserving: 128)
        text.object { text in
            text.member("feed", feed?.name)
            text.member("batch", "\(instance)-\(batch)")
        }
        var answer = Answer(202, json: text)
        answer.add("Cache-Control", "no-store")
        return answer
    }

    private static func json(_ feed: FeedID?, _ outcome: String, _ more: (inout JSONText) -> Void) -> Answer {
        var text = JSONText(reserving: 256)
        text.object { text in
            text.member("feed", feed?.name)
            text.member("outcome", outcome)
            more(&text)
        }
        var answer = Answer(json: text)
        answer.add("Cache-Control", "no-store")
        return answer
    }

    private static func write(_ counts: RefreshCounts, to text: inout JSONText) {
        text.name("counts")
        text.object { text in
            text.member("added", counts.added)
            text.member("changed", counts.changed)
            text.member("removed", counts.removed)
            text.member("evicted", counts.evicted)
            text.member("unchanged", counts.unchanged)
            text.member("rejected", counts.rejected)
        }
    }
}

extension RefreshOutcome {
    var name: String {
        switch self {
        case .refreshed: "refreshed"
        case .unchanged: "unchanged"
        case .fresh: "fresh"
        case .failed: "failed"
        case .backoff: "backoff"
        case .tooSoon: "too_soon"
        case .limited: "limited"
        case .refused: "refused"
        }
    }
}
