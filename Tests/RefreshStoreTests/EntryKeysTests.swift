import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@testable import RefreshStore

/// A syndication feed as its upstream writes it, and how it is stored.
private struct Publisher {
    let bench: Bench
    var isWritingUpdates = false

    init() throws { bench = try Bench() }

    /// Reads and stores a document with an entry for each number, as the next pass would.
    ///
    /// - Parameter id: the entry's id; nil where it has none.
    @discardableResult func publish(
        _ numbers: Range<Int>, text: String = "", updated: String? = nil, forced: KeyLevel? = nil,
        after pause: Duration = .seconds(60), keep: Int = 1_000, id: (Int) -> String?
    ) throws -> CommitOutcome {
        let items = numbers.map { number in
            let guid = id(number).map { "<guid isPermaLink='false'>\($0)</guid>" } ?? ""
            let date = updated.map { "<atom:updated>\($0)</atom:updated>" } ?? ""
            return "<item>\(guid)<link>https://example.org/\(number)</link><title>t\(number)</title>"
                + "\(date)<description>words \(text)</description></item>"
        }
        let rss =
            "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>f</title>"
            + items.joined() + "</channel></rss>"
        let document = try SyndicationRecords.page(
            of: PaddedBytes(rss), base: nil, keys: bench.progress.entryKeys.policy(forced: forced))
        bench.now = bench.now + pause
        var retention = bench.retention
        retention.count = keep
        var commit = PassCommit(
            feed: bench.feed, at: bench.now, progress: bench.progress, page: document.page,
            retention: retention)
        commit.keyLevel = document.keyLevel
        let outcome = try bench.perform(commit)
        bench.progress = outcome.progress
        return outcome
    }

    /// The live items as `key = rev`, in the order of their keys.
    func items() throws -> [String] {
        var items: [String] = []
        try bench.reader().items(of: bench.feed, after: nil) { row in
            items.append("\(row.key.text)=\(row.rev)")
            return true
        }
        return items.sorted()
    }
}

@Suite("A feed whose keys become others") struct EntryKeysTests {
    /// A client that only ever applies what it is told.
    private struct Replica {
        var revisions: [String: Int64] = [:]
        var since: Seq = 0
        var created = 0

        mutating func catchUp(_ bench: Bench) throws {
            var created = 0
            var revisions = revisions
            let end = try bench.reader().tellChanges(of: bench.feed, since: since, limit: 10_000) { change in
                if change.row.deleted == nil {
                    revisions[change.row.key.text] = change.row.rev
                    if change.isCreated { created += 1 }
                } else {
                    revisions[change.row.key.text] = nil
                }
                return true
            }
            (self.revisions, self.created, since) = (revisions, created, end.reached)
        }

        func isLike(_ publisher: Publisher) throws -> Bool {
            try revisions.map { "\($0)=\($1)" }.sorted() == publisher.items()
        }
    }

    @Test("goes on under a new scheme of ids: nothing is new, and the old keys say what replaced them")
    func newScheme() throws {
        let publisher = try Publisher()
        var replica = Replica()
        try publisher.publish(0..<10) { "a\($0)" }
        try replica.catchUp(publisher.bench)
        #expect(replica.created == 10)
        let outcome = try publisher.publish(0..<10) { "b\($0)" }
        #expect(outcome.counts.added == 0)
        #expect(outcome.store.items == 10)
        #expect(outcome.progress.entryKeys.churns == 1)
        try replica.catchUp(publisher.bench)
        #expect(replica.created == 0)
        #expect(try replica.isLike(publisher))
        #expect(try publisher.items().first == "b0=2")
        try publisher.bench.reader().item(of: publisher.bench.feed, key: RecordKey("a3")) { row in
            #expect(row.deleted == .replaced)
            #expect(row.alias == RecordKey("b3"))
        }
        try publisher.bench.reader().item(of: publisher.bench.feed, key: RecordKey("b3")) { row in
            #expect(row.alias == RecordKey("a3"))
            #expect(row.createdSeq <= 10)
        }
        // Now its ids hold, and all is well again.
        let next = try publisher.publish(0..<10) { "b\($0)" }
        #expect(next.progress.entryKeys == EntryKeys())
        #expect(next.counts.isEmpty)
    }

