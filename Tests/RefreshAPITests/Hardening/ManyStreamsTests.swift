import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

/// Reads the changes of a stream out of its bytes, fast enough for a hundred streams; blocking, so used off the pool.
private struct SeqReader {
    /// The seq of each change in the order in which they came.
    private(set) var seqs: [Seq] = []
    private var unread: [UInt8] = []
    private let client: RawClient

    init?(_ path: String, _ target: String) {
        guard let client = RawClient(path) else { return nil }
        self.client = client
        client.say("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        guard client.hear(head: true)?.status == 200 else { return nil }
    }

    /// Takes the next chunk (RFC 9112, 7.1); false at the end, or after ten seconds of silence.
    mutating func take() -> Bool {
        var line: [UInt8] = []
        while line.last != 0x0A {
            guard let byte = client.read(1)?.first else { return false }
            line.append(byte)
        }
        guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16), size > 0,
            let chunk = client.read(size), client.read(2) != nil
        else { return false }
        unread += chunk
        // An event may be cut anywhere.
        var used = 0
        while let change = SeqReader.find("event: change", in: unread, from: used),
            let end = SeqReader.find("\n\n", in: unread, from: change),
            let number = SeqReader.number(behind: "\"seq\":", in: unread, change..<end)
        {
            seqs.append(number)
            used = end
        }
        unread.removeFirst(used)
        return true
    }

    private static func find(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let needle = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = unsafe memmem(base + start, bytes.count - start, needle, needle.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    private static func number(behind name: String, in bytes: [UInt8], _ range: Range<Int>) -> Seq? {
        guard let place = find(name, in: bytes, from: range.lowerBound), place < range.upperBound else {
            return nil
        }
        let digits = bytes[(place + name.utf8.count)..<range.upperBound].prefix { (0x30...0x39).contains($0) }
        return Seq(String(decoding: digits, as: UTF8.self))
    }
}

@Suite("Many streams", .serialized, .timeLimit(.minutes(3))) struct ManyStreamsTests {
    private static let streams = 100
    private static let commits = 10
    private static let rows = 1_000

    @Test("ten thousand changes reach a hundred streams, none lost and none twice")
    func all() async throws {
        try await Rig.with { rig in
            try await rig.commit("bulk", [("seed", "0")])
            let path = rig.path
            let first = try rig.newest("bulk")
            let readers = await offPool {
                (0..<ManyStreamsTests.streams).compactMap { _ in
                    SeqReader(path, "/v1/feeds/bulk/changes?since=now")
                }
            }
            try #require(readers.count == ManyStreamsTests.streams)
            // Each row is a new one, so that none is told in the place of another. Nobody reads meanwhile, so the streams
            // come into step, fall behind and go on.
            for round in 1...ManyStreamsTests.commits {
                let all = (0..<(ManyStreamsTests.rows * round)).map { ("k\($0)", "1") }
                try await rig.commit("bulk", [("seed", "0")] + all, keep: 20_000)
            }
            let wanted = ManyStreamsTests.commits * ManyStreamsTests.rows
            let told = await offPool { () -> [[Seq]] in
                readers.map { reader in
                    var reader = reader
                    while reader.seqs.count < wanted, reader.take() {}
                    return reader.seqs
                }
            }
            let newest = try rig.newest("bulk")
            #expect(newest == first + Seq(wanted))
            let all = Array((first + 1)...newest)
            for seqs in told where seqs != all {
                let place = zip(seqs, all).enumerated().first { $0.element.0 != $0.element.1 }
                Issue.record(
                    "\(seqs.count) changes, and another than expected at \(place?.offset ?? seqs.count)")
            }
        }
    }
}
