import RefreshCore

/// Old orders by page: a JSON array, its length in `X-Total`, its neighbours in `Link` (RFC 8288). It never changes,
/// so whoever asks again with the tags it holds is told 304 for every page.
struct Archive: Sendable {
    static let total = 487
    static let pageSize = 50
    /// A larger wish is cut down without a word, as most servers do.
    static let pageSizeMax = 100

    private let chance: Chance

    init(seed: UInt64) { chance = Chance(seed: seed) }

    /// The answer to `page`, from 1, and `per_page`.
    func list(_ query: Query) -> Document {
        guard let page = Archive.number("page", in: query, or: 1),
            let wished = Archive.number("per_page", in: query, or: Archive.pageSize)
        else {
            return Document(
                refusing: .badRequest, code: "no_such_page", "page and per_page are numbers from 1 on")
        }
        let size = min(wished, Archive.pageSizeMax)
        var text = JSONText(reserving: 8_192)
        text.array { text in
            for index in Archive.places(page: page, size: size) { write(index, to: &text) }
        }
        return Document(
            type: "application/json", body: text.bytes,
            fields: [
                HTTPHeaders.Field(name: "X-Total", value: String(Archive.total)),
                HTTPHeaders.Field(name: "Link", value: Archive.links(page: page, size: size)),
            ])
    }

    private static func number(_ name: String, in query: Query, or absent: Int) -> Int? {
        guard let text = query.first(name) else { return absent }
        return Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }

    /// The entries on a page, from 0; none beyond the last.
    static func places(page: Int, size: Int) -> Range<Int> {
        let start = min((page - 1) * size, total)
        return start..<min(start + size, total)
    }

    /// Relative references, which a client resolves against what it asked for. Beyond the end, the last page comes
    /// before.
    static func links(page: Int, size: Int) -> String {
        let last = (total + size - 1) / size
        let targets = [
            ("next", page < last ? page + 1 : nil), ("prev", page > 1 ? min(page - 1, last) : nil),
            ("first", 1), ("last", last),
        ]
        return targets.compactMap { relation, target in
            target.map { "</archive?page=\($0)&per_page=\(size)>; rel=\"\(relation)\"" }
        }.joined(separator: ", ")
    }

    /// Newest first, about one in three days back from the end of 2025.
    private func write(_ index: Int, to text: inout JSONText) {
        let step = Int64(index)
        let entry = Catalogue.entries[chance.number(21, step, in: 0...Catalogue.entries.count - 1)]
        let pieces = chance.number(22, step, in: 1...6)
        let filed = 1_767_225_600 - step * 259_200 - Int64(chance.number(23, step, in: 1...250_000))
        text.object { text in
            text.name("id")
            text.number(Archive.total - index)
            text.name("product")
            text.string(entry.id)
            text.name("pieces")
            text.number(pieces)
            text.name("paid")
            text.raw(Product.decimal(cents: entry.price * pieces).utf8)
            text.name("filed_at")
            text.string(Timestamp(seconds: filed).rfc3339)
        }
    }
}
