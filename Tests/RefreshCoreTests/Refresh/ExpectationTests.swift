import RefreshCore
import Testing

@Suite("A feed that is expected to bring something") struct ExpectationTests {
    private func feed(expect: Duration?) throws -> Feed {
        var feed = Feed(
            id: Samples.feed("shop"), adapter: .json, schedule: Schedule(every: .seconds(300)),
            request: RequestPlan(url: try WebURL(parsing: "https://a.example/")), records: RecordsPlan(),
            retention: Retention(count: 10), absent: .keep)
        feed.expect = expect
        feed.tags = ["prices", "eu"]
        return feed
    }

    @Test("raises an alarm when no good pass came for so long, and the next one ends it")
    func alarms() throws {
        let feed = try feed(expect: .seconds(3_600))
        let machine = Samples.machine(progress: Samples.progress(succeededAt: 0))
        let status = machine.status(of: feed)
        #expect(status.alarms(at: Samples.moment(3_599).wall) == [])
        let late = status.alarms(at: Samples.moment(3_600).wall)
        #expect(late == ["expect: no good pass since 2026-01-01T00:00:00Z"])
        let again = Samples.machine(progress: Samples.progress(succeededAt: 3_700))
        #expect(again.status(of: feed).alarms(at: Samples.moment(3_701).wall) == [])
    }

    @Test("counts from when it is known as long as it brought nothing at all")
    func firstPass() throws {
        let feed = try feed(expect: .seconds(60))
        let status = Samples.machine().status(of: feed, known: Samples.start.wall)
        #expect(status.alarms(at: Samples.moment(59).wall) == [])
        #expect(status.alarms(at: Samples.moment(60).wall) == ["expect: no good pass"])
    }

    @Test("is not expected while it is disabled, nor where nobody said so")
    func none() throws {
        let old = Samples.progress(succeededAt: -100_000)
        let disabled = Samples.machine(enabled: false, progress: old)
        #expect(disabled.status(of: try feed(expect: .seconds(60))).alarms(at: Samples.start.wall) == [])
        let free = Samples.machine(progress: old).status(of: try feed(expect: nil))
        #expect(free.alarms(at: Samples.start.wall) == [])
        #expect(free.tags == ["prices", "eu"])
    }
}

@Suite("What is counted of a feed's passes") struct PassTallyTests {
    @Test("tells of the last one and counts them all, in a text of its own")
    func counts() {
        var tally = PassTally()
        #expect(tally.text == nil)
        tally.add(status: 200, bytes: 1_234, took: .milliseconds(56), isFailure: false)
        tally.add(status: nil, bytes: 0, took: .seconds(7), isFailure: true)
        #expect(tally.text == "2 1 0 0 7000")
        tally.add(status: 503, bytes: Int.max, took: .seconds(1_000_000_000), isFailure: true)
        #expect(tally.passes == 3 && tally.failed == 2 && tally.status == 503)
        #expect(tally.bytes == .max && tally.milliseconds == .max)
        #expect(PassTally(text: tally.text ?? "") == tally)
    }

    @Test("reads a text that is cut or damaged as far as it goes", arguments: ["", "4", "4 x 99999999 1"])
    func damaged(text: String) {
        let tally = PassTally(text: text)
        #expect(tally.passes == (text.isEmpty ? 0 : 4) && tally.failed == 0)
        #expect(tally.status == (text.count > 5 ? .max : 0))
    }
}

@Suite("A failure of somebody else's") struct SettledFailureTests {
    @Test("delays the feed for as long as is asked for there, and holds nothing of the feed's own origin")
    func settled() throws {
        var failure = RefreshFailure(
            .rate, code: "http-429", detail: "429", status: 429, retryAfter: .seconds(4_000))
        failure.isSettled = true
        var origin = OriginProgress()
        for _ in 0..<4 { origin.asked(nil, at: Samples.start.wall) }
        var machine = Samples.machine()
        let isDue = machine.tick(at: Samples.start)
        #expect(isDue)
        let taken = machine.take(at: Samples.start, origin: origin, chance: 0)
        let order = try #require(taken)
        let progress = order.failed(failure, at: Samples.moment(1))
        // Not the hour and more that a fifth refusal of the feed's own origin would mean.
        #expect(progress.due == Samples.moment(4_001).wall)
        #expect(progress.dueRule == .retryAfter)
    }
}
