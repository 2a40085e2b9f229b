import RefreshCore

/// A feed's items, a row each.
package enum ItemsView {
    package static func table(_ items: [ItemAnswer], now: Timestamp) -> Table {
        Table(
            [
                Table.Column("KEY", least: 8), Table.Column("REV", side: .right), Table.Column("CHANGED"),
                Table.Column("DATA", least: 8),
            ],
            rows: items.map { item in
                [
                    Table.Cell(item.key, tone: item.state == "gone" ? .faint : .plain),
                    Table.Cell(item.rev.map(String.init) ?? ""),
                    Cells.age(item.changedAt, now: now),
                    Cells.data(item.data),
                ]
            })
    }

    /// What to know of a page beyond its rows; nil where there is nothing.
    package static func warning(_ page: ItemsAnswer) -> String? {
        if let error = page.error { return "these items may be out of date: \(error.text)" }
        return page.stale ? "these items may be out of date" : nil
    }
}
