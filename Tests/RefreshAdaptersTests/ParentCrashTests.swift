import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// Runs through parents, some of their lists beside each other, in a process that dies between any two steps while the
/// lists change between any two answers.
@Suite("Runs through parents that die") struct ParentCrashTests {
    enum Key: String, CaseIterable, CustomTestStringConvertible {
        /// Changed since a number that all lists count up together.
        case numbers
        /// Changed since, by rows' times with the upstream's clock in the head.
        case times
        /// Changed since the upstream's own time.
        case serverTime
        /// Everything each time.
        case whole

        var testDescription: String { rawValue }
    }

    private static func rig(_ key: Key, concurrent: Int) throws -> PassRig {
        var field = IncrementalPlan.Field(cursor: .json(try JSONPath(parsing: "at")))
        field.kind = key == .times ? .epoch : .int
        field.to = .param("since")
        field.overlap = .zero
        var time = IncrementalPlan.ServerTime(next: .header("X-Now"))
        time.kind = .epoch
        time.to = .param("since")
        time.overlap = .zero
        var parent = ParentPlan(feed: try #require(FeedID("stores")))
        parent.changedOnly = false
        parent.concurrent = concurrent
        var rig = try PassRig(path: "items") {
            $0.parent = parent
            $0.paging.kind = .cursor(
                next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("after"), alone: [])
            switch key {
            case .numbers, .times: $0.incremental = IncrementalPlan(kind: .field(field), fullEvery: nil)
            case .serverTime: $0.incremental = IncrementalPlan(kind: .serverTime(time), fullEvery: nil)
            case .whole: break
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

    private struct World {
        let plan: PassPlan
        let list: ParentList
        var random: Randomness
        /// The rows of each parent by their ids, with when they changed last.
        var rows: [[Int: Int]]
        /// Goes up with every change, and is the upstream's clock.
        var clock = 1_000
        var disk: [String: Int] = [:]
        var checkpoint: Checkpoint?
        var now = PassRig.now
        var deaths = 0
        var most = 0

        mutating func change() {
            clock += 1
            let parent = Int.random(in: rows.indices, using: &random)
            rows[parent][Int.random(in: 1...8, using: &random)] = clock
        }

        private func answer(_ request: TransferRequest) -> TransferAnswer {
            var run = PassRun()
            run.requests = [request]
            func number(_ name: String) -> Int { run.query(name, 0).flatMap { Int($0) } ?? 0 }
            let parent = Int(request.url.path.dropFirst()) ?? 0
            let (since, after) = (number("since"), number("after"))
            let rest = rows[parent - 1].filter { $0.value >= since && $0.value > after }.sorted {
                $0.value < $1.value
            }
            let page = rest.prefix(2)
            let text = page.map { "{\"id\":\($0.key),\"at\":\($0.value)}" }.joined(separator: ",")
            let next = rest.count > 2 ? page.last.map { "\($0.value)" } : nil
            return PassRig.answer(
                "{\"items\":[\(text)],\"next\":\(next ?? "null")}",
                headers: [
                    ("X-Now", "\(clock)"), ("Date", Timestamp(seconds: Int64(clock)).httpDate),
                ])
        }

        private struct Lane {
            let sub: ParentRun.SubPass
            var machine: PassMachine
            var effect: PassEffect
        }

        /// One process with one run; false where it died.
        mutating func live(mortal: Bool) throws -> Bool {
            var run = ParentRun(plan, list, checkpoint: checkpoint, now: now)
            let subPlan = plan.ofSubPasses(isIncremental: run.isIncremental)
            var lanes: [Lane] = []
            while true {
                while lanes.count < run.concurrent, let sub = run.next(random: Randomness(seed: 1)) {
                    var machine = PassMachine(subPlan, start: sub.start)
                    lanes.append(Lane(sub: sub, machine: machine, effect: machine.begin()))
                    lanes[lanes.count - 1].machine = machine
                }
                most = max(most, lanes.count)
                guard !lanes.isEmpty else { break }
                if mortal, Int.random(in: 0..<25, using: &random) == 0 {
                    deaths += 1
                    return false
                }
                let index = Int.random(in: lanes.indices, using: &random)
                switch lanes[index].effect {
                case .ask(let request), .pause(_, _, let request):
                    if mortal, Bool.random(using: &random) { change() }
                    lanes[index].effect = lanes[index].machine.answered(
                        answer(request), took: .zero, now: now)
                    if mortal, Bool.random(using: &random) { change() }
                case .pipe(let body):
                    lanes[index].effect = lanes[index].machine.piped(body, took: .zero, now: now)
                case .store(let page):
                    try store(page, run.checkpoint())
                    lanes[index].effect = lanes[index].machine.storedPage()
                case .finish(let end):
                    let lane = lanes.remove(at: index)
                    if case .done(let done) = end, let page = done.page { try store(page, run.checkpoint()) }
                    let goesOn = run.ended(lane.sub, lane.machine, end)
                    #expect(goesOn)
                }
            }
            guard case .success(let done) = run.finish() else { return false }
            checkpoint = done.report.checkpoint
            return true
        }

        private mutating func store(_ page: PassPage, _ checkpoint: Checkpoint?) throws {
            self.checkpoint = checkpoint
            for row in page.records?.rows ?? [] {
                let text = String(decoding: page.records?.body(of: row) ?? [], as: UTF8.self)
                let at: Int = try #require(
                    text.split(separator: ":").last.flatMap { Int($0.dropLast()) })
                disk[row.key.text] = at
            }
        }

        var upstream: [String: Int] {
            var all: [String: Int] = [:]
            for (index, rows) in rows.enumerated() {
                for (id, at) in rows { all["[\"\(index + 1)\",\"\(id)\"]"] = at }
            }
            return all
        }
    }

    @Test("lose no row, with one list at a time or several", arguments: Key.allCases, [1, 3])
    func loseNothing(key: Key, concurrent: Int) throws {
        let plan = try ParentCrashTests.rig(key, concurrent: concurrent).plan
        let items = (1...7).map { ParentItem(createdSeq: $0, seq: $0, fields: ["id": ScalarValue(Int($0))]) }
        let list = ParentList(epoch: 1, seq: 7, lastDeletion: 0, items: items)
        var (deaths, most) = (0, 0)
        for seed in 0..<60 {
            var world = World(
                plan: plan, list: list, random: Randomness(seed: UInt64(seed)),
                rows: Array(repeating: [:], count: 7))
            for _ in 0..<15 { world.change() }
            for _ in 0..<15 {
                // Now and then so long that nothing goes on where it was.
                world.now = world.now + .seconds(Int.random(in: 0..<5, using: &world.random) == 0 ? 900 : 30)
                _ = try world.live(mortal: true)
            }
            world.now = world.now + .seconds(900)
            #expect(try world.live(mortal: false))
            #expect(world.disk == world.upstream, "seed \(seed)")
            #expect((world.checkpoint?.text.utf8.count ?? 0) < 300)
            deaths += world.deaths
            most = max(most, world.most)
        }
        #expect(deaths > 200)
        #expect(most == concurrent)
        print("\(key), \(concurrent) at a time: \(deaths) deaths")
    }
}
