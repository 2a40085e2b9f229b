import RefreshCore
import TestSupport
import Testing

@testable import RefreshStore

/// A kill leaves what the files hold at that moment, so a copy of them stands for one.
@Suite("Durability") struct DurabilityTests {
    /// The files of `bench` as they lie, opened elsewhere.
    private func killed(_ bench: Bench) throws -> Bench {
        let folder = TemporaryFolder()
        for name in ["cache.sqlite3", "cache.sqlite3-wal"] {
            guard let bytes = readFile(bench.folder.path(name)) else { continue }
            try writeFile(bytes, to: folder.path(name))
        }
        return try Bench(in: folder)
    }

    @Test("what was committed is there after a kill, with the progress that was stored beside it")
    func committed() throws {
        let bench = try Bench()
        for round in 1...5 {
            bench.progress.failures = round
            bench.progress.validators = Validators(etag: "\"\(round)\"")
            try bench.pass((1...50).map { Sample("k\($0)", "\($0 % round)") })
            let copy = try killed(bench)
            #expect(try copy.head() == bench.head())
            #expect(try copy.log() == bench.log())
            let progress = try copy.writer.load([copy.feed])[copy.feed]?.0
            #expect(progress?.validators.etag == "\"\(round)\"")
            #expect(progress?.failures == round)
        }
    }

    @Test("nothing is there of a pass that was under way") func underWay() throws {
        let bench = try Bench()
        try bench.pass([Sample("a", "1")])
        let before = try bench.head()
        let connection = try Connection.open(bench.folder.path("cache.sqlite3"), for: .write)
        // A small cache makes SQLite write pages into the log before the commit.
        try connection.execute("PRAGMA cache_size = 5; BEGIN IMMEDIATE")
        let feeds = try FeedTable(connection)
        let row = try #require(try feeds.row(of: bench.feed))
        let page = Sample.page((1...2_000).map { Sample("k\($0)", String(repeating: "x", count: 400)) })
        let commit = PassCommit(
            feed: bench.feed, at: bench.now, progress: FeedProgress(), page: page, complete: true,
            absent: .gone, retention: Retention(count: 10_000))
        let tools = PassWriter.Tools(
            items: try ItemTable(connection), ranges: try ItemRanges(connection), judge: RecordJudge(),
            documents: try DocumentTable(connection))
        var pass = PassWriter(commit, feed: row, marks: nil, tools: tools)
        try feeds.save(try pass.run().feed)
        #expect(readFile(bench.folder.path("cache.sqlite3-wal")).map { $0.count > 500_000 } == true)
        let copy = try killed(bench)
        #expect(try copy.head() == before)
        #expect(try copy.log() == ["1 a=1"])
    }

    /// Every field set to what it is not at the beginning.
    private func fullProgress() -> FeedProgress {
        var progress = FeedProgress()
        (progress.due, progress.lastAttempt) = (Timestamp(microseconds: 11), Timestamp(microseconds: -12))
        (progress.lastDone, progress.lastSuccess) = (Timestamp(microseconds: 13), Timestamp(microseconds: 14))
        progress.lastChange = Timestamp(microseconds: 15)
        progress.failures = 3
        progress.tally.add(status: 429, bytes: 5, took: .milliseconds(6), isFailure: true)
        progress.failure = FailureNote(
            RefreshFailure(
                .rate, code: "http-429", detail: "slow\0down", status: 429, retryAfter: .milliseconds(1_500)),
            at: Timestamp(microseconds: 16))
        progress.validators = Validators(etag: "W/\"é\"", lastModified: "Mon, 01 Jan 2024 00:00:00 +0000")
        progress.validatorScope = .max
        progress.checkpoint = Checkpoint(text: #"{"page":"2"}"#, scope: .max - 1)
        progress.suspect = "20 of 40 items were missing and were kept"
        progress.dueRule = .hintFeed
        progress.lastFull = Timestamp(microseconds: 11)
        progress.bodyHash = ContentHash(high: .max, low: 7)
        progress.rhythm = Rhythm(changes: 3, gapSeconds: 1.0 / 3, changedAt: Timestamp(microseconds: 12))
        progress.httpHint = .expiring(.seconds(60))
        progress.staleRules = StaleRules(
            whileRevalidating: .seconds(30), onError: .milliseconds(90), mustRevalidate: true)
        var hints = FeedHints()
        hints.interval = .seconds(3_600)
        hints.skipHours = [0, 23]
        hints.skipDays = [6]
        hints.publishedGap = .seconds(90)
        progress.feedHints = hints
        progress.gone = GoneMark(since: Timestamp(microseconds: 13), checks: 2)
        progress.redirects = (try? WebURL(parsing: "https://a.example/new")).map {
            RedirectMemory(
                target: $0, count: 2, since: Timestamp(microseconds: 14), isAdopted: true,
                originalAsked: Timestamp(microseconds: 15))
        }
        progress.tagDistrusted = Timestamp(microseconds: 16)
        progress.lastForced = Timestamp(microseconds: 17)
        progress.fullAsked = Timestamp(microseconds: 18)
        progress.crashes = 2
        progress.entryKeys.level = .linkDate
        progress.entryKeys.churns = 3
        progress.entryKeys.holdsBack = true
        return progress
    }

    @Test("progress comes back as it was stored, every field of it") func progress() throws {
        let progress = fullProgress()
        let fresh = Mirror(reflecting: FeedProgress()).children.map { "\($0.value)" }
        for (child, atFirst) in zip(Mirror(reflecting: progress).children, fresh) {
            #expect("\(child.value)" != atFirst, "\(child.label ?? "") is not covered here")
        }
        #expect(ProgressCoding.progress(ProgressCoding.bytes(progress)) == progress)
        #expect(ProgressCoding.progress(ProgressCoding.bytes(FeedProgress())) == FeedProgress())
    }

    @Test("members of a newer program are left out, and a text that is none is a beginning")
    func unknownProgress() {
        var due = FeedProgress()
        due.due = Timestamp(microseconds: 5)
        #expect(ProgressCoding.progress(Array(#"{"due":5,"colour":{"x":[1]}}"#.utf8)) == due)
        for text in ["", "[]", "{", "\0", #"{"due":"x","failure":7}"#] {
            #expect(ProgressCoding.progress(Array(text.utf8)) == FeedProgress())
        }
    }

    @Test("progress is stored with the pass that it speaks of") func storedProgress() throws {
        let bench = try Bench()
        var progress = fullProgress()
        (progress.lastChange, progress.suspect) = (nil, nil)
        progress.entryKeys = EntryKeys()
        let commit = PassCommit(
            feed: bench.feed, at: bench.now, progress: progress, retention: Retention(count: 1))
        #expect(try bench.perform(commit).progress == progress)
        #expect(try bench.writer.load([bench.feed])[bench.feed]?.0 == progress)
        #expect(try bench.perform(commit).counts == RefreshCounts())
    }
}
