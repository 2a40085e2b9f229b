import RefreshCore

/// The last refreshes of a feed, a row each.
package enum HistoryView {
    package static func table(_ entries: [HistoryAnswer], now: Timestamp) -> Table {
        Table(
            [
                Table.Column("WHEN"), Table.Column("CAUSE"), Table.Column("OUTCOME"),
                Table.Column("ASKED", side: .right), Table.Column("STATUS", side: .right),
                Table.Column("SIZE", side: .right), Table.Column("TOOK", side: .right),
                Table.Column("ADDED", side: .right), Table.Column("CHANGED", side: .right),
                Table.Column("REMOVED", side: .right), Table.Column("ERROR", least: 8),
            ],
            rows: entries.map { row($0, now: now) })
    }

    private static func row(_ entry: HistoryAnswer, now: Timestamp) -> [Table.Cell] {
        [
            Cells.age(entry.at, now: now),
            Table.Cell(entry.cause ?? ""),
            Table.Cell(entry.outcome ?? "", tone: entry.error == nil ? .plain : .bad),
            number(entry.requests), number(entry.status),
            Cells.size(entry.bytes),
            entry.duration.map { Table.Cell("\($0.inMilliseconds) ms", exact: String($0.inMilliseconds)) }
                ?? Table.Cell(""),
            number(entry.added), number(entry.changed), number(entry.removed),
            Table.Cell(entry.error ?? "", tone: .bad),
        ]
    }

    private static func number(_ value: Int?) -> Table.Cell { Table.Cell(value.map(String.init) ?? "") }
}
