import RefreshCore

/// One thing that was looked at.
package struct Finding: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable {
        case ok, warning, problem
        /// It could not be looked at.
        case unknown
    }

    package let verdict: Verdict
    package let area: String
    /// What was found.
    package let text: String
    /// What to do about it.
    package let remedy: String?

    package init(_ verdict: Verdict, _ area: String, _ text: String, remedy: String? = nil) {
        self.verdict = verdict
        self.area = area
        self.text = text
        self.remedy = remedy
    }
}

/// What the doctor found, as it is shown.
package struct DoctorView {
    package let findings: [Finding]

    package init(_ findings: [Finding]) { self.findings = findings }

    /// For people a line for each with what to do below it, and the sum; for programs a row for each.
    package func lines(on display: Display) -> [String] {
        guard case .terminal(let columns, _) = display else {
            return findings.map { finding in
                [finding.verdict.rawValue, finding.area, finding.text, finding.remedy ?? ""]
                    .map { SafeText.escaped($0) }.joined(separator: "\t")
            }
        }
        let width = findings.map { DisplayWidth.of($0.area) }.max() ?? 0
        var lines: [StyledLine] = []
        for finding in findings {
            var line = StyledLine(DoctorView.padded(finding.verdict.rawValue, 7), DoctorView.tone(finding))
            line.add("  \(DoctorView.padded(finding.area, width))  ")
            line.add(words: finding.text)
            lines += line.wrapped(columns - 1, indent: width + 11)
            guard let remedy = finding.remedy else { continue }
            var advice = StyledLine(String(repeating: " ", count: width + 11))
            advice.add(words: remedy, .strong)
            lines += advice.wrapped(columns - 1, indent: width + 11)
        }
        return lines.map { $0.line(on: display) } + ["", sum]
    }

    private var sum: String {
        let counts = Finding.Verdict.allCases.map { verdict in
            (verdict, findings.count { $0.verdict == verdict })
        }
        let parts = counts.filter { $0.1 > 0 }.map { verdict, count in
            switch verdict {
            case .ok, .unknown: "\(count) \(verdict.rawValue)"
            case .warning, .problem: Wording.count(count, verdict.rawValue)
            }
        }
        return parts.joined(separator: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private static func tone(_ finding: Finding) -> Tone {
        switch finding.verdict {
        case .ok: .good
        case .warning: .warning
        case .problem: .bad
        case .unknown: .faint
        }
    }

    package var json: String {
        var text = JSONText()
        text.object { text in
            text.name("healthy")
            text.bool(!findings.contains { $0.verdict == .problem })
            text.name("findings")
            text.array { text in
                for finding in findings {
                    text.object { text in
                        for (name, value) in [
                            ("verdict", finding.verdict.rawValue), ("area", finding.area),
                            ("text", finding.text), ("remedy", finding.remedy),
                        ] as [(String, String?)] {
                            text.name(name.utf8)
                            if let value { text.string(value) } else { text.null() }
                        }
                    }
                }
            }
        }
        return text.text
    }
}
