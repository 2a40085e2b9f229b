import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@testable import RefreshStore

@Suite("The bytes of a document") struct DocumentTests {
    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = Randomness(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private func commit(
        _ bench: Bench, _ bytes: [UInt8]?, tag: String? = nil, after pause: Duration = .seconds(60),
        keep: ByteCount = .mebibytes(256)
    ) throws -> CommitOutcome {
        bench.now = bench.now + pause
        var retention = Retention(count: 10)
        retention.bytes = keep
        var commit = PassCommit(
            feed: bench.feed, at: bench.now, progress: bench.progress, retention: retention)
        if let bytes {
            let headers = HTTPHeaders([("Content-Type", "a/b")] + (tag.map { [("ETag", $0)] } ?? []))
            let record = try DocumentRecord(bytes: bytes[...], headers: headers, url: nil)
            commit = PassCommit(
                feed: bench.feed, at: bench.now, progress: bench.progress, page: record.page,
                retention: retention)
            commit.document = record.document
        }
        commit.keepsDocument = true
        return try bench.perform(commit)
    }

    private func read(_ document: StoredDocument?, _ bench: Bench) throws -> [UInt8]? {
        guard let document else { return nil }
        let reader = try bench.reader()
        var bytes: [UInt8] = []
        while bytes.count < document.bytes {
            var piece: [UInt8] = []
            let isThere = try unsafe reader.bytes(of: document, from: bytes.count) {
                unsafe piece = Array($0)
            }
            guard isThere else { return nil }
            #expect(piece.count <= StoredDocument.part)
            bytes += piece
        }
        return bytes
    }

    @Test(
        "come back as they were, in parts", arguments: [0, 1, 131_071, 131_072, 131_073, 1_000_003])
    func comeBack(count: Int) throws {
        let bench = try Bench()
        let sent = bytes(count, seed: UInt64(count))
        let outcome = try commit(bench, sent, tag: "\"1\"")
        let document = try #require(try bench.reader().document(of: bench.feed))
        #expect(document.type == "a/b")
        #expect(document.validators.etag == "\"1\"")
        #expect(document.hash == ContentHash.of(sent))
        #expect(try read(document, bench) == sent)
        #expect(outcome.store.bytes >= count)
        #expect(try commit(bench, sent, tag: "\"1\"").counts.isEmpty)
        // Another tag for the same bytes is told, and is no change.
        #expect(try commit(bench, sent, tag: "\"2\"").counts.isEmpty)
        let described = try bench.reader().document(of: bench.feed)
        #expect(described?.validators.etag == "\"2\"")
        #expect(described?.number == document.number)
        #expect(described?.hasStuckTag == false)
    }

    @Test("are there for whoever reads them while others take their place, and then make room")
    func replaced() throws {
        let bench = try Bench()
        let (first, second) = (bytes(300_000, seed: 1), bytes(200_000, seed: 2))
        _ = try commit(bench, first)
        let reading = try bench.reader().document(of: bench.feed)
        let outcome = try commit(bench, second)
        #expect(try read(reading, bench) == first)
        #expect(try read(try bench.reader().document(of: bench.feed), bench) == second)
        #expect(outcome.store.bytes < 210_000)
        _ = try commit(bench, nil, after: .seconds(30))
        #expect(try read(reading, bench) == first)
        _ = try commit(bench, nil, after: .seconds(31))
        #expect(try read(reading, bench) == nil)
        let third = bytes(10, seed: 3)
        _ = try commit(bench, third)
        _ = try commit(bench, first, after: .seconds(1))
        let parts = try bench.writer.connection.number("SELECT count(*) FROM document_parts")
        #expect(parts == 4, "one document of three parts, and the one before it")
    }

    @Test("of two documents with one tag make the tag worthless")
    func stuckTag() throws {
        let bench = try Bench()
        _ = try commit(bench, [1], tag: "\"same\"")
        _ = try commit(bench, [2], tag: "\"same\"")
        #expect(try bench.reader().document(of: bench.feed)?.hasStuckTag == true)
        _ = try commit(bench, [3], tag: "\"other\"")
        #expect(try bench.reader().document(of: bench.feed)?.hasStuckTag == true)
    }

    @Test("beyond the bound of the cache are not kept, and the item says what there was")
    func bounded() throws {
        let bench = try Bench()
        _ = try commit(bench, bytes(1_000, seed: 1), keep: ByteCount(2_000))
        #expect(try bench.reader().document(of: bench.feed) != nil)
        let large = try commit(bench, bytes(2_000, seed: 2), keep: ByteCount(2_000))
        #expect(try bench.reader().document(of: bench.feed) == nil)
        #expect(large.store.items == 1)
        #expect(large.store.bytes < 1_000)
        #expect(large.store.alarms.contains { $0.hasPrefix("trimmed") })
        _ = try commit(bench, bytes(1_000, seed: 3), keep: ByteCount(2_000))
        // The bound comes down: the bytes go, the item stays.
        let lowered = try commit(bench, nil, keep: ByteCount(500))
        #expect(lowered.store.items == 1)
        #expect(try bench.reader().document(of: bench.feed) == nil)
        #expect(try bench.writer.connection.number("SELECT count(*) FROM document_parts") == 0)
    }

    @Test("go with a feed that is removed")
    func removed() throws {
        let bench = try Bench()
        _ = try commit(bench, bytes(300_000, seed: 1))
        try bench.writer.remove(bench.feed)
        while try bench.writer.sweepRemoved() {}
        #expect(try bench.writer.connection.number("SELECT count(*) FROM document_parts") == 0)
        #expect(try bench.writer.connection.number("SELECT count(*) FROM documents") == 0)
    }
}
