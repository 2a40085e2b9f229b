import RefreshCore
import RefreshEngine

/// What those ask who run the host.
extension Endpoints {
    /// A reload reads some files and asks the store for new feeds; longer than this it never took.
    static let reloadDeadline: Duration = .seconds(60)

    /// Copying a large cache to a slow disk takes long.
    static let backupDeadline: Duration = .seconds(600)

    func pause(_ call: Call, _ isPaused: Bool) throws(Problem) -> Reply {
        let feed = try feed(call).feed
        try Endpoints.wantNothing(in: call.body)
        return .errand(.pause(feed, isPaused), wait: Endpoints.usualDeadline)
    }

    func clear(_ call: Call, _ clearing: Clearing) throws(Problem) -> Reply {
        let feed = try feed(call).feed
        try Endpoints.wantNothing(in: call.body)
        return .errand(.clear(feed, clearing), wait: Endpoints.reloadDeadline)
    }

    /// What is asked of the daemon as a whole, without anything to say about it.
    func plain(_ errand: Errand, _ call: Call, wait: Duration) throws(Problem) -> Reply {
        try Endpoints.wantNothing(in: call.body)
        return .errand(errand, wait: wait)
    }

    func logLevel(_ call: Call) throws(Problem) -> Reply {
        var level: LogLevel?
        try JSONBody(call.body).each { body, name, value throws(Problem) in
            guard name == "level" else { throw JSONBody.unknown(name, known: ["level"]) }
            let text = try body.text(value, name)
            level = LogLevel.allCases.first { $0.name == text }
            if level == nil {
                let known = LogLevel.allCases.map(\.name).joined(separator: ", ")
                throw Problem(.badBody, "\"level\" must be one of \(known)", pointer: "/level")
            }
        }
        return .errand(.logLevel(level), wait: Endpoints.usualDeadline)
    }

    func configuration(_ call: Call) throws(Problem) -> Reply {
        var wish = ConfigurationWish()
        if let name = try call.parameters.value("feed").map({ String(decoding: $0, as: UTF8.self) }) {
            guard let feed = FeedID(name) else {
                throw Problem(.feedNotFound, "there is no feed \"\(name)\"")
            }
            wish.feed = feed
        }
        switch try call.parameters.value("defaults").map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "0": break
        case "1": wish.includesDefaults = true
        default: throw Problem(.invalidParameter, "\"defaults\" must be 0 or 1")
        }
        wish.after = try call.parameters.value("cursor").map { String(decoding: $0, as: UTF8.self) }
        if let after = wish.after, FeedID(after) == nil {
            throw Problem(.badCursor, "the cursor is damaged or was never given out")
        }
        wish.limit = try call.parameters.number("limit", in: 1...1_000, or: wish.limit)
        return .errand(.configuration(wish), wait: Endpoints.reloadDeadline)
    }

    /// A body without members, or none at all.
    private static func wantNothing(in body: [UInt8]) throws(Problem) {
        try JSONBody(body).each { _, name, _ throws(Problem) in
            throw JSONBody.unknown(name, known: [])
        }
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

    static func uncached(_ text: JSONText) -> Answer {
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
