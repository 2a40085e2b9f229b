import RefreshCore
import RefreshEngine
import Testing

@Suite("The board of all feeds") struct StatusBoardTests {
    private func status(_ name: String, items: Int = 0) throws -> FeedStatus {
        FeedStatus(
            feed: try #require(FeedID(name)), title: nil, adapter: "json", url: "https://example.test/",
            state: .active, progress: FeedProgress(), freshUntil: nil, nextDue: nil, dueRule: "every",
            inFlight: false, store: StoredCounts(epoch: Epoch(1), items: items), alarms: [])
    }

    @Test("a picture has every feed by name, however they came")
    func order() throws {
        let board = StatusBoard()
        for name in ["m", "z", "a", "k"] { board.post(try status(name)) }
        #expect(board.picture().feeds.map(\.feed.name) == ["a", "k", "m", "z"])
        board.post(try status("b"))
        board.remove(try status("k").feed)
        board.post(try status("m", items: 5))
        #expect(board.picture().feeds.map(\.feed.name) == ["a", "b", "m", "z"])
        for name in ["a", "b", "m", "z"] {
            let feed = try status(name).feed
            #expect(board.status(of: feed)?.feed == feed)
        }
        #expect(board.status(of: try status("m").feed)?.store.items == 5)
        #expect(board.status(of: try status("k").feed) == nil)
    }

    @Test("every change has a version of its own, and a picture keeps to its own")
    func versions() throws {
        let board = StatusBoard()
        board.post(try status("a", items: 1))
        let before = board.picture()
        #expect(before.version == board.version)
        board.post(try status("a", items: 2))
        board.remove(try status("a").feed)
        #expect(board.version == before.version + 2)
        #expect(before.feeds.map(\.store.items) == [1])
        #expect(board.picture().feeds.isEmpty)
    }
}