    @Test("that makes up its ids with every document is told apart without them from the second time on")
    func madeUpIDs() throws {
        let publisher = try Publisher()
        var replica = Replica()
        var created = 0
        for round in 0..<8 {
            let outcome = try publisher.publish(0..<10) { "\(round)-\($0)" }
            try replica.catchUp(publisher.bench)
            #expect(try replica.isLike(publisher))
            #expect(outcome.store.items == 10)
            created += replica.created
            if round >= 4 { #expect(outcome.counts.removed == 0 && outcome.counts.added == 0) }
        }
        #expect(created == 10)
        #expect(publisher.bench.progress.entryKeys.level == .link)
        #expect(publisher.bench.progress.entryKeys.churns == EntryKeys.mostChurns)
        #expect(try publisher.items().allSatisfy { $0.hasPrefix("https://example.org/") })
        // The id is part of the record: with a new one each is changed, until that is one change too many.
        let before = try #require(try publisher.bench.head()).seq
        for round in 8..<40 { try publisher.publish(0..<10) { "\(round)-\($0)" } }
        let quiet = try publisher.publish(0..<10) { "x-\($0)" }
        #expect(quiet.counts.isEmpty)
        #expect(try #require(try publisher.bench.head()).seq - before <= 240)
    }

    @Test("may take turns between two schemes, and comes back to keys that were replaced")
    func takesTurns() throws {
        let publisher = try Publisher()
        var replica = Replica()
        try publisher.publish(0..<10) { "a\($0)" }
        try replica.catchUp(publisher.bench)
        try publisher.publish(0..<10) { "b\($0)" }
        try publisher.publish(0..<10) { "a\($0)" }
        try replica.catchUp(publisher.bench)
        #expect(try replica.isLike(publisher))
        #expect(try publisher.items() == (0..<10).map { "a\($0)=3" })
        var fresh = Replica()
        try fresh.catchUp(publisher.bench)
        #expect(try fresh.isLike(publisher))
    }

    @Test("with new entries is believed; other ids show in one with more than is kept, too")
    func windows() throws {
        let publisher = try Publisher()
        try publisher.publish(0..<10) { "a\($0)" }
        let fresh = try publisher.publish(10..<20) { "a\($0)" }
        #expect(fresh.counts.added == 10)
        #expect(fresh.progress.entryKeys.churns == 0)
        let long = try Publisher()
        try long.publish(0..<100, keep: 20) { "a\($0)" }
        let churned = try long.publish(0..<100, keep: 20) { "b\($0)" }
        #expect(churned.progress.entryKeys.churns == 1)
        #expect(churned.store.items == 20)
    }

    @Test("whose level falls has its stored items re-keyed; the configuration can raise it again")
    func levels() throws {
        let publisher = try Publisher()
        var replica = Replica()
        try publisher.publish(0..<10) { "a\($0)" }
        try replica.catchUp(publisher.bench)
        // Ids that several entries share are of no use.
        let fallen = try publisher.publish(0..<10) { "a\($0 / 5)" }
        #expect(fallen.progress.entryKeys.level == .link)
        #expect(fallen.counts.added == 0)
        #expect(fallen.store.items == 10)
        #expect(try publisher.items().allSatisfy { $0.hasPrefix("https://example.org/") })
        try replica.catchUp(publisher.bench)
        #expect(replica.created == 0)
        #expect(try replica.isLike(publisher))
        let better = try publisher.publish(0..<10) { "a\($0)" }
        #expect(better.progress.entryKeys.level == .link)
        let forced = try publisher.publish(0..<10, forced: .id) { "a\($0)" }
        #expect(forced.progress.entryKeys.level == .id)
        #expect(try publisher.items().allSatisfy { $0.hasPrefix("a") })
        try replica.catchUp(publisher.bench)
        #expect(try replica.isLike(publisher))
        #expect(try #require(try publisher.bench.head()).digest == digest(replica.revisions))
    }

    private func digest(_ revisions: [String: Int64]) -> ChangeDigest {
        var digest = ChangeDigest()
        for (key, rev) in revisions { digest.add(RecordKey(key), rev: rev) }
        return digest
    }

    @Test("keeps what it knows over a restart")
    func restarts() throws {
        let publisher = try Publisher()
        try publisher.publish(0..<10) { "a\($0)" }
        try publisher.publish(0..<10) { "b\($0)" }
        try publisher.bench.restart()
        let loaded = try publisher.bench.writer.load([publisher.bench.feed])
        #expect(loaded[publisher.bench.feed]?.0.entryKeys.churns == 1)
        try publisher.publish(0..<10) { "c\($0)" }
        #expect(publisher.bench.progress.entryKeys.churns == 2)
        try publisher.publish(0..<10) { "d\($0)" }
        #expect(publisher.bench.progress.entryKeys.level == .link)
    }

    @Test("whose text flaps tells of it 24 times, then once a day, and loses nothing")
    func flaps() throws {
        let publisher = try Publisher()
        try publisher.publish(0..<1) { "a\($0)" }
        var told = 0
        for round in 0..<30 {
            told += try publisher.publish(0..<1, text: "\(round)") { "a\($0)" }.counts.changed
        }
        #expect(told == QuietChanges.free)
        #expect(publisher.bench.progress.entryKeys.holdsBack)
        #expect(publisher.bench.progress.bodyHash == nil)
        // Its passes go on to be watched, so that the alarm stays.
        let alarms = try publisher.publish(0..<1, text: "x") { "a\($0)" }.store.alarms
        #expect(alarms.contains { $0.hasPrefix("flapping: ") && $0.contains("$.") })
        // A new date is news at any time.
        let dated = try publisher.publish(0..<1, text: "y", updated: "2026-01-01T00:00:00Z") { "a\($0)" }
        #expect(dated.counts.changed == 1)
        #expect(!publisher.bench.progress.entryKeys.holdsBack)
        #expect(
            try publisher.publish(0..<1, text: "z", updated: "2026-01-01T00:00:00Z") { "a\($0)" }.counts
                .isEmpty)
        let later = try publisher.publish(
            0..<1, text: "z", updated: "2026-01-01T00:00:00Z", after: .seconds(86_401)
        ) { "a\($0)" }
        #expect(later.counts.changed == 1)
        #expect(!publisher.bench.progress.entryKeys.holdsBack)
    }
}

