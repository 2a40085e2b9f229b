import RefreshCore

/// A news feed in Atom (RFC 4287): a new entry about every minute, now and then a correction, the last twenty shown.
package struct News: Sendable {
    private static let shown: Int64 = 20
    private static let every: Int64 = 60
    /// A corrected entry is corrected this long after it was published.
    private static let correctedAfter: Int64 = 150

    private let chance: Chance

    package init(seed: UInt64) { chance = Chance(seed: seed) }

    /// The feed at `now`.
    package func feed(at now: Timestamp) -> Document {
        let entries = entries(at: now)
        let changed = entries.map(\.updated).max() ?? now
        var text = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
              <id>tag:demo.invalid,2026:news</id>
              <title>News of the shop</title>
              <author><name>The shop</name></author>
              <updated>\(changed.rfc3339)</updated>

            """
        for entry in entries { entry.write(to: &text) }
        text += "</feed>\n"
        return Document(type: "application/atom+xml; charset=utf-8", body: Array(text.utf8), changed: changed)
    }

    /// Newest first.
    func entries(at moment: Timestamp) -> [NewsEntry] {
        let now = moment.wholeSeconds
        let minute = now.floored(by: News.every)
        let newest = published(minute) <= now ? minute : minute - 1
        return (0..<News.shown).map { entry(newest - $0, at: now) }
    }

    /// Not on the full minute, so that readers cannot guess it.
    private func published(_ number: Int64) -> Int64 {
        number * News.every + Int64(chance.number(1, number, in: 0...20))
    }

    private func entry(_ number: Int64, at now: Int64) -> NewsEntry {
        let start = published(number)
        let isWrong = chance.number(2, number, in: 1...7) == 1
        let correction = start + News.correctedAfter
        let product = Catalogue.entries[chance.number(3, number, in: 0...Catalogue.entries.count - 1)]
        let event = News.events[chance.number(4, number, in: 0...News.events.count - 1)]
        return NewsEntry(
            number: number, published: Timestamp(seconds: start),
            corrected: isWrong && correction <= now ? Timestamp(seconds: correction) : nil,
            title: "\(product.name): \(event)")
    }

    // Without characters that XML would want escaped.
    private static let events = [
        "back in stock", "now in blue", "a reader writes", "how it is made", "sold out within the hour",
        "recalled, and sent out again", "the maker answers questions", "five years of guarantee",
    ]
}
