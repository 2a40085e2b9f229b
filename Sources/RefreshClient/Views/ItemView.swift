import RefreshCore

/// One item whole: what the daemon knows of it, then the record.
package enum ItemView {
    package static func lines(_ item: ItemAnswer, on display: Display, now: Timestamp) -> [String] {
        let facts = facts(item, now: now).filter { !$0.cell.exact.isEmpty }
        guard case .terminal(_, let colour) = display else {
            let data = item.data.map { [("data", Cells.data($0))] } ?? []
            return (facts + data).map { "\($0.0)\t\(SafeText.escaped($0.1.exact))" }
        }
        let width = facts.map { $0.name.utf8.count }.max() ?? 0
        let head = facts.map { fact in
            let room = String(repeating: " ", count: width - fact.name.utf8.count + 2)
            let text = SafeText.escaped(fact.cell.shown)
            return Tone.strong.painted(fact.name, colour: colour) + room
                + fact.cell.tone.painted(text, colour: colour)
        }
        guard let data = item.data else { return head }
        return head + [""] + IndentedJSON.lines(data).map { SafeText.escaped($0) }
    }

    private static func facts(_ item: ItemAnswer, now: Timestamp) -> [(name: String, cell: Table.Cell)] {
        [
            ("key", Table.Cell(item.key)),
            ("rev", Table.Cell(item.rev.map(String.init) ?? "")),
            ("state", Table.Cell(item.state ?? "", tone: item.state == "gone" ? .warning : .plain)),
            ("order", Table.Cell(item.order ?? "")),
            ("first_seen", moment(item.firstSeen, now: now)),
            ("changed_at", moment(item.changedAt, now: now)),
            ("gone_at", moment(item.goneAt, now: now)),
            ("seq", Table.Cell(item.seq.map(String.init) ?? "")),
        ]
    }

    private static func moment(_ time: Timestamp?, now: Timestamp) -> Table.Cell {
        guard let time else { return Table.Cell("") }
        return Table.Cell("\(time.rfc3339) (\(Wording.age(of: time, now: now)))", exact: time.rfc3339)
    }
}
