import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Group commit") struct GroupCommitTests {
    private func commit(_ feed: String, _ records: [Sample]) -> PassCommit {
        PassCommit(
            feed: Bench.feed(feed), at: Timestamp(seconds: 1_767_225_600), progress: FeedProgress(),
            page: Sample.page(records), retention: Retention(count: 10_000))
    }

    @Test("undoes a pass that fails and none of its neighbours") func oneBadPass() throws {
        let bench = try Bench()
        let tooLong = String(repeating: "x", count: RecordKey.longest + 1)
        let results = bench.writer.perform([
            commit("one", [Sample("a")]), commit("two", [Sample("a"), Sample(tooLong), Sample("b")]),
            commit("three", [Sample("a"), Sample("b")]),
        ])
        #expect(try results[0].get().counts.added == 1)
        #expect(throws: StoreFailure.self) { try results[1].get() }
        #expect(try results[2].get().counts.added == 2)
        let reader = try bench.reader()
        #expect(try reader.head(of: Bench.feed("one"))?.items == 1)
        #expect(try reader.head(of: Bench.feed("two")) == nil)
        #expect(try reader.head(of: Bench.feed("three"))?.items == 2)
    }

    @Test("a full disk costs the pass that fills it, and heals without a restart") func fullDisk() throws {
        // Room for the tables and a few small passes.
        let bench = try Bench(limitedTo: .kibibytes(480))
        let huge = (0..<100).map { Sample("h\($0)", String(repeating: "x", count: 8_000)) }
        let results = bench.writer.perform([
            commit("one", [Sample("a")]), commit("two", huge), commit("three", [Sample("b")]),
        ])
        #expect(try results[0].get().counts.added == 1)
        #expect(results[1].failure == .full)
        #expect(try results[2].get().counts.added == 1)
        #expect(try bench.writer.perform([commit("two", [Sample("c")])])[0].get().counts.added == 1)
        let reader = try bench.reader()
        for name in ["one", "two", "three"] {
            #expect(try reader.head(of: Bench.feed(name))?.items == 1)
        }
    }

    @Test("passes of one feed in one group build on each other") func sameFeed() throws {
        let bench = try Bench()
        let results = bench.writer.perform([
            commit("shop", [Sample("a", "1")]), commit("shop", [Sample("a", "2")]),
            commit("shop", [Sample("a", "2"), Sample("b")]),
        ])
        #expect(try results.map { try $0.get().store.seq } == [1, 2, 3])
        #expect(try bench.log() == ["2 a=2", "3 b=1"])
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
