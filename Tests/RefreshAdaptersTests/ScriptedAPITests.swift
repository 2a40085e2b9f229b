import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// One list behind every kind of paging, asked for in every way: the right items with the fewest requests, and the same
/// after a death at any point.
@Suite("Every paging with every way to ask for what is new") struct ScriptedAPITests {
    enum Paging: String, CaseIterable { case none, linkHeader, link, cursor, page, offset, keyset }
    enum Asking: String, CaseIterable { case whole, ascending, unordered, token, serverTime }

    struct Case: Sendable, CustomTestStringConvertible {
        let paging: Paging
        let asking: Asking
        var testDescription: String { "\(paging), \(asking)" }
        static let all = Paging.allCases.flatMap { paging in
            Asking.allCases.map { Case(paging: paging, asking: $0) }
        }
    }

    private static func rig(_ one: Case) throws -> PassRig {
        try PassRig(path: "items") {
            $0.paging.kind =
                switch one.paging {
                case .none: .none
                case .linkHeader: .linkHeader(rel: "next")
                case .link: .link(next: (try? PassRig.body("next")) ?? .header("absent"))
                case .cursor:
                    .cursor(
                        next: (try? PassRig.body("next")) ?? .header("absent"), to: .param("c"), alone: [])
                case .page: .page(to: .param("p"), start: 1, totalPages: try? PassRig.body("pages"))
                case .offset: .offset(to: .param("o"), start: 0, total: try? PassRig.body("total"))
                case .keyset: .keyset(from: .json(JSONPath([.name(Array("at".utf8))])), to: .param("after"))
                }
            var field = IncrementalPlan.Field(cursor: .json(JSONPath([.name(Array("at".utf8))])))
            field.kind = .int
            field.to = .param("since")
            field.order = one.asking == .ascending ? .asc : .none
            var token = IncrementalPlan.Token(next: .header("X-Sync"))
            token.to = .param("sync")
            var time = IncrementalPlan.ServerTime(next: .header("X-Now"))
            time.kind = .epoch
            time.to = .param("since")
            time.overlap = .zero
            switch one.asking {
            case .whole: break
            case .ascending, .unordered: $0.incremental = IncrementalPlan(kind: .field(field))
            case .token: $0.incremental = IncrementalPlan(kind: .token(token))
            case .serverTime: $0.incremental = IncrementalPlan(kind: .serverTime(time))
            }
        }
    }

    /// Rows by their ids, with when they changed last, and a feed's cache of them.
    private struct World {
        let one: Case
        let plan: PassPlan
        var rows: [Int: Int]
        var clock: Int
        var disk: [Int: Int] = [:]
        var checkpoint: Checkpoint?
        var now = PassRig.now
        var requests = 0
        var done: PassDone?

