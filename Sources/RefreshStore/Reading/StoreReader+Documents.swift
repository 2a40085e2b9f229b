import RefreshCore

/// The document of an `http` feed, without its bytes.
package struct StoredDocument: Sendable, Equatable {
    /// Its bytes go by it as long as they are there.
    package let number: Int64
    package let bytes: Int
    package let hash: ContentHash
    package let type: String?
    package let validators: Validators
    /// The upstream's tag stands for other bytes as well.
    package let hasStuckTag: Bool
    let feed: Int64

    /// Bytes that one read shows at most.
    package static let part = DocumentTable.part
}

/// The statements that read a document.
final class DocumentStatements {
    let head: Statement
    let part: Statement

    init(_ connection: borrowing Connection) throws(StoreFailure) {
        head = try connection.prepare(
            "SELECT number, bytes, hash, type, tag, modified, has_stuck_tag FROM documents WHERE feed = ?1")
        part = try connection.prepare(
            "SELECT bytes FROM document_parts WHERE feed = ?1 AND number = ?2 AND place = ?3")
    }
}

extension StoreReader {
    /// What is known of the feed's document; nil where its bytes are not kept.
    package func document(of feed: FeedID) throws(StoreFailure) -> StoredDocument? {
        guard let number = try number(of: feed) else { return nil }
        defer { documents.head.reset() }
        try documents.head.bind(1, number)
        guard try documents.head.step(), let hash = documents.head.hash(2) else { return nil }
        return StoredDocument(
            number: documents.head.number(0), bytes: Int(documents.head.number(1)), hash: hash,
            type: documents.head.text(3),
            validators: Validators(etag: documents.head.text(4), lastModified: documents.head.text(5)),
            hasStuckTag: documents.head.number(6) != 0, feed: number)
    }

    /// Shows the bytes of `document` from `offset` on, as far as one part goes; false where they are not there any
    /// more. The bytes are dead after the visit: SQLite's own memory.
    package func bytes(
        of document: StoredDocument, from offset: Int, _ visit: (UnsafeRawBufferPointer) -> Void
    ) throws(StoreFailure) -> Bool {
        try beginRound()
        defer { documents.part.reset() }
        try documents.part.bind(1, document.feed)
        try documents.part.bind(2, document.number)
        try documents.part.bind(3, Int64(offset / StoredDocument.part))
        guard try documents.part.step() else { return false }
        let bytes = unsafe documents.part.blob(0)
        guard offset % StoredDocument.part < bytes.count else { return false }
        unsafe visit(UnsafeRawBufferPointer(rebasing: bytes[(offset % StoredDocument.part)...]))
        return true
    }
}
