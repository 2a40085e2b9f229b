import RefreshCore
import RefreshStore
import Testing

@testable import RefreshAPI

@Suite("Answers kept by their target") struct AnswersByTargetTests {
    private let start = Moment(wall: Timestamp(seconds: 100), boot: BootTime(.seconds(1)))
    private let mark = WorldMark(board: 1, commits: 1)
    private let later = WorldMark(board: 1, commits: 2)
    private let dependence = Dependence.board(1)

    private var hold: Hold { Hold(from: start, until: Timestamp(seconds: 110)) }

    private func target(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func kept(_ answers: (String, Int)..., capacity: Int = 20_000) -> KeptAnswers<String> {
        var kept = KeptAnswers<String>(capacity: capacity)
        for (name, bytes) in answers { keep(name, bytes, &kept) }
        return kept
    }

    private func keep(_ name: String, _ bytes: Int, _ kept: inout KeptAnswers<String>) {
        kept.keep(name, bytes: bytes, to: target("/" + name), of: dependence, for: hold, mark: mark)
    }

    private func answer(_ name: String, _ kept: inout KeptAnswers<String>) -> String? {
        kept.answer(to: target("/" + name), at: start, mark: mark, stands: { _ in false })
    }

    @Test("an answer comes back for the very same target only")
    func found() {
        var kept = kept(("a?limit=2", 10))
        #expect(answer("a?limit=2", &kept) == "a?limit=2")
        #expect(answer("a?limit=3", &kept) == nil)
        #expect(answer("a", &kept) == nil)
    }

    @Test("what it was made of is looked at only when something has happened, and then once")
    func dependences() {
        var kept = kept(("a", 10))
        var asked = 0
        for _ in 0..<3 {
            let answer = kept.answer(to: target("/a"), at: start, mark: later) { dependence in
                asked += 1
                return dependence == .board(1)
            }
            #expect(answer == "a")
        }
        #expect(asked == 1)
        let answer = kept.answer(to: target("/a"), at: start, mark: mark) { _ in false }
        #expect(answer == nil)
    }

    @Test(
        "an answer goes when its time is over",
        arguments: [(9_999, true), (10_000, false)] as [(Int64, Bool)])
    func time(_ later: Int64, _ isThere: Bool) {
        var kept = kept(("a", 10))
        let answer = kept.answer(
            to: target("/a"), at: start + .milliseconds(later), mark: mark, stands: { _ in true })
        #expect((answer != nil) == isThere)
    }

    @Test("room is made by those that were not asked for in the longest time")
    func eviction() {
        // Room for four of this size, two in each generation.
        let size = 1_000 + 2 + KeptAnswers<String>.overhead
        var kept = kept(("a", 1_000), ("b", 1_000), capacity: 4 * size)
        #expect(answer("a", &kept) == "a")
        for name in ["c", "a", "d"] {
            if answer(name, &kept) == nil { keep(name, 1_000, &kept) }
        }
        #expect(answer("b", &kept) == nil)
        #expect(answer("a", &kept) == "a")
        #expect(answer("d", &kept) == "d")
    }

    @Test("however many answers are kept, their bytes and what holds them stay within the bound")
    func bound() {
        var kept = KeptAnswers<String>(capacity: 20_000)
        for number in 0..<500 {
            let name = "\(number % 40)" + String(repeating: "q", count: number % 300)
            keep(name, number * 37 % 3_000, &kept)
            _ = answer("\(number % 7)", &kept)
            #expect(kept.size <= 20_000)
        }
        #expect(kept.count > 1)
    }

    @Test("a new answer takes the place of the old one")
    func replaced() {
        var kept = kept(("a", 3_000))
        kept.keep("new", bytes: 10, to: target("/a"), of: dependence, for: hold, mark: mark)
        #expect(answer("a", &kept) == "new")
        #expect(kept.count == 1)
        #expect(kept.size == 10 + 2 + KeptAnswers<String>.overhead)
    }

    @Test("an answer that would drive out most others is not kept, and its older copy goes")
    func tooLarge() {
        var kept = kept(("small", 5), ("large", 5))
        keep("large", 6_000, &kept)
        #expect(answer("large", &kept) == nil)
        #expect(answer("small", &kept) == "small")
    }
}

@Suite("What an answer about a feed depends on") struct FeedStampTests {
    private func stamp(
        epoch: UInt64 = 1, seq: Seq = 7, success: Int64 = 90, freshUntil: Int64 = 200, failure: String? = nil
    ) throws -> FeedStamp {
        var progress = FeedProgress()
        progress.lastSuccess = Timestamp(seconds: success)
        progress.failure = failure.map {
            FailureNote(RefreshFailure(.transient, code: $0, detail: ""), at: Timestamp(seconds: 95))
        }
        let feed = FeedStatus(
            feed: try #require(FeedID("shop")), title: nil, adapter: "json", url: "https://example.test/",
            state: .active, progress: progress, freshUntil: Timestamp(seconds: freshUntil), nextDue: nil,
            dueRule: "every", inFlight: false, store: StoredCounts(epoch: Epoch(epoch)), alarms: [])
        return FeedStamp(feed, epoch: Epoch(epoch), seq: seq)
    }

    @Test("is everything that the answer tells")
    func differs() throws {
        let others = [
            try stamp(seq: 8), try stamp(seq: 6), try stamp(epoch: 2), try stamp(success: 91),
            try stamp(freshUntil: 201), try stamp(failure: "http-503"),
        ]
        #expect(try stamp() == stamp())
        for other in others { #expect(try stamp() != other) }
    }
}
