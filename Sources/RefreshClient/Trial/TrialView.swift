import RefreshAdapters
import RefreshCore

/// A trial for people, and for programs; every text of it masked.
struct TrialView {
    let report: TrialReport
    let mask: SecretMask

    /// Items, keys and rejected rows that are shown of many.
    private static let most = (items: 10, keys: 5, rejections: 3)

    // MARK: - For people

    func lines(on display: Display) -> [String] {
        var lines = report.warnings.map { StyledLine($0, .warning) }
        for (place, note) in report.notes.enumerated() { lines += page(note, number: place + 1) }
        lines += report.passWarnings.map { StyledLine("warning: \(TrialWords.warning($0))", .warning) }
        for rejection in report.rejections.prefix(TrialView.most.rejections) {
            lines.append(StyledLine("rejected row \(rejection.index + 1): \(rejection.reason)", .warning))
        }
        lines.append(
            StyledLine("end: \(mask.masked(TrialWords.end(report)))", report.failure == nil ? .good : .bad))
        if let next = TrialWords.next(report) {
            lines.append(StyledLine("next pass: begins from \(mask.masked(next))"))
        }
        return (lines + contents() + comparison()).map { mask.masked($0.line(on: display)) }
    }

    private func page(_ note: PageNote, number: Int) -> [StyledLine] {
        var lines = [StyledLine("page \(number): \(note.method) \(mask.masked(note.url))", .strong)]
        let own = exchange(number)?.headers.fields.filter { field in
            !["accept", "content-type"].contains { ASCII.equalIgnoringCase($0.utf8, field.name.utf8) }
        }
        for field in own ?? [] { lines.append(StyledLine("  \(field.name): \(mask.masked(field.value))")) }
        if let body = note.body {
            lines.append(StyledLine("  body: \(SafeText.short(mask.masked(body), limit: 300))"))
        }
        if let failure = note.failure {
            let words = "  failed: \(failure.class.rawValue) \(failure.code): \(mask.masked(failure.detail))"
            lines.append(StyledLine(words, .bad))
        }
        let facts = facts(note, number)
        if !facts.isEmpty { lines.append(StyledLine("  " + facts.joined(separator: ", "))) }
        if let rates = note.rates { lines.append(StyledLine("  rate limit: \(TrialWords.rates(rates))")) }
        if let next = note.next { lines.append(StyledLine("  next: \(mask.masked(next.text))")) }
        if let stop = note.stop { lines.append(StyledLine("  stop: \(TrialWords.stop(stop))")) }
        return lines
    }

    private func facts(_ note: PageNote, _ number: Int) -> [String] {
        var facts: [String] = []
        if let status = note.status { facts.append("status \(status)") }
        if let bytes = exchange(number)?.bytes { facts.append(Wording.size(bytes)) }
        if let rows = note.rows {
            facts.append(Wording.count(rows, "row"))
            if report.feed.records.filter != nil { facts.append("\(note.kept ?? 0) after \"where\"") }
            if let rejected = note.rejected, rejected > 0 { facts.append("\(rejected) rejected") }
        }
        return facts
    }

    private func exchange(_ number: Int) -> TrialUpstream.Exchange? {
        report.exchanges.indices.contains(number - 1) ? report.exchanges[number - 1] : nil
    }

    private func contents() -> [StyledLine] {
        let items = report.contents.items
        var head = "the cache would hold \(Wording.count(items.count, "item"))"
        if report.contents.repeated > 0 { head += ", \(report.contents.repeated) rows repeat a key" }
        if !report.contents.deleted.isEmpty {
            head += ", \(report.contents.deleted.count) are told as deleted"
        }
        var lines = [StyledLine(head, .strong)]
        for item in items.prefix(TrialView.most.items) {
            var line = StyledLine("  \(SafeText.short(mask.masked(item.key.text)))  ")
            line.add(TrialWords.excerpt(item.body, mask), .faint)
            lines.append(line)
        }
        if items.count > TrialView.most.items {
            lines.append(StyledLine("  and \(items.count - TrialView.most.items) more"))
        }
        return lines
    }

