import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("The record of a document") struct DocumentRecordTests {
    private func record(
        _ text: String, _ fields: [(String, String)] = []
    ) throws(FormatFailure) -> DocumentRecord {
        try DocumentRecord(
            bytes: Array(text.utf8)[...], headers: HTTPHeaders(fields),
            url: try? WebURL(parsing: "https://example.org/a"))
    }

    @Test("says what is known of it, and keeps its bytes")
    func describes() throws {
        let read = try record(
            "\0\u{FF}",
            [
                ("Content-Type", "image/x; a=\"b\""), ("ETag", "\"e\""),
                ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"),
            ])
        #expect(read.document.bytes == [0, 0xC3, 0xBF])
        #expect(read.page.rows.map(\.key.text) == ["document"])
        let body = String(decoding: read.page.body(of: read.page.rows[0]), as: UTF8.self)
        let hash = ContentHash.of([0, 0xC3, 0xBF] as [UInt8]).bytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        #expect(
            body == #"{"content_type":"image/x; a=\"b\"","length":3,"xxh3_128":"\#(hash)","etag":"\"e\"","#
                + #""last_modified":"Mon, 01 Jan 2024 00:00:00 GMT","url":"https://example.org/a"}"#)
        #expect(throws: Never.self) { try JSONDocument(parsing: PaddedBytes(read.page.text)) }
    }

    @Test("changes with its bytes and its type, and not with its validators")
    func tellsChanges() throws {
        func hash(_ text: String, _ fields: [(String, String)] = []) throws -> ContentHash {
            try record(text, fields).page.rows[0].hash
        }
        let first = try hash("a", [("ETag", "\"1\"")])
        #expect(try hash("a", [("ETag", "\"2\""), ("Last-Modified", "x")]) == first)
        #expect(try hash("b", [("ETag", "\"1\"")]) != first)
        #expect(try hash("a", [("Content-Type", "text/plain")]) != first)
        #expect(try hash("") != first)
    }

    @Test("is empty or large within its limit")
    func bounds() throws {
        #expect(try record("").document.bytes.isEmpty)
        #expect(throws: FormatFailure.tooLarge(bytes: 5)) {
            try DocumentRecord(bytes: [1, 2, 3, 4, 5], headers: HTTPHeaders(), url: nil, limit: ByteCount(4))
        }
    }
}