@Suite("Reports about keeping a feed's entries") struct FeedReportStoreTests {
    // feedbin/support#580, mediathekview/mediathekviewweb#258, FreshRSS/FreshRSS#5909, #5210: new ids with each fetch,
    // and hundreds of new entries.
    @Test("the same ten items under random ids are never new")
    func randomIDs() throws {
        let publisher = try Publisher()
        var random = Randomness(seed: 5)
        try publisher.publish(0..<10) { _ in "\(random.next())" }
        for _ in 0..<6 {
            let outcome = try publisher.publish(0..<10) { _ in "\(random.next())" }
            #expect(outcome.counts.added == 0)
            #expect(outcome.store.items == 10)
        }
    }

    // FreshRSS/FreshRSS#4401, #3532; newsboat/newsboat#1419; ReadYouApp/ReadYou#696; martinrotter/rssguard#951: what
    // was purged comes back as new. Athou/commafeed#1486: the same, when it was edited.
    @Test("of three hundred entries a hundred are kept, and the others stay out, edited or not")
    func purged() throws {
        let publisher = try Publisher()
        try publisher.publish(0..<300, keep: 100) { "a\($0)" }
        let seq = try #require(try publisher.bench.head()).seq
        let again = try publisher.publish(0..<300, keep: 100) { "a\($0)" }
        #expect(again.counts.isEmpty)
        #expect(again.store.items == 100)
        let edited = try publisher.publish(0..<300, text: "edited", keep: 100) { "a\($0)" }
        #expect(edited.counts.added == 0)
        #expect(edited.counts.changed == 100)
        #expect(edited.store.items == 100)
        let log = try publisher.bench.log(since: seq)
        #expect(log.count == 100)
    }

    // RSSNext/Folo#984, newsboat/newsboat#2871: an entry of the future stays on top.
    @Test("an entry of the future stands where it was first seen")
    func future() throws {
        let bench = try Bench()
        let far: Int64 = 4_070_908_800
        try bench.pass([Sample("far", order: far)], complete: false, newestFirst: true)
        try bench.pass(
            [Sample("new", order: bench.now.microseconds / 1_000_000 + 30), Sample("far", order: far)],
            complete: false,
            newestFirst: true)
        #expect(try bench.order() == ["new", "far"])
    }
}
