import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Runs through parents") struct ParentRunTests {
    private func rig(changedOnly: Bool, incremental kind: IncrementalPlan.ValueKind? = nil) throws -> PassRig
    {
        let feed = try #require(FeedID("stores"))
        let cursor = try JSONPath(parsing: "at")
        var rig = try PassRig {
            var parent = ParentPlan(feed: feed)
            parent.changedOnly = changedOnly
            $0.parent = parent
            if let kind {
                var field = IncrementalPlan.Field(cursor: .json(cursor))
                field.kind = kind
                field.to = .param("since")
                $0.incremental = IncrementalPlan(kind: .field(field))
            }
        }
        rig.feed.request.urlTemplate = Template([
            .literal("https://a.example/"), .placeholder(.parent("id")),
        ])
        rig.feed.records.key = [
            .json(try JSONPath(parsing: "parent.id")), .json(try JSONPath(parsing: "id")),
        ]
        return rig
    }

    /// Parents named by their place, each with the place of its last change.
    private func list(_ items: [(Seq, Seq)], lastDeletion: Seq = 0, epoch: UInt64 = 7) -> ParentList {
        ParentList(
            epoch: epoch, seq: items.map(\.1).max() ?? 0, lastDeletion: lastDeletion,
            items: items.map {
                ParentItem(createdSeq: $0.0, seq: $0.1, fields: ["id": ScalarValue(Int($0.0))])
            })
    }

    private struct Outcome {
        var targets: [String] = []
        var done: PassDone?
        var failure: RefreshFailure?
        var checkpoint: Checkpoint? { done?.report.checkpoint }
    }

    private func run(
        _ rig: PassRig, _ list: ParentList, _ checkpoint: Checkpoint? = nil, after: Duration = .zero,
        _ answer: (String) -> TransferAnswer
    ) -> Outcome {
        let now = PassRig.now + after
        var run = ParentRun(rig.plan, list, checkpoint: checkpoint, now: now)
        let plan = rig.plan.ofSubPasses(isIncremental: run.isIncremental)
        var outcome = Outcome()
        while let sub = run.next(random: Randomness(seed: 1)) {
            var machine = PassMachine(plan, start: sub.start)
            guard case .ask(let request) = machine.begin() else { return outcome }
            outcome.targets.append(request.url.requestTarget)
            let effect = machine.answered(answer(request.url.path), took: .zero, now: now)
            guard case .finish(let end) = effect, run.ended(sub, machine, end) else { return outcome }
        }
        switch run.finish() {
        case .success(let done): outcome.done = done
        case .failure(let failure): outcome.failure = failure
        }
        return outcome
    }

    @Test("go through all at first, then through those that changed, and all again when one is gone")
    func changedOnly() throws {
        let rig = try rig(changedOnly: true)
        func run(_ list: ParentList, _ checkpoint: Checkpoint?, after: Duration = .zero) -> Outcome {
            self.run(rig, list, checkpoint, after: after) { _ in PassRig.answer(#"[{"id":1}]"#) }
        }
        let first = run(list([(1, 1), (2, 5)]), nil)
        #expect(first.targets == ["/1", "/2"])
        #expect(first.done?.isComplete == true)
        let second = run(list([(1, 6), (2, 5), (7, 7)]), first.checkpoint)
        #expect(second.targets == ["/1", "/7"])
        #expect(second.done?.isComplete == false)
        #expect(run(list([(1, 6), (7, 7)]), second.checkpoint).targets == [])
        let gone = run(list([(1, 6), (7, 7)], lastDeletion: 8), second.checkpoint)
        #expect(gone.targets == ["/1", "/7"])
        #expect(gone.done?.isComplete == true)
        let later = run(list([(1, 6), (7, 7)]), second.checkpoint, after: .seconds(90_000))
        #expect(later.done?.isComplete == true)
        #expect(run(list([(1, 1), (2, 5)], epoch: 8), first.checkpoint).targets == ["/1", "/2"])
    }

    @Test("a parent without a list has no children; one that is refused holds up none of the others")
    func oneFails() throws {
        let rig = try rig(changedOnly: true)
        func run(_ status: Int) -> Outcome {
            self.run(rig, list([(1, 1), (2, 2)])) {
                $0 == "/1" ? PassRig.answer("", status: status) : PassRig.answer(#"[{"id":1}]"#)
            }
        }
        #expect(run(404).done?.isComplete == true)
        let refused = run(403)
        #expect(refused.targets == ["/1", "/2"])
        #expect(refused.done?.isComplete == false)
        #expect(refused.done?.report.warnings == ["parent_failed"])
        // What failed is tried again, although its parent has not changed.
        let again = self.run(rig, list([(1, 1), (2, 2)]), refused.checkpoint) { _ in PassRig.answer("[]") }
        #expect(again.targets == ["/1", "/2"])
        #expect(run(503).done == nil)
        let all = self.run(rig, list([(1, 1)])) { _ in PassRig.answer("", status: 403) }
        #expect(all.failure?.status == 403)
    }

    @Test("one key serves all, and goes no further than what the first list can vouch for")
    func sharedKey() throws {
        let numbers = try rig(changedOnly: false, incremental: .int)
        let stores = list([(1, 1), (2, 2)])
        let first = run(numbers, stores) {
            PassRig.answer($0 == "/1" ? #"[{"id":1,"at":100}]"# : #"[{"id":1,"at":110}]"#)
        }
        #expect(first.done?.isComplete == true)
        // A row 105 may have come into the first list after it was read.
        let second = run(numbers, list([(1, 1), (2, 2), (9, 9)]), first.checkpoint) { _ in
            PassRig.answer("[]")
        }
        #expect(second.targets == ["/1?since=100", "/2?since=100", "/9"])
        #expect(second.done?.isComplete == false)

        let times = try rig(changedOnly: false, incremental: .rfc3339)
        let dated = run(times, stores) { path in
            PassRig.answer(
                #"[{"id":1,"at":"2025-12-31T1\#(path.dropFirst()):00:00Z"}]"#,
                headers: [("Date", PassRig.now.httpDate)])
        }
        let next = run(times, stores, dated.checkpoint) { _ in PassRig.answer("[]") }
        #expect(next.targets.allSatisfy { $0.hasSuffix("?since=2025-12-31T11%3A59%3A55Z") })
    }

    @Test("the upstream's own time serves all, as of the first list's answer; a token belongs to its list")
    func otherKeys() throws {
        var time = IncrementalPlan.ServerTime(next: .header("X-Now"))
        time.kind = .epoch
        time.to = .param("since")
        var token = IncrementalPlan.Token(next: .header("X-Now"))
        token.to = .param("since")
        let stores = list([(1, 1), (2, 2)])
        for (kind, asked) in [
            (IncrementalPlan.Kind.serverTime(time), ["/1?since=1767225655", "/2?since=1767225655"]),
            (.token(token), ["/1", "/2"]),
        ] {
            var rig = try rig(changedOnly: false)
            var details = rig.feed.details.value
            details.incremental = IncrementalPlan(kind: kind)
            rig.feed.details = Shared(details)
            var clock = 1_767_225_600
            let first = run(rig, stores) { _ in
                clock += 60
                return PassRig.answer(#"[{"id":1}]"#, headers: [("X-Now", "\(clock)")])
            }
            #expect(first.done?.isComplete == true)
            #expect(run(rig, stores, first.checkpoint) { _ in PassRig.answer("[]") }.targets == asked)
        }
    }

    @Test("what failed before an interruption is asked again by the run that goes on")
    func failedBeforeInterruption() throws {
        let rig = try rig(changedOnly: true)
        let stores = list([(1, 1), (2, 2), (3, 3)])
        var run = ParentRun(rig.plan, stores, checkpoint: nil, now: PassRig.now)
        for status in [200, 403, 200] {
            let next = run.next(random: Randomness(seed: 1))
            let sub = try #require(next)
            var machine = PassMachine(rig.plan, start: sub.start)
            _ = machine.begin()
            let answer = PassRig.answer("[]", status: status)
            guard case .finish(let end) = machine.answered(answer, took: .zero, now: PassRig.now) else {
                return
            }
            let goesOn = run.ended(sub, machine, end)
            #expect(goesOn)
        }
        #expect(
            self.run(rig, stores, run.checkpoint()) { _ in PassRig.answer("[]") }.targets == ["/2", "/3"])
    }
}
