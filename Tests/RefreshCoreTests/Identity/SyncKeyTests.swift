import RefreshCore
import Testing

@Suite("Sync keys") struct SyncKeyTests {
    private let feed: FeedID
    private let other: FeedID
    private let key = SyncKey(epoch: Epoch(0xFEDC_BA98_7654_3210), seq: 1_234_567)

    init() throws {
        feed = try #require(FeedID("prices"))
        other = try #require(FeedID("stock"))
    }

    @Test("come back from their text", arguments: [Seq(0), 1, .max])
    func comeBack(seq: Seq) throws {
        let key = SyncKey(epoch: Epoch(.max), seq: seq)
        #expect(try SyncKey(text: key.text(feed: feed, view: 7), feed: feed, view: 7) == key)
    }

    @Test("need no escaping in a URL")
    func needNoEscaping() {
        #expect(
            key.text(feed: feed).utf8.allSatisfy {
                ASCII.isDigit($0) || ASCII.lowercased($0) >= 0x61 || $0 == 0x2D || $0 == 0x5F
            })
    }

    @Test("of another feed or view are foreign")
    func foreign() {
        let text = key.text(feed: feed)
        #expect(throws: SyncKey.Failure.foreign) { try SyncKey(text: text, feed: other) }
        #expect(throws: SyncKey.Failure.foreign) { try SyncKey(text: text, feed: feed, view: 1) }
    }

    @Test("with any one letter changed, cut or added are malformed")
    func damaged() {
        let text = Array(key.text(feed: feed).utf8)
        for place in text.indices {
            var changed = text
            changed[place] = text[place] == 0x41 ? 0x42 : 0x41
            #expect(throws: SyncKey.Failure.malformed) {
                try SyncKey(text: String(decoding: changed, as: UTF8.self), feed: feed)
            }
            #expect(throws: SyncKey.Failure.malformed) {
                try SyncKey(text: String(decoding: text[..<place], as: UTF8.self), feed: feed)
            }
        }
        #expect(throws: SyncKey.Failure.malformed) {
            try SyncKey(text: String(decoding: text + [0x41], as: UTF8.self), feed: feed)
        }
    }

    @Test("with a place before the first are malformed")
    func negative() {
        let text = SyncKey(epoch: Epoch(1), seq: -1).text(feed: feed)
        #expect(throws: SyncKey.Failure.malformed) { try SyncKey(text: text, feed: feed) }
    }
}
