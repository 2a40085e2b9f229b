import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Incremental passes") struct IncrementalTests {
    private static func field(
        _ change: (inout IncrementalPlan.Field) -> Void = { _ in }
    ) -> IncrementalPlan.Kind {
        var field = IncrementalPlan.Field(cursor: .json(JSONPath([.name(Array("at".utf8))])))
        field.to = .param("since")
        change(&field)
        return .field(field)
    }

    private func rig(
        fullEvery: Duration? = .seconds(86_400), _ change: (inout IncrementalPlan.Field) -> Void = { _ in },
        paging: PagingPlan = PagingPlan()
    ) throws -> PassRig {
        try PassRig {
            $0.incremental = IncrementalPlan(kind: Self.field(change), fullEvery: fullEvery)
            $0.paging = paging
        }
    }

    private func row(_ id: Int, _ at: String) -> String { "{\"id\":\(id),\"at\":\(at)}" }

    private func run(
        _ rig: PassRig, _ checkpoint: Checkpoint? = nil, after: Duration = .zero, rows: String = ""
    ) -> PassRun {
        let now = PassRig.now + after
        return rig.run(checkpoint: checkpoint, now: now) { _, _ in
            PassRig.answer(
                "[\(rows)]", headers: [("Date", now.httpDate)])
        }
    }

    // estuary/connectors#5205, dlt-hub/dlt#2269; airbytehq/airbyte#14732: rows of the boundary's time are skipped.
    @Test("ask again from the last value less the overlap")
    func overlap() throws {
        let rig = try rig()
        let first = run(rig, rows: row(1, "\"2025-12-31T10:00:00Z\""))
        #expect(first.targets == ["/list"])
        #expect(first.isComplete)
        let second = run(
            rig, first.checkpoint, after: .seconds(300), rows: row(2, "\"2025-12-31T10:00:00Z\""))
        #expect(second.query("since", 0) == "2025-12-31T09%3A59%3A55Z")
        #expect(second.keys == ["2"])
        #expect(!second.isComplete)
    }

    struct Scale: CustomTestStringConvertible {
        let kind: IncrementalPlan.ValueKind
        let bound: IncrementalPlan.Bound
        let values: [String]
        let asked: String
        var testDescription: String { "\(kind) \(bound) \(values)" }

        init(
            _ kind: IncrementalPlan.ValueKind, _ values: String..., bound: IncrementalPlan.Bound = .inclusive,
            asks asked: String
        ) {
            self.kind = kind
            self.bound = bound
            self.values = values
            self.asked = asked
        }
    }

    // airbytehq/airbyte#7962, dlt-hub/dlt#2169, #2483: cursors with other offsets compared as text.
    @Test(
        "values are compared by what they mean and sent as they came",
        arguments: [
            Scale(
                .rfc3339, "\"2024-12-13T16:00:00Z\"", "\"2024-12-13T12:20:29-05:00\"",
                asks: "2024-12-13T17%3A20%3A24Z"),
            Scale(.rfc3339, "\"2024-12-13T16:00:00Z\"", bound: .exclusive, asks: "2024-12-13T15%3A59%3A54Z"),
            Scale(.rfc3339, "\"2024-12-13T16:00:00\"", asks: "2024-12-13T15%3A59%3A55"),
            Scale(.rfc3339, "\"2024-12-13 16:00:00.5\"", asks: "2024-12-13T15%3A59%3A55.500"),
            Scale(.date, "\"2024-03-02\"", asks: "2024-02-29"),
            Scale(.epoch, "1700000010", "1700000009", asks: "1700000005"),
            Scale(.epoch, "\"1700000010\"", bound: .exclusive, asks: "1700000004"),
            Scale(.epochMilliseconds, "1700000010123", asks: "1700000005123"),
            Scale(.int, "9", "\"10\"", asks: "10"),
            Scale(.int, "9", "10", bound: .exclusive, asks: "9"),
            Scale(.int, "12345678901234567890123", asks: "12345678901234567890123"),
            Scale(.text, "\"b\"", "\"a\"", asks: "b"),
        ])
    func scales(_ item: Scale) throws {
        let rig = try rig {
            $0.kind = item.kind
            $0.bound = item.bound
        }
        let rows = item.values.enumerated().map { row($0.offset, $0.element) }.joined(separator: ",")
        let first = run(rig, rows: rows)
        #expect(run(rig, first.checkpoint).query("since", 0) == item.asked)
    }

    @Test("a written form is read and sent by its pattern, on the clock of its zone")
    func pattern() throws {
        let berlin = Zone(name: "X", rules: FixedOffset(seconds: 3_600))
        let rig = try rig {
            $0.kind = .format
            $0.format = "%d.%m.%Y %H:%M:%S"
            $0.zone = berlin
        }
        let first = run(rig, rows: row(1, "\"24.12.2025 18:00:01\""))
        #expect(run(rig, first.checkpoint).query("since", 0) == "24.12.2025%2017%3A59%3A56")
    }

    // dlt-hub/dlt#1571: one null cursor kills the run.
    @Test("a row without a value is kept, skipped or fails the pass, and moves nothing")
    func missing() throws {
        let rows = [row(1, "\"2025-12-31T10:00:00Z\""), row(2, "null"), "{\"id\":3}", row(4, "\"soon\"")]
        let all = rows.joined(separator: ",")
        let kept = try run(rig(), rows: all)
        #expect(kept.keys == ["1", "2", "3", "4"])
        #expect(kept.warnings == ["cursor_unreadable"])
        let skipping = try rig { $0.missing = .skip }
        let skipped = run(skipping, rows: all)
        #expect(skipped.keys == ["1", "4"])
        let failed = try run(rig { $0.missing = .fail }, rows: all)
        #expect(failed.failure?.code == "cursor-missing")
        for (rig, run) in [(try rig(), kept), (skipping, skipped)] {
            #expect(self.run(rig, run.checkpoint).query("since", 0) == "2025-12-31T09%3A59%3A55Z")
        }
    }

    // meltano/sdk#1750, #3040: no rows, and an empty state replaces the old one.
    @Test("a pass without rows keeps the key")
    func emptyPass() throws {
        let rig = try rig()
        let first = run(rig, rows: row(1, "\"2025-12-31T10:00:00Z\""))
        let second = run(rig, first.checkpoint, after: .seconds(60))
        let third = run(rig, second.checkpoint, after: .seconds(120))
        #expect(third.query("since", 0) == "2025-12-31T09%3A59%3A55Z")
    }

    @Test("the key never goes back, nor beyond the upstream's time when the pass began")
    func bounds() throws {
        let rig = try rig()
        let future = run(rig, rows: row(1, "\"2099-01-01T00:00:00Z\""))
        // 2026-01-01T00:00:00Z by the upstream's own clock.
        #expect(run(rig, future.checkpoint).query("since", 0) == "2025-12-31T23%3A59%3A55Z")
        let earlier = run(rig, future.checkpoint, rows: row(1, "\"2020-01-01T00:00:00Z\""))
        #expect(run(rig, earlier.checkpoint).query("since", 0) == "2025-12-31T23%3A59%3A55Z")
    }

    @Test("the time that a first answer took is taken off the upstream's time")
    func slowStart() throws {
        let rig = try rig()
        let first = rig.run(took: .seconds(40)) { _, _ in
            PassRig.answer(
                "[\(row(1, "\"2025-12-31T23:59:50Z\""))]", headers: [("Date", PassRig.now.httpDate)])
        }
        #expect(run(rig, first.checkpoint).query("since", 0) == "2025-12-31T23%3A59%3A15Z")
    }

    // dlt-hub/dlt#4030, meltano/sdk#2154: all rows share one stamp, and the state grows.
    @Test("what is kept does not grow with the rows")
    func stateIsSmall() throws {
        let rig = try rig()
        let rows = (1...1_000).map { row($0, "\"2025-12-31T10:00:00Z\"") }.joined(separator: ",")
        var checkpoint: Checkpoint?
        for _ in 0..<3 { checkpoint = run(rig, checkpoint, rows: rows).checkpoint }
        #expect((checkpoint?.text.utf8.count ?? .max) < 300)
    }

    @Test("everything is asked for again when it is time, and then absence means something")
    func fullEvery() throws {
        let rig = try rig(fullEvery: .seconds(600))
        let first = run(rig, rows: row(1, "\"2025-12-31T10:00:00Z\""))
        let second = run(rig, first.checkpoint, after: .seconds(599))
        #expect(second.query("since", 0) != nil)
        let third = run(
            rig, second.checkpoint, after: .seconds(601), rows: row(1, "\"2025-12-31T10:00:00Z\""))
        #expect(third.query("since", 0) == nil)
        #expect(third.isComplete)
        let fourth = run(rig, third.checkpoint, after: .seconds(700))
        #expect(fourth.query("since", 0) == "2025-12-31T09%3A59%3A55Z")
        let never = try self.rig(fullEvery: nil)
        #expect(run(never, first.checkpoint, after: .seconds(1_000_000)).query("since", 0) != nil)
    }

    @Test("a first pass begins where it is told to")
    func start() throws {
        let fixed = try rig { $0.start = .value("2024-01-01T00:00:00Z") }
        let first = run(fixed)
        #expect(first.query("since", 0) == "2024-01-01T00%3A00%3A00Z")
        #expect(first.isComplete)
        let sliding = try rig {
            $0.kind = .epochMilliseconds
            $0.start = .ago(.seconds(86_400))
        }
        let slid = run(sliding)
        #expect(slid.query("since", 0) == "1767139200000")
        // Of what is older nothing was asked: that it is absent means nothing.
        #expect(!slid.isComplete)
    }

    @Test("windows of a length are read one after another, up to the upstream's present")
    func windows() throws {
        let rig = try rig {
            $0.kind = .epoch
            $0.start = .value("1767052800")
            $0.step = .seconds(86_400)
            $0.untilTo = .param("until")
        }
        let first = rig.run { _, number in
            PassRig.answer(
                "[\(row(number, "1767052801"))]", headers: [("Date", (PassRig.now + .seconds(60)).httpDate)])
        }
        #expect(
            first.targets == [
                "/list?since=1767052800&until=1767139200", "/list?since=1767139200&until=1767225600",
                "/list?since=1767225600&until=1767312000",
            ])
        #expect(first.isComplete)
        #expect(run(rig, first.checkpoint).query("since", 0) == "1767225595")
    }

    // dlt-hub/dlt#4284: a batch of nulls ends the pass early.
    @Test("a list from the newest on is left at a real value below the bound, and not at nulls")
    func descending() throws {
        var paging = PagingPlan()
        paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
        let rig = try rig(
            {
                $0.order = .desc; $0.to = nil
            }, paging: paging)
        let pages = [
            row(9, "\"2025-12-31T10:00:00Z\""), row(8, "null"), row(7, "\"2025-12-31T09:00:00Z\""),
            row(6, "\"2025-12-30T09:00:00Z\""),
        ]
        func pass(_ checkpoint: Checkpoint?) -> PassRun {
            rig.run(checkpoint: checkpoint) { _, number in
                PassRig.answer(number > pages.count ? "[]" : "[\(pages[number - 1])]")
            }
        }
        let first = pass(nil)
        #expect(first.requests.count == 5)
        #expect(first.stop == .emptyPage)
        let second = pass(first.checkpoint)
        #expect(second.requests.count == 3)
        #expect(second.stop == .bound)
    }

    @Test(
        "rows in their order move the key at each page, others only with the last one",
        arguments: [(IncrementalPlan.Order.asc, "2025-12-31T09%3A59%3A57Z"), (.none, nil), (.desc, nil)]
            as [(IncrementalPlan.Order, String?)])
    func commitRule(order: IncrementalPlan.Order, asked: String?) throws {
        var paging = PagingPlan()
        paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
        let rig = try rig({ $0.order = order }, paging: paging)
        let cut = rig.run { _, number throws(RefreshFailure) in
            if number == 3 { throw RefreshFailure(.upstream, code: "cut", detail: "") }
            return PassRig.answer("[\(row(number, "\"2025-12-31T10:00:0\(number)Z\""))]")
        }
        #expect(cut.failure?.code == "cut")
        // Older than `resume`: the pass begins again.
        let again = run(rig, cut.checkpoint, after: .seconds(700))
        #expect(again.query("since", 0) == asked)
    }

    // constructorfabric/insight#3172, airbytehq/airbyte#21500: an offset over a moving sort loses rows for good.
    @Test("behind numbered pages the key follows one pass later, so that what slipped past is met again")
    func shifting() throws {
        var paging = PagingPlan()
        paging.kind = .offset(to: .param("o"), start: 0, total: nil)
        let rig = try rig(
            {
                $0.kind = .int; $0.order = .asc
            }, paging: paging)
        var list = (1...2).map { (id: $0, at: $0) }
        func pass(_ checkpoint: Checkpoint?, losing: Int? = nil) -> PassRun {
            rig.run(checkpoint: checkpoint) { request, number in
                if number == 2, let losing { list.removeAll { $0.id == losing } }
                var run = PassRun()
                run.requests = [request]
                let since = run.query("since", 0).flatMap { Int($0) } ?? 0
                let rest = list.filter { $0.at >= since }.dropFirst(
                    run.query("o", 0).flatMap { Int($0) } ?? 0)
                return PassRig.answer(
                    "[\(rest.prefix(2).map { row($0.id, "\($0.at)") }.joined(separator: ","))]")
            }
        }
        let first = pass(nil)
        list += (3...6).map { (id: $0, at: $0) }
        // Asked from 2 on: 2 and 3, then 2 is gone, and 4 has slipped up past the offset.
        let second = pass(first.checkpoint, losing: 2)
        #expect(second.keys == ["2", "3", "5", "6"])
        let third = pass(second.checkpoint)
        #expect(third.keys == ["3", "4", "5", "6"])
        #expect(pass(third.checkpoint).query("since", 0) == "6")
    }

    // MARK: - Tokens

    private func tokenRig() throws -> PassRig {
        var token = IncrementalPlan.Token(next: try PassRig.body("sync"))
        token.to = .param("sync")
        return try PassRig(path: "items") {
            $0.incremental = IncrementalPlan(kind: .token(token), fullEvery: nil)
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("page"), alone: [])
        }
    }

    // U2, U4: the sync key counts only with the last page.
    @Test("a token is taken from the last page only, and sent with every page of the next pass")
    func token() throws {
        let rig = try tokenRig()
        let first = rig.run { _, number in
            PassRig.answer(
                number == 1
                    ? #"{"items":[{"id":1}],"next":"p2","sync":"wrong"}"#
                    : #"{"items":[{"id":2}],"sync":"S1"}"#)
        }
        #expect(first.targets == ["/list", "/list?page=p2"])
        #expect(first.isComplete)
        let second = rig.run(checkpoint: first.checkpoint) { _, number in
            PassRig.answer(number == 1 ? #"{"items":[],"next":"p2"}"# : #"{"items":[],"sync":"S2"}"#)
        }
        #expect(second.targets == ["/list?sync=S1", "/list?sync=S1&page=p2"])
        #expect(!second.isComplete)
        let third = rig.run(checkpoint: second.checkpoint) { _, _ in PassRig.answer(#"{"items":[]}"#) }
        #expect(third.targets == ["/list?sync=S2"])
        #expect(third.warnings == ["token_missing"])
        let fourth = rig.run(checkpoint: third.checkpoint) { _, _ in PassRig.answer(#"{"items":[]}"#) }
        #expect(fourth.targets == ["/list?sync=S2"])
    }

    // twentyhq/twenty#24095 (U11, U12): an upstream's 410 treated as an empty success.
    @Test("a refused token is forgotten first, then everything is read, with a sweep")
    func reset() throws {
        let rig = try tokenRig()
        let first = rig.run { _, _ in PassRig.answer(#"{"items":[{"id":1}],"sync":"S1"}"#) }
        let second = rig.run(checkpoint: first.checkpoint) { _, number in
            number == 1
                ? PassRig.answer("{}", status: 410) : PassRig.answer(#"{"items":[{"id":2}],"sync":"S2"}"#)
        }
        #expect(second.targets == ["/list?sync=S1", "/list"])
        #expect(second.pages.first?.records == nil)
        #expect(second.pages.first?.checkpoint?.text.contains("key") == false)
        #expect(second.isComplete)
        let stubborn = rig.run(checkpoint: first.checkpoint) { _, _ in PassRig.answer("{}", status: 410) }
        #expect(stubborn.requests.count == 2)
        #expect(stubborn.failure?.status == 410)
        #expect(stubborn.checkpoint?.text.contains("key") == false)
    }

    @Test("the upstream's time goes on from the first page's answer")
    func serverTime() throws {
        var time = IncrementalPlan.ServerTime(next: .header("Date"))
        time.to = .param("since")
        let rig = try PassRig {
            $0.incremental = IncrementalPlan(kind: .serverTime(time))
            $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
        }
        let first = rig.run { _, number in
            PassRig.answer(
                number == 1 ? #"[{"id":1}]"# : "[]",
                headers: [("Date", (PassRig.now + .seconds(number * 100)).httpDate)])
        }
        #expect(first.isComplete)
        let second = rig.run(checkpoint: first.checkpoint) { _, _ in PassRig.answer("[]") }
        #expect(second.query("since", 0) == "2026-01-01T00%3A01%3A35Z")
    }

    @Test("a checkpoint made for another request is worth nothing")
    func scope() throws {
        let rig = try rig()
        let first = run(rig, rows: row(1, "\"2025-12-31T10:00:00Z\""))
        var other = rig
        other.feed.request.params = [Param(name: "state", value: Template("open"))]
        #expect(run(other, first.checkpoint).query("since", 0) == nil)
        #expect(run(rig, first.checkpoint).query("since", 0) != nil)
        let damaged = first.checkpoint.map { Checkpoint(text: String($0.text.dropLast()), scope: $0.scope) }
        #expect(run(rig, damaged).query("since", 0) == nil)
    }
}
