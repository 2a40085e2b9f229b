import RefreshCore

/// Stored items of a feed, looked at as if they were one document: to give them other keys.
package struct StoredEntries {
    private var keys: [RecordKey] = []
    private var entries: [KeyLadder.Entry] = []
    private var taken: Set<RecordKey> = []

    package init() {}

    /// Takes note of an item; what is no record of a feed keeps its key.
    package mutating func add(_ key: RecordKey, body: ArraySlice<UInt8>) {
        taken.insert(key)
        guard let entry = StoredEntries.entry(body) else { return }
        keys.append(key)
        entries.append(entry)
    }

    /// The items whose keys are others at `level` (SK2: a level is lowered by re-keying what is stored).
    ///
    /// An item that would repeat another one keeps its key.
    package func rekeyings(to level: KeyLevel) -> [ChurnGuard.Rekeying] {
        let ladder = KeyLadder(entries, policy: KeyPolicy(forced: level))
        var taken = taken
        return zip(keys, ladder.choices()).compactMap { key, choice in
            guard let choice, choice.key != key, taken.insert(choice.key).inserted else { return nil }
            return ChurnGuard.Rekeying(from: key, to: choice.key)
        }
    }

    /// Whether two records of an entry differ in what they say and not in when they say it was updated (SC3).
    package static func isQuietChange(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> Bool {
        updated(old) == updated(new)
    }

    private static func updated(_ body: ArraySlice<UInt8>) -> [UInt8]? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(Array(body))),
            document.root.kind == .object,
            let updated = document.member("updated_raw", of: document.root)
        else { return nil }
        return document.string(of: updated)
    }

    /// What an entry is known by besides its key; nil of what is no record of a feed.
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
