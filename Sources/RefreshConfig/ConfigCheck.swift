import RefreshCore

/// What `refreshctl check` does, without a daemon and without network: every mistake of a file, and an exit status.
package struct ConfigCheck: Sendable {
    package enum Format: Sendable { case text, json }

    /// Exit statuses: right; warnings that were to count; errors (EX_CONFIG of sysexits.h).
    package enum Verdict: Int32, Sendable {
        case right = 0
        case warned = 1
        case wrong = 78
    }

    package let file: String
    package let result: ConfigResult
    package let verdict: Verdict

    /// Reads the file at `path`; warnings fail the check where `denyWarnings` says so.
    package init(path: String, denyWarnings: Bool = false, checkers: Checkers = .none) {
        let result = ConfigReader.read(path: path, checkers: checkers)
        self.init(file: path, result, denyWarnings: denyWarnings)
    }

    package init(file: String, _ result: ConfigResult, denyWarnings: Bool) {
        self.file = file
        self.result = result
        verdict =
            if result.plan == nil { .wrong } else if denyWarnings, !result.warnings.isEmpty { .warned } else {
                .right
            }
    }

    /// What is printed, each line ended.
    package func output(_ format: Format) -> String {
        switch format {
        case .text: (result.problems.map(\.text) + [summary]).map { "\($0)\n" }.joined()
        case .json: "\(json)\n"
        }
    }

    private var summary: String {
        let parts = [
            result.plan.map { ConfigCheck.count($0.feeds.count, "feed") },
            result.plan == nil ? ConfigCheck.count(result.errors.count, "error") : nil,
            result.warnings.isEmpty ? nil : ConfigCheck.count(result.warnings.count, "warning"),
        ]
        return "\(SafeText.escaped(file)): \(parts.compactMap { $0 }.joined(separator: ", "))"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private var json: String {
        var text = JSONText()
        text.object { text in
            text.name("file")
            text.string(file)
            text.name("valid")
            text.bool(result.plan != nil)
            text.name("feeds")
            if let plan = result.plan { text.number(plan.feeds.count) } else { text.null() }
            text.name("problems")
            text.array { text in
                for problem in result.problems { ConfigCheck.write(problem, to: &text) }
            }
        }
        return text.text
    }

    private static func write(_ problem: ConfigProblem, to text: inout JSONText) {
        text.object { text in
            text.name("file")
            text.string(problem.file)
            text.name("line")
            if problem.line > 0 { text.number(problem.line) } else { text.null() }
            text.name("column")
            if problem.column > 0 { text.number(problem.column) } else { text.null() }
            text.name("path")
            text.string(problem.path)
            text.name("code")
            text.string(problem.code.rawValue)
            text.name("severity")
            text.string(problem.severity.rawValue)
            text.name("message")
            text.string(problem.message)
        }
    }
}
