import RefreshCore

/// The one record of an `http` feed: a document whose bytes are kept as they were received, and what is known of
/// it as JSON.
package struct DocumentRecord: Sendable {
    /// The key of the record in its feed.
    package static let key = RecordKey("document")

    /// The record: its body says what the document is, its hash stands for the bytes and for their type.
    package let page: RecordPage
    /// As received, content coding undone.
    package let document: ReceivedDocument

    /// - Parameters:
    ///   - headers: of the answer; Content-Type and the validators are taken from them as they stand.
    ///   - url: where the bytes came from in the end.
    ///   - limit: of the bytes of the document; more are refused.
    package init(
        bytes: ArraySlice<UInt8>, headers: HTTPHeaders, url: WebURL?, limit: ByteCount = .mebibytes(64)
    ) throws(FormatFailure) {
        guard bytes.count <= limit.bytes else { throw .tooLarge(bytes: bytes.count) }
        let type = headers.first("content-type")
        let hash = ContentHash.of(bytes)
        let validators = Validators(replacingWith: headers)
        let body = DocumentRecord.description(
            of: bytes, hash: hash, type: type, validators: validators, url: url)
        document = ReceivedDocument(bytes: bytes, hash: hash, type: type, validators: validators)
        // Validators change without the document: they are described, and no change.
        let identity = ContentHash.of(hash.bytes + Array((type ?? "").utf8))
        page = RecordPage(
            text: body,
            rows: [RecordPage.Row(key: DocumentRecord.key, body: 0..<body.count, hash: identity)])
    }

    /// The members that are known: `content_type`, `length` in bytes, `xxh3_128` in hexadecimal, `etag`,
    /// `last_modified`, `url`.
    private static func description(
        of bytes: ArraySlice<UInt8>, hash: ContentHash, type: String?, validators: Validators, url: WebURL?
    ) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            func member(_ name: StaticString, _ value: String?) {
                guard let value else { return }
                text.name(name)
                text.string(value)
            }
            member("content_type", type)
            text.name("length")
            text.number(bytes.count)
            member("xxh3_128", DocumentRecord.hex(hash.bytes))
            member("etag", validators.etag)
            member("last_modified", validators.lastModified)
            // A query can hold a secret, and records have many readers.
            member("url", url?.display)
        }
        return text.bytes
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
