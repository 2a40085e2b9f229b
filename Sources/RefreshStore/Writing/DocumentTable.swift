import RefreshCore

/// The statements on the documents of `http` feeds, whose bytes stand in parts.
final class DocumentTable {
    /// What is stored of a feed's document, without its bytes.
    struct Kept {
        /// Its parts go by it; never used twice in a feed.
        let number: Int64
        let bytes: Int
        let hash: ContentHash?
        let type: String?
        let validators: Validators
        /// The upstream has given one tag to two texts: its tags tell nothing.
        let hasStuckTag: Bool
        /// The number of the one before, whose parts are still there.
        let old: Int64?
        let replacedAt: Timestamp?

        /// Whether nothing but the bytes of `document` would have to be compared with what is stored.
        func isDescribed(as document: ReceivedDocument) -> Bool {
            type == document.type && validators == document.validators
        }
    }

    /// Bytes of a part: what a reader takes at a time.
    static let part = 128 * 1_024
    /// How long the parts of a document that was replaced stay.
    static let grace: Duration = .seconds(60)

    private let find: Statement
    private let save: Statement
    private let addPart: Statement
    private let removePart: Statement
    private let removeParts: Statement
    private let remove: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        find = try connection.prepare(
            """
            SELECT number, bytes, hash, type, tag, modified, has_stuck_tag, old, replaced_at FROM documents
            WHERE feed = ?1
            """)
        save = try connection.prepare(
            """
            INSERT OR REPLACE INTO documents
                (feed, number, bytes, hash, type, tag, modified, has_stuck_tag, old, replaced_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """)
        addPart = try connection.prepare(
            "INSERT INTO document_parts (feed, number, place, bytes) VALUES (?1, ?2, ?3, ?4)")
        removePart = try connection.prepare("DELETE FROM document_parts WHERE feed = ?1 AND number = ?2")
        removeParts = try connection.prepare("DELETE FROM document_parts WHERE feed = ?1")
        remove = try connection.prepare("DELETE FROM documents WHERE feed = ?1")
    }

    func find(_ feed: Int64) throws(StoreFailure) -> Kept? {
        defer { find.reset() }
        try find.bind(1, feed)
        guard try find.step() else { return nil }
        return Kept(
            number: find.number(0), bytes: Int(find.number(1)), hash: find.hash(2), type: find.text(3),
            validators: Validators(etag: find.text(4), lastModified: find.text(5)),
            hasStuckTag: find.number(6) != 0, old: find.optionalNumber(7),
            replacedAt: find.optionalNumber(8).map(Timestamp.init(microseconds:)))
    }

    /// Stores a document in the place of `kept`, whose parts stay for a while.
    func store(
        _ document: ReceivedDocument, over kept: Kept?, number: Int64, at now: Timestamp, feed: Int64
    ) throws(StoreFailure) -> Kept {
        if let kept, kept.old != nil { try forgetParts(kept.old, feed) }
        // One that was dropped for want of room may have had the same number.
        if kept?.number != number { try forgetParts(number, feed) }
        let number = kept?.number == number ? number + 1 : number
        var rest = document.bytes
        var place: Int64 = 0
        while !rest.isEmpty {
            try addPart.bind(1, feed)
            try addPart.bind(2, number)
            try addPart.bind(3, place)
            try addPart.run(borrowing: rest.prefix(DocumentTable.part), at: 4)
            rest = rest.dropFirst(DocumentTable.part)
            place += 1
        }
        // Entity tags of a sound upstream differ where bytes do (RFC 9110, 8.8.3).
        let isStuck = kept.map { $0.validators.etag != nil && $0.validators.etag == document.validators.etag }
        return try save(
            Kept(
                number: number, bytes: document.bytes.count, hash: document.hash, type: document.type,
                validators: document.validators,
                hasStuckTag: kept?.hasStuckTag == true || isStuck == true,
                old: kept?.number, replacedAt: kept == nil ? nil : now), feed: feed)
    }

    /// The same bytes, of which something else is said.
    func describe(_ kept: Kept, anew document: ReceivedDocument, feed: Int64) throws(StoreFailure) -> Kept {
        try save(
            Kept(
                number: kept.number, bytes: kept.bytes, hash: kept.hash, type: document.type,
                validators: document.validators, hasStuckTag: kept.hasStuckTag, old: kept.old,
                replacedAt: kept.replacedAt), feed: feed)
    }

    /// Takes the parts of the one before away.
    func forgetOld(_ kept: Kept, feed: Int64) throws(StoreFailure) {
        try forgetParts(kept.old, feed)
        _ = try save(
            Kept(
                number: kept.number, bytes: kept.bytes, hash: kept.hash, type: kept.type,
                validators: kept.validators, hasStuckTag: kept.hasStuckTag, old: nil, replacedAt: nil),
            feed: feed)
    }

    /// Everything of the feed's documents.
    func remove(feed: Int64) throws(StoreFailure) {
        try removeParts.bind(1, feed)
        try removeParts.run()
        try remove.bind(1, feed)
        try remove.run()
    }

    private func forgetParts(_ number: Int64?, _ feed: Int64) throws(StoreFailure) {
        guard let number else { return }
        try removePart.bind(1, feed)
        try removePart.bind(2, number)
        try removePart.run()
    }

    private func save(_ kept: Kept, feed: Int64) throws(StoreFailure) -> Kept {
        try save.bind(1, feed)
        try save.bind(2, kept.number)
        try save.bind(3, Int64(kept.bytes))
        try save.bind(4, kept.hash ?? ContentHash(high: 0, low: 0))
        try save.bind(5, kept.type)
        try save.bind(6, kept.validators.etag)
        try save.bind(7, kept.validators.lastModified)
        try save.bind(8, kept.hasStuckTag ? 1 : 0)
        try save.bind(9, kept.old)
        try save.bind(10, kept.replacedAt?.microseconds)
        try save.run()
        return kept
    }
}
