import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

/// A made-up upstream whose rows change between any two pages, and a process that dies between any two steps.
@Suite("Passes that die") struct CrashTests {
    enum Mode: String, CaseIterable, CustomTestStringConvertible {
        /// Changed since, in the order of change, by a cursor behind the last row.
        case since
        /// The same, in no order that is promised.
        case unorderedSince
        /// Changed since, by offsets.
        case offsetSince
        /// The whole list by a cursor behind the last id.
        case keyset
        /// The whole list by offsets, each a row early.
        case offset

        var testDescription: String { rawValue }
        var isIncremental: Bool { self == .since || self == .unorderedSince || self == .offsetSince }
    }

    /// Rows by id, with the number of their last change.
    struct Upstream {
        var rows: [Int: Int] = [:]
        var changes = 0
        var ids = 0

        mutating func change(_ random: inout Randomness) {
            changes += 1
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                ids += 1
                rows[ids] = changes
            case 2: if let id = rows.keys.sorted().randomElement(using: &random) { rows[id] = changes }
            default: if let id = rows.keys.sorted().randomElement(using: &random) { rows[id] = nil }
            }
        }

        func answer(_ request: TransferRequest, _ mode: Mode) -> TransferAnswer {
            var run = PassRun()
            run.requests = [request]
            func number(_ name: String) -> Int? { run.query(name, 0).flatMap { Int($0) } }
            let since = number("since") ?? 0
            var all = rows.filter { $0.value >= since }.map { (id: $0.key, at: $0.value) }
            if mode == .keyset || mode == .offset {
                all.sort { $0.id < $1.id }
            } else {
                all.sort { $0.at < $1.at }
            }
            let after = number("after") ?? 0
            let rest: [(id: Int, at: Int)]
            switch mode {
            case .since, .unorderedSince: rest = all.filter { $0.at > after }
            case .keyset: rest = all.filter { $0.id > after }
            case .offset, .offsetSince: rest = Array(all.dropFirst(number("o") ?? 0))
            }
            let page = rest.prefix(3)
            let text = page.map { "{\"id\":\($0.id),\"at\":\($0.at)}" }.joined(separator: ",")
            let last = rest.count > 3 ? page.last.map { mode == .keyset ? $0.id : $0.at } : nil
            return PassRig.answer("{\"items\":[\(text)],\"next\":\(last.map(String.init) ?? "null")}")
        }
    }

    /// What survives a death: the rows that were stored and the checkpoint stored with them.
    struct Disk {
        var rows: [Int: Int] = [:]
        var checkpoint: Checkpoint?
        var passes = 0
    }

    private func rig(_ mode: Mode) throws -> PassRig {
        var field = IncrementalPlan.Field(cursor: .json(try JSONPath(parsing: "at")))
        field.kind = .int
        field.to = .param("since")
        field.order = mode == .since || mode == .offsetSince ? .asc : .none
        return try PassRig(path: "items") {
            if mode.isIncremental { $0.incremental = IncrementalPlan(kind: .field(field)) }
            switch mode {
            case .offset, .offsetSince:
                $0.paging.kind = .offset(to: .param("o"), start: 0, total: nil)
                $0.paging.overlap = mode == .offset ? 1 : 0
            default:
                $0.paging.kind = .cursor(
                    next: .body(.json(JSONPath([.name(Array("next".utf8))]))), to: .param("after"), alone: [])
            }
        }
    }

    private struct World {
        let plan: PassPlan
        let mode: Mode
        var upstream = Upstream()
        var disk = Disk()
        var random: Randomness
        var now = PassRig.now
        var deaths = 0
        var pages = 0

        /// One process with one pass; false where it died.
        mutating func live(mortal: Bool) throws -> Bool {
            var start = PassStart(now: now)
            start.checkpoint = disk.checkpoint
            var machine = PassMachine(plan, start: start)
            // Marks are in memory and die with the process; before each page the rows that the upstream had then.
            var seen: Set<Int> = []
            let before = upstream.rows
            var effect = machine.begin()
            while true {
                if mortal, Int.random(in: 0..<12, using: &random) == 0 {
                    deaths += 1
                    return false
                }
                switch effect {
                case .ask(let request), .pause(_, _, let request):
                    if mortal, Bool.random(using: &random) { upstream.change(&random) }
                    effect = machine.answered(upstream.answer(request, mode), took: .zero, now: now)
                case .store(let page):
                    try store(page, &seen)
                    effect = machine.storedPage()
                case .finish(.done(let done)):
                    if let page = done.page { try store(page, &seen) }
                    if done.isComplete, !done.isResumed, done.doubt == nil { sweep(seen, before) }
                    disk.checkpoint = done.report.checkpoint
                    disk.passes += 1
                    return true
                case .finish(.failed(let failure, let checkpoint)):
                    #expect(failure.class == .loop, "\(failure)")
                    disk.checkpoint = checkpoint
                    return true
                }
            }
        }

        private mutating func store(_ page: PassPage, _ seen: inout Set<Int>) throws {
            pages += 1
            disk.checkpoint = page.checkpoint
            for row in page.records?.rows ?? [] {
                let id = try #require(Int(row.key.text))
                let text = String(decoding: page.records?.body(of: row) ?? [], as: UTF8.self)
                let at = try #require(text.split(separator: ":").last.flatMap { Int($0.dropLast()) })
                seen.insert(id)
                disk.rows[id] = at
            }
        }

        private mutating func sweep(_ seen: Set<Int>, _ before: [Int: Int]) {
            for id in disk.rows.keys where !seen.contains(id) {
                // Where places in the list are stable nothing may go that was there all the time.
                let isLoss = mode == .keyset && before[id] != nil && upstream.rows[id] != nil
                #expect(!isLoss, "row \(id) was there from the beginning to the end")
                disk.rows[id] = nil
            }
        }
    }

    @Test("repeat a page and lose none", arguments: Mode.allCases)
    func repeatsAndLosesNothing(mode: Mode) throws {
        let plan = try rig(mode).plan
        var (deaths, pages, passes) = (0, 0, 0)
        for seed in 0..<60 {
            var world = World(plan: plan, mode: mode, random: Randomness(seed: UInt64(seed)))
            for _ in 0..<12 { world.upstream.change(&world.random) }
            for _ in 0..<25 {
                // Now and then so long that nothing goes on at its page.
                world.now = world.now + .seconds(Int.random(in: 0..<5, using: &world.random) == 0 ? 900 : 30)
                _ = try world.live(mortal: true)
            }
            // Nobody dies and nothing changes any more.
            world.now = world.now + .seconds(900)
            while try !world.live(mortal: false) {}
            // What slips past an offset is caught by the next pass that reads everything (U15).
            let isThere =
                mode == .offsetSince || world.upstream.rows.allSatisfy { world.disk.rows[$0.key] == $0.value }
            #expect(isThere, "\(mode), seed \(seed): \(world.upstream.rows) \(world.disk.rows)")
            world.now = world.now + .seconds(90_000)
            while try !world.live(mortal: false) {}
            #expect(world.disk.rows == world.upstream.rows, "\(mode), seed \(seed)")
            #expect((world.disk.checkpoint?.text.utf8.count ?? 0) < 300)
            deaths += world.deaths
            pages += world.pages
            passes += world.disk.passes
        }
        #expect(deaths > 200 && passes > 500)
        print("\(mode): \(deaths) deaths, \(pages) pages, \(passes) passes that came to their end")
    }
}
