import RefreshCore

/// Stored items of a feed, looked at as if they were one document: to give them other keys.
package enum StoredEntries {
    /// The items whose keys are others at `level` (SK2: a level is lowered by re-keying what is stored).
    ///
    /// What is no record of a feed keeps its key, and so does an item that would repeat another one.
    package static func rekeyings(
        _ items: [(key: RecordKey, body: ArraySlice<UInt8>)], to level: KeyLevel
    ) -> [ChurnGuard.Rekeying] {
        let read = items.compactMap { item in entry(item.body).map { (key: item.key, entry: $0) } }
        let ladder = KeyLadder(read.map(\.entry), policy: KeyPolicy(forced: level))
        var taken = Set(items.map(\.key))
        return zip(read, ladder.choices()).compactMap { item, choice in
            guard let choice, choice.key != item.key, taken.insert(choice.key).inserted else { return nil }
            return ChurnGuard.Rekeying(from: item.key, to: choice.key)
        }
    }

    /// The digest of a stored record, as `SyndicationDocument.digests` has it of one that was read.
    package static func digest(_ body: ArraySlice<UInt8>) -> EntryDigest? {
        entry(body).map { EntryDigest(link: $0.link, title: $0.title, date: $0.date) }
    }

    private static func entry(_ body: ArraySlice<UInt8>) -> KeyLadder.Entry? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(Array(body))),
            document.root.kind == .object
        else { return nil }
        func text(_ names: String...) -> [UInt8] {
            for name in names {
                if let text = document.member(name, of: document.root).flatMap({ document.string(of: $0) }) {
                    return text
                }
            }
            return []
        }
        let record = ContentHash.of(body)
        let title = text("title")
        let content = text("content_html", "content_text")
        let hash = ContentHash.of(title).combined(with: ContentHash.of(content))
        return KeyLadder.Entry(
            id: text("id"), link: text("url", "external_url"), date: text("published_raw", "updated_raw"),
            title: title, content: title.isEmpty && content.isEmpty ? record : hash, record: record,
            updated: Timestamp(rfc3339: text("updated_at")))
    }
}
