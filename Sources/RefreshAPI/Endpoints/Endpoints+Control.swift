import RefreshCore
import RefreshEngine

/// What those ask who run the host.
extension Endpoints {
    /// A reload reads some files and asks the store for new feeds; longer than this it never took.
    static let reloadDeadline: Duration = .seconds(60)

    func pause(_ call: Call, _ isPaused: Bool) throws(Problem) -> Reply {
        .errand(.pause(try feed(call).feed, isPaused), wait: Endpoints.usualDeadline)
    }
}

/// What came of an errand of control, as the client reads it.
enum ControlText {
    static func answer(_ outcome: ReloadOutcome, instance: String) -> Answer {
        switch outcome {
        case .applied(let report): return applied(report)
        case .refused(let faults):
            return Problem(
                .configInvalid, "the configuration has \(faults.count) errors; the old one goes on",
                faults: faults
            ).answer(instance: instance)
        case .busy: return Problem(.controlBusy, "another reload is under way").answer(instance: instance)
        case .failed(let reason): return Problem(.cacheFailed, reason).answer(instance: instance)
        }
    }

    static func paused(_ feed: FeedID, _ isPaused: Bool) -> Answer {
        var text = JSONText()
        text.object { text in
            text.member("feed", feed.name)
            text.member("paused", isPaused)
        }
        return uncached(text)
    }

    private static func applied(_ report: ReloadReport) -> Answer {
        var text = JSONText(reserving: 512)
        text.object { text in
            text.member("generation", report.generation)
            for (name, feeds) in [
                ("added", report.added), ("changed", report.changed), ("removed", report.removed),
            ] {
                text.name(name.utf8)
                text.array { text in
                    for feed in feeds { text.string(feed.name) }
                }
            }
            text.member("unchanged", report.unchanged)
            text.name("warnings")
            text.array { text in
                for warning in report.warnings { text.fault(warning) }
            }
        }
        return uncached(text)
    }

    private static func uncached(_ text: JSONText) -> Answer {
        var answer = Answer(json: text)
        answer.add("Cache-Control", "no-store")
        return answer
    }
}

extension JSONText {
    mutating func fault(_ fault: ReloadFault) {
        object { text in
            text.member("file", fault.file)
            text.member("line", fault.line)
            text.member("col", fault.column)
            text.member("code", fault.code)
            text.member("detail", fault.detail)
        }
    }
}
