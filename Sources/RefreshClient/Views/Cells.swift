import RefreshCore

/// Cells that read differently for people and for programs.
enum Cells {
    static func age(_ time: Timestamp?, now: Timestamp, none: String = "") -> Table.Cell {
        guard let time else { return Table.Cell(none, exact: "", tone: .faint) }
        return Table.Cell(Wording.age(of: time, now: now), exact: time.rfc3339)
    }

    static func due(_ time: Timestamp?, now: Timestamp) -> Table.Cell {
        guard let time else { return Table.Cell("-", exact: "", tone: .faint) }
        return Table.Cell(Wording.due(at: time, now: now), exact: time.rfc3339)
    }

    static func size(_ bytes: Int?) -> Table.Cell {
        guard let bytes else { return Table.Cell("") }
        return Table.Cell(Wording.size(bytes), exact: String(bytes))
    }

    /// A record's JSON text on one line.
    static func data(_ json: String?) -> Table.Cell { Table.Cell(json.map(oneLine) ?? "") }

    /// Between the tokens of JSON, line breaks and tabs mean no more than a space, and within strings they cannot
    /// stand (RFC 8259, 2 and 7).
    private static func oneLine(_ json: String) -> String {
        let spaced = json.utf8.map { $0 < 0x20 ? 0x20 : $0 }
        return String(decoding: ASCII.trimmed(spaced), as: UTF8.self)
    }
}
