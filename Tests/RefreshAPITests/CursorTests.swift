import RefreshCore
import RefreshStore
import Testing

@testable import RefreshAPI

@Suite("Cursors") struct CursorTests {
    @Test(
        "a cursor comes back as it was given out",
        arguments: [OrderValue.null, .time(Timestamp(seconds: -5)), .text(Array("é".utf8))])
    func roundTrip(_ order: OrderValue) throws {
        let feed = try #require(FeedID("shop"))
        let cursor = Cursor(place: ItemPosition(order: order, createdSeq: 42), issued: 99)
        #expect(try Cursor(text: Array(cursor.text(feed: feed).utf8), feed: feed) == cursor)
    }

    @Test("another feed's cursor is told from a damaged one")
    func foreign() throws {
        let feed = try #require(FeedID("shop"))
        let other = try #require(FeedID("other"))
        let text = Cursor(place: ItemPosition(order: .null, createdSeq: 1), issued: 1).text(feed: other)
        #expect(throws: Cursor.Failure.foreign) { try Cursor(text: Array(text.utf8), feed: feed) }
        var damaged = Array(text.utf8)
        damaged[20] = damaged[20] == 0x41 ? 0x42 : 0x41
        #expect(throws: Cursor.Failure.malformed) { try Cursor(text: damaged, feed: other) }
        #expect(throws: Cursor.Failure.malformed) { try Cursor(text: [], feed: feed) }
    }
}
