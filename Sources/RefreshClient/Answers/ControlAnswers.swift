import RefreshCore

/// One mistake of a configuration, as the daemon tells of it.
package struct FaultAnswer: Sendable {
    package var file = ""
    package var line: Int?
    package var column: Int?
    package var code: String?
    package var detail: String?

    package init() {}

    /// As editors and journals read it: `FILE:LINE:COLUMN: CODE: TEXT`.
    package var text: String {
        let place = [file] + [line, column].compactMap { $0 }.filter { $0 > 0 }.map(String.init)
        return [place.joined(separator: ":"), code, detail].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}

/// What a reload came to.
package struct ReloadAnswer: Sendable {
    package var generation: Int?
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []
    package var unchanged: Int?
    package var warnings: [FaultAnswer] = []

    package init() {}
}

/// One refresh of the past.
package struct HistoryAnswer: Sendable {
    package var at: Timestamp?
    package var cause: String?
    package var requests: Int?
    package var status: Int?
    package var bytes: Int?
    package var duration: Duration?
    package var outcome: String?
    package var added: Int?
    package var changed: Int?
    package var removed: Int?
    package var error: String?

    package init() {}
}

extension FaultAnswer {
    init(_ value: AnswerValue) {
        self.init()
        file = value["file"]?.string ?? ""
        line = value["line"]?.int
        column = (value["col"] ?? value["column"])?.int
        code = value["code"]?.string
        detail = value["detail"]?.string
    }
}

extension ReloadAnswer {
    init(_ value: AnswerValue) {
        self.init()
        generation = value["generation"]?.int
        added = value["added"]?.elements.map(\.words) ?? []
        changed = value["changed"]?.elements.map(\.words) ?? []
        removed = value["removed"]?.elements.map(\.words) ?? []
        unchanged = value["unchanged"]?.int ?? value["unchanged"]?.elements.count
        warnings = value["warnings"]?.elements.map { FaultAnswer($0) } ?? []
    }
}

extension HistoryAnswer {
    init(_ value: AnswerValue) {
        self.init()
        at = value["at"]?.time
        cause = value["why"]?.words
        requests = value["requests"]?.int
        status = value["status"]?.int
        bytes = value["bytes"]?.int
        duration = value["took_ms"]?.milliseconds
        outcome = value["result"]?.words
        added = value["added"]?.int
        changed = value["changed"]?.int
        removed = value["removed"]?.int
        error = value["error"].map { $0.string ?? ErrorNote($0).text }
    }
}
