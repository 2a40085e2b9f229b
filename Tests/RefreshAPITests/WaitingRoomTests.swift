import RefreshCore
import Testing

@testable import RefreshAPI

@Suite("The waiting room") struct WaitingRoomTests {
    private func feed(_ name: String) throws -> FeedID { try #require(FeedID(name)) }
    private func at(_ seconds: Int) -> BootTime { BootTime(.seconds(seconds)) }

    @Test("whoever waits for an event leaves with it, and nobody else")
    func events() throws {
        var room = WaitingRoom<String>()
        let (shop, news) = (try feed("shop"), try feed("news"))
        room.enter("a", for: .change(shop), of: shop, until: at(10))
        room.enter("b", for: .errand(7), of: shop, until: at(10))
        room.enter("c", for: .change(shop), of: shop, until: at(10))
        room.enter("d", for: .change(news), of: news, until: at(10))
        #expect(Set(room.feeds) == [shop, news])
        #expect(room.leave(for: .change(shop)).map(\.guest) == ["a", "c"])
        #expect(room.leave(for: .change(shop)).isEmpty)
        #expect(room.feeds == [news])
        #expect(room.leave(for: .errand(7)).map(\.guest) == ["b"])
        #expect(room.count == 1)
    }

    @Test("the earliest deadline is known, and who is past it leaves")
    func deadlines() throws {
        var room = WaitingRoom<String>()
        let shop = try feed("shop")
        #expect(room.deadline == nil)
        for (name, second) in [("late", 30), ("early", 10), ("middle", 20)] {
            room.enter(name, for: .change(shop), of: shop, until: at(second))
        }
        #expect(room.deadline == at(10))
        #expect(room.leave(at: at(9)).isEmpty)
        #expect(room.leave(at: at(20)).map(\.guest) == ["early", "middle"])
        #expect(room.deadline == at(30))
        #expect(room.leave(where: { $0.guest == "late" }).count == 1)
        #expect(room.deadline == nil)
        #expect(room.isEmpty)
    }
}