    private func comparison() -> [StyledLine] {
        guard let comparison = report.comparison else { return [] }
        var lines = [
            StyledLine(
                "in the daemon: \(comparison.added.count) new, \(comparison.changed.count) changed, "
                    + "\(comparison.unchanged) the same, \(comparison.removed.count) deleted", .strong)
        ]
        let groups = [("+", comparison.added), ("~", comparison.changed), ("-", comparison.removed)]
        for (mark, keys) in groups where !keys.isEmpty {
            let names = keys.prefix(TrialView.most.keys).map { SafeText.short(mask.masked($0.text)) }
            let more = keys.count > TrialView.most.keys ? ", …" : ""
            lines.append(StyledLine("  \(mark) \(names.joined(separator: ", "))\(more)"))
        }
        if let missing = comparison.missing, missing > 0 {
            lines.append(StyledLine("  \(missing) that it has were not met, and would be gone", .warning))
        }
        return lines
    }

    // MARK: - For programs

    var json: String {
        var text = JSONText()
        text.object { text in
            text.name("feed")
            text.string(report.feed.id.name)
            text.name("warnings")
            text.array { for warning in report.warnings { $0.string(warning) } }
            text.name("pages")
            text.array { text in
                for (place, note) in report.notes.enumerated() {
                    text.object { write(note, place + 1, to: &$0) }
                }
            }
            text.name("pass_warnings")
            text.array { for warning in report.passWarnings { $0.string(warning) } }
            text.name("complete")
            text.bool(report.isComplete)
            text.name("end")
            text.string(TrialWords.end(report))
            writeFailure(report.failure, to: &text)
            if let next = TrialWords.next(report) {
                text.name("next_since")
                text.string(next)
            }
            text.name("items")
            text.array { for item in report.contents.items { write(item, to: &$0) } }
            text.name("deleted")
            text.array { for key in report.contents.deleted { $0.string(key.bytes) } }
            if let comparison = report.comparison { write(comparison, to: &text) }
        }
        return mask.masked(text.text)
    }

    private func write(_ item: TrialContents.Item, to text: inout JSONText) {
        text.object { text in
            text.name("key")
            text.string(item.key.bytes)
            text.name("data")
            text.raw(item.body)
        }
    }

    private func write(_ note: PageNote, _ number: Int, to text: inout JSONText) {
        text.name("method")
        text.string(note.method)
        text.name("url")
        text.string(note.url)
        if let exchange = exchange(number) {
            text.name("headers")
            text.array { text in
                for field in exchange.headers.fields {
                    text.array {
                        $0.string(field.name)
                        $0.string(field.value)
                    }
                }
            }
        }
        if let body = note.body {
            text.name("body")
            text.string(body)
        }
        let numbers: [(String, Int?)] = [
            ("status", note.status), ("bytes", exchange(number)?.bytes), ("rows", note.rows),
            ("kept", note.kept),
            ("rejected", note.rejected), ("rate_remaining", note.rates?.remaining),
            ("rate_limit", note.rates?.limit),
            ("rate_reset_ms", note.rates?.reset.map { Int($0.inMilliseconds) }),
        ]
        for case (let name, let value?) in numbers {
            text.name(name.utf8)
            text.number(value)
        }
        for case (let name, let value?) in [("next", note.next?.text), ("stop", note.stop?.rawValue)] {
            text.name(name.utf8)
            text.string(value)
        }
        writeFailure(note.failure, to: &text)
    }

    private func writeFailure(_ failure: RefreshFailure?, to text: inout JSONText) {
        guard let failure else { return }
        text.name("error")
        text.object { text in
            text.name("class")
            text.string(failure.class.rawValue)
            text.name("code")
            text.string(failure.code)
            text.name("detail")
            text.string(failure.detail)
        }
    }

    private func write(_ comparison: TrialComparison, to text: inout JSONText) {
        text.name("daemon")
        text.object { text in
            let groups = [
                ("added", comparison.added), ("changed", comparison.changed), ("removed", comparison.removed),
            ]
            for (name, keys) in groups {
                text.name(name.utf8)
                text.array { for key in keys { $0.string(key.bytes) } }
            }
            text.name("unchanged")
            text.number(comparison.unchanged)
            if let missing = comparison.missing {
                text.name("missing")
                text.number(missing)
            }
        }
    }
}