        init(_ one: Case, rows count: Int) throws {
            self.one = one
            plan = try ScriptedAPITests.rig(one).plan
            rows = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 100 + $0) })
            clock = 100 + count
        }

        func answer(_ request: TransferRequest) -> TransferAnswer {
            var run = PassRun()
            run.requests = [request]
            func number(_ name: String) -> Int? { run.query(name, 0).flatMap { Int($0) } }
            let since = number("since") ?? number("sync").map { $0 + 1 } ?? 0
            let list = rows.filter { $0.value >= since }.sorted { $0.value < $1.value }
            let size = one.paging == .none ? 1_000 : 2
            let skipped: Int =
                switch one.paging {
                case .none: 0
                case .page, .linkHeader, .link: ((number("p") ?? 1) - 1) * size
                case .offset: number("o") ?? 0
                case .cursor: number("c") ?? 0
                case .keyset: list.prefix { $0.value <= number("after") ?? 0 }.count
                }
            let page = list.dropFirst(skipped).prefix(size)
            let hasMore = skipped + page.count < list.count
            var headers = [("X-Now", "\(clock)")]
            // A token counts only with the last page.
            if !hasMore { headers.append(("X-Sync", "\(clock)")) }
            var next = "null"
            if hasMore {
                let query = (request.url.query ?? "").split(separator: "&").filter { !$0.hasPrefix("p=") }
                let link = "/list?" + (query + ["p=\(skipped / size + 2)"]).joined(separator: "&")
                if one.paging == .linkHeader { headers.append(("Link", "<\(link)>; rel=\"next\"")) }
                next = one.paging == .link ? "\"\(link)\"" : "\"\(skipped + page.count)\""
            }
            let text = page.map { "{\"id\":\($0.key),\"at\":\($0.value)}" }.joined(separator: ",")
            let pages = max(1, (list.count + size - 1) / size)
            return PassRig.answer(
                "{\"items\":[\(text)],\"next\":\(next),\"pages\":\(pages),\"total\":\(list.count)}",
                headers: headers)
        }

        /// The fewest requests for so many rows.
        func fewest(_ count: Int) -> Int {
            switch one.paging {
            case .none: 1
            // Its end shows in an empty page alone.
            case .keyset: (count + 1) / 2 + 1
            default: max(1, (count + 1) / 2)
            }
        }

        /// One pass; false where the process died after so many steps.
        mutating func live(steps: Int = .max) throws -> Bool {
            var start = PassStart(now: now)
            start.checkpoint = checkpoint
            var machine = PassMachine(plan, start: start)
            var effect = machine.begin()
            var left = steps
            while true {
                if left == 0 { return false }
                left -= 1
                switch effect {
                case .ask(let request), .pause(_, _, let request):
                    requests += 1
                    effect = machine.answered(answer(request), took: .zero, now: now)
                case .pipe(let body): effect = machine.piped(body, took: .zero, now: now)
                case .store(let page):
                    try store(page)
                    effect = machine.storedPage()
                case .finish(.done(let done)):
                    if let page = done.page { try store(page) }
                    checkpoint = done.report.checkpoint
                    self.done = done
                    return true
                case .finish(.failed(let failure, _)):
                    Issue.record("\(one): \(failure)")
                    return true
                }
            }
        }

        private mutating func store(_ page: PassPage) throws {
            checkpoint = page.checkpoint
            for row in page.records?.rows ?? [] {
                let text = String(decoding: page.records?.body(of: row) ?? [], as: UTF8.self)
                let at = try #require(text.split(separator: ":").last.flatMap { Int($0.dropLast()) })
                disk[try #require(Int(row.key.text))] = at
            }
        }
    }

    @Test("asks as seldom as can be, first for everything and then for what is new", arguments: Case.all)
    func fewest(_ one: Case) throws {
        var world = try World(one, rows: 7)
        #expect(try world.live())
        #expect(world.disk == world.rows)
        #expect(world.requests == world.fewest(7))
        #expect(world.done?.isComplete == true && world.done?.doubt == nil)
        world.clock += 1
        world.rows[3] = world.clock
        (world.requests, world.now) = (0, world.now + .seconds(30))
        #expect(try world.live())
        #expect(world.disk == world.rows)
        // The last value comes again, since others may have it too; a token is exact.
        let again: Int =
            switch one.asking {
            case .whole: 7
            case .ascending, .unordered: 2
            case .token, .serverTime: 1
            }
        #expect(world.requests == world.fewest(again))
        #expect(world.done?.isComplete == (one.asking == .whole))
    }

    // datamill-co/target-postgres#120, #128.
    @Test("loses no row and repeats one page at most, wherever it dies", arguments: Case.all)
    func deaths(_ one: Case) throws {
        var steps = 0
        while true {
            var world = try World(one, rows: 7)
            if try world.live(steps: steps) { break }
            world.clock += 1
            world.rows[6] = world.clock
            world.now = world.now + .seconds(30)
            #expect(try world.live())
            // A change behind what was read comes with the next pass of those that cannot see it.
            if world.disk != world.rows { #expect(try world.live()) }
            #expect(world.disk == world.rows, "died after \(steps) steps")
            #expect(world.requests <= world.fewest(8) + 2 * world.fewest(1) + 1, "died after \(steps) steps")
            #expect((world.checkpoint?.text.utf8.count ?? 0) < 300)
            steps += 1
        }
        #expect(steps > 0)
    }
}
