/// A feed's changes in the order in which they happened, a row each.
package enum ChangesView {
    package static func table(_ changes: [ChangeAnswer]) -> Table {
        Table(
            [
                Table.Column("OP"), Table.Column("KEY", least: 8), Table.Column("REV", side: .right),
                Table.Column("WHY"), Table.Column("DATA", least: 8),
            ],
            rows: changes.map { change in
                [
                    Table.Cell(change.op, tone: change.op == "delete" ? .bad : .good),
                    Table.Cell(change.key),
                    Table.Cell(change.rev.map(String.init) ?? ""),
                    Table.Cell(change.reason ?? (change.created ? "new" : "")),
                    Cells.data(change.item?.data),
                ]
            })
    }
}
