/// The feeds as configured, and how much of each is kept.
package enum FeedsView {
    package static func table(_ feeds: [FeedAnswer]) -> Table {
        Table(
            [
                Table.Column("FEED", least: 8), Table.Column("ADAPTER"), Table.Column("ITEMS", side: .right),
                Table.Column("SIZE", side: .right), Table.Column("TITLE", least: 8),
                Table.Column("URL", least: 12),
            ],
            rows: feeds.map { feed in
                [
                    Table.Cell(feed.name, tone: Tones.state(feed.state) == .faint ? .faint : .plain),
                    Table.Cell(feed.adapter ?? ""),
                    Table.Cell(feed.items.map(String.init) ?? ""),
                    Cells.size(feed.bytes),
                    Table.Cell(feed.title ?? ""),
                    Table.Cell(feed.url ?? ""),
                ]
            })
    }
}
