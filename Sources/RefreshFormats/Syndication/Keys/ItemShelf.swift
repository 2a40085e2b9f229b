import RefreshCore

/// The entries that were read, as JSON in one buffer; what their keys are is known at the end of the document.
struct ItemShelf {
    private struct Place {
        let body: Range<Int>
        /// Of what the entry says; how often it is commented on is not part of that (SC1).
        let hash: ContentHash
        let order: Timestamp?
    }

    struct Shelved {
        let page: RecordPage
        let level: KeyLevel
        let sharesIDs: Bool
    }

    private var writer = RecordWriter()
    /// What is hashed of an entry's extensions.
    private var stable: [UInt8] = []
    private var places: [Place] = []
    private var entries: [KeyLadder.Entry] = []
    /// Entries that said nothing.
    private(set) var empty = 0

    var count: Int { places.count + empty }
    /// Bytes of all records.
    var bytes: Int { writer.bytes.count }

    /// Counts an entry that is left out.
    mutating func skipEntry() { empty += 1 }

    /// Puts an entry down; false where a date of it is not understood.
    mutating func add(_ item: inout ItemDraft) -> Bool {
        item.settle()
        let start = writer.bytes.count
        writer.startAnew()
        let hash = write(item)
        let body = start..<writer.bytes.count
        // Braces alone.
        if body.count == 2 {
            empty += 1
            return true
        }
        let link = item.url.isEmpty ? item.externalURL : item.url
        let date = item.publishedRaw.isEmpty ? item.updatedRaw : item.publishedRaw
        places.append(
            Place(body: body, hash: hash, order: item.published ?? item.updated))
        entries.append(
            KeyLadder.Entry(
                id: item.id, link: link, date: date, title: item.title.text,
                content: item.contentHash ?? hash,
                record: hash, updated: item.hasUpdate ? item.updated : nil))
        return item.hasGoodDates
    }

    /// Writes the record; its hash leaves out what `ExtensionTree` calls counts.
    private mutating func write(_ item: ItemDraft) -> ContentHash {
        let start = writer.bytes.count
        var end = start
        writer.object { writer in
            item.write(to: &writer)
            end = writer.bytes.count
            item.extensions.write(to: &writer)
        }
        let hash = ContentHash.of(writer.bytes[start..<end])
        if item.extensions.isEmpty { return hash }
        stable.removeAll(keepingCapacity: true)
        item.extensions.stableText(into: &stable)
        return stable.isEmpty ? hash : hash.combined(with: ContentHash.of(stable))
    }

    private static func ending(_ origin: KeyLevel) -> [UInt8] {
        Array(",\"key_origin\":\"\(origin.rawValue)\"}".utf8)
    }

    /// The records with their keys, and what these are made of.
    func page(limits: RecordLimits, keys policy: KeyPolicy) throws(FormatFailure) -> Shelved {
        let ladder = KeyLadder(entries, policy: policy)
        var rows = RowCollector(reserving: places.count, distinct: true)
        var ending = (origin: KeyLevel.id, bytes: ItemShelf.ending(.id))
        var text: [UInt8] = []
        text.reserveCapacity(writer.bytes.count + places.count * 24)
        for (place, choice) in zip(places, ladder.choices()) {
            guard let choice else { continue }
            if choice.key.bytes.count > limits.key {
                rows.reject("its key has \(choice.key.bytes.count) bytes; \(limits.key) are allowed")
                continue
            }
            if place.body.count > limits.item.bytes {
                rows.reject("it has \(place.body.count) bytes; \(limits.item.bytes) are allowed")
                continue
            }
            let start = text.count
            text.append(contentsOf: writer.bytes[place.body].dropLast())
            if choice.origin != ending.origin {
                ending = (choice.origin, ItemShelf.ending(choice.origin))
            }
            text.append(contentsOf: ending.bytes)
            let body = start..<text.count
            rows.add(
                RecordPage.Row(
                    key: choice.key, body: body, hash: place.hash, order: place.order))
        }
        return Shelved(
            page: try rows.page(text: text, limits: limits, newestFirst: true), level: ladder.level,
            sharesIDs: ladder.sharesIDs)
    }
}
