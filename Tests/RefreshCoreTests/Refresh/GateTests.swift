import RefreshCore
import Testing

@Suite("The gate") struct GateTests {
    private let a = Samples.origin("a.example")
    private let b = Samples.origin("b.example")

    private let now = Samples.start.boot

    private func ticket(_ name: String, _ origin: Origin, _ budgets: [String] = []) -> Gate.Ticket {
        Gate.Ticket(feed: Samples.feed(name), origin: origin, budgets: budgets)
    }

    private func drain(_ gate: inout Gate) -> [String] {
        var started: [String] = []
        while let start = gate.next(at: now) { started.append(start.ticket.feed.name) }
        return started
    }

    @Test("lets one feed of an origin start at a time, and other origins beside it")
    func onePerOrigin() {
        var gate = Gate(concurrency: 16, perOrigin: 1)
        for name in ["a1", "a2", "a3"] { gate.enqueue(ticket(name, a), urgent: false) }
        gate.enqueue(ticket("b1", b), urgent: false)
        let answer1 = drain(&gate)
        #expect(answer1 == ["a1", "b1"])
        gate.ended(ticket("a1", a), at: now)
        let answer2 = drain(&gate)
        #expect(answer2 == ["a2"])
    }

    @Test("starts no more than the concurrency in all, origins in turn")
    func concurrency() {
        var gate = Gate(concurrency: 3, perOrigin: 2)
        for name in ["a1", "a2", "a3"] { gate.enqueue(ticket(name, a), urgent: false) }
        for name in ["b1", "b2"] { gate.enqueue(ticket(name, b), urgent: false) }
        let answer3 = drain(&gate)
        #expect(answer3 == ["a1", "b1", "a2"])
        gate.ended(ticket("a1", a), at: now)
        let answer4 = drain(&gate)
        #expect(answer4 == ["b2"])
    }

    @Test("serves readers ahead of the schedule")
    func urgentFirst() {
        var gate = Gate(concurrency: 1, perOrigin: 1)
        gate.enqueue(ticket("slow", a), urgent: false)
        gate.enqueue(ticket("asked", a), urgent: true)
        gate.enqueue(ticket("later", a), urgent: false)
        gate.promote(ticket("later", a))
        var order: [String] = []
        while let start = gate.next(at: now) {
            order.append(start.ticket.feed.name)
            gate.ended(start.ticket, at: now)
        }
        #expect(order == ["asked", "later", "slow"])
    }

    @Test("forgets who waits, but not who flies")
    func clears() {
        var gate = Gate(concurrency: 1, perOrigin: 1)
        gate.enqueue(ticket("flies", a), urgent: false)
        gate.enqueue(ticket("waits", b), urgent: false)
        _ = gate.next(at: now)
        gate.clear()
        let answer5 = gate.next(at: now)
        #expect(answer5 == nil)
        gate.ended(ticket("a1", a), at: now)
        let answer6 = gate.next(at: now)
        #expect(answer6 == nil)
        gate.enqueue(ticket("new", b), urgent: false)
        let answer7 = gate.next(at: now)
        #expect(answer7?.ticket.feed.name == "new")
    }

    // MARK: - What holds a line

    @Test("keeps a second between scheduled starts at an origin, not between wishes")
    func originGap() {
        var gate = Gate(concurrency: 16, perOrigin: 4, originGap: .seconds(1))
        for name in ["a1", "a2"] { gate.enqueue(ticket(name, a), urgent: false) }
        let first = drain(&gate)
        #expect(first == ["a1"])
        #expect(gate.wakeAt(after: now) == now + .seconds(1))
        gate.enqueue(ticket("asked", a), urgent: true)
        let second = drain(&gate)
        #expect(second == ["asked"])
        let third = gate.next(at: now + .seconds(1))
        #expect(third?.ticket.feed.name == "a2")
    }

    @Test("starts nothing at an origin that is held, and everything elsewhere")
    func holds() {
        var gate = Gate(concurrency: 16, perOrigin: 4)
        gate.hold(a, until: now + .seconds(90))
        gate.hold(a, until: now + .seconds(30))
        gate.enqueue(ticket("a1", a), urgent: false)
        gate.enqueue(ticket("a2", a), urgent: true)
        gate.enqueue(ticket("b1", b), urgent: false)
        let started = drain(&gate)
        #expect(started == ["b1"])
        #expect(gate.held(a, at: now) == now + .seconds(90))
        #expect(gate.wakeAt(after: now) == now + .seconds(90))
        gate.enqueue(ticket("control", a), urgent: true)
        gate.letThrough(ticket("control", a))
        let passed = drain(&gate)
        #expect(passed == ["control"])
        let later = now + .seconds(90)
        #expect(gate.next(at: later)?.ticket.feed.name == "a2")
        #expect(gate.held(a, at: later) == nil)
    }

    @Test(
        "lets a page of a pass under way go ahead of new passes, behind wishes, and past the limit of flights"
    )
    func pages() {
        var gate = Gate(concurrency: 1, perOrigin: 1, originGap: .seconds(1))
        let long = ticket("long", a)
        gate.enqueue(long, urgent: false)
        _ = gate.next(at: now)
        gate.enqueue(ticket("next", a), urgent: false)
        gate.ended(long, kind: .page, at: now)
        gate.enqueuePage(long)
        let turn = gate.next(at: now)
        #expect(turn?.kind == .page)
        #expect(turn?.ticket == long)
        #expect(gate.next(at: now + .seconds(5)) == nil)
        gate.ended(long, at: now)
        #expect(gate.next(at: now + .seconds(5))?.ticket.feed.name == "next")
    }

    @Test("an id that somebody wants gets the turn between two pages")
    func idBetweenPages() {
        var gate = Gate(concurrency: 2, perOrigin: 1)
        let long = ticket("long", a)
        gate.enqueue(long, urgent: false)
        _ = gate.next(at: now)
        gate.enqueue(ticket("id", a), urgent: true)
        gate.ended(long, kind: .page, at: now)
        gate.enqueuePage(long)
        #expect(gate.next(at: now)?.ticket.feed.name == "id")
        #expect(gate.next(at: now) == nil)
        gate.ended(ticket("id", a), at: now)
        #expect(gate.next(at: now)?.kind == .page)
    }

    @Test("while the host is offline one probe starts at its time, and readers' wishes at any")
    func offline() {
        var gate = Gate(concurrency: 16, perOrigin: 4)
        gate.setOffline(probeAt: now + .seconds(5))
        for (name, origin) in [("a1", a), ("b1", b)] { gate.enqueue(ticket(name, origin), urgent: false) }
        #expect(gate.next(at: now) == nil)
        #expect(gate.wakeAt(after: now) == now + .seconds(5))
        #expect(gate.next(at: now + .seconds(5))?.ticket.feed.name == "a1")
        #expect(gate.next(at: now + .seconds(5)) == nil)
        gate.enqueue(ticket("asked", b), urgent: true)
        #expect(gate.next(at: now + .seconds(5))?.ticket.feed.name == "asked")
        gate.setOffline(probeAt: nil)
        #expect(gate.next(at: now + .seconds(5))?.ticket.feed.name == "b1")
    }

    @Test("a feed that waits for its budget does not hold up its neighbours at the origin")
    func budgetsAside() {
        var gate = Gate(concurrency: 16, perOrigin: 4)
        gate.setBudget("forge", BudgetMeter(rate: Rate(count: 1, per: .seconds(60)), reserve: 0, at: now))
        gate.enqueue(ticket("a1", a, ["forge"]), urgent: false)
        gate.enqueue(ticket("a2", a, ["forge"]), urgent: false)
        gate.enqueue(ticket("a3", a), urgent: false)
        gate.enqueue(ticket("b1", b, ["forge"]), urgent: false)
        let started = drain(&gate)
        #expect(started == ["a1", "a3"])
        let wake = gate.wakeAt(after: now)
        #expect(wake.map { $0 - now > .seconds(59) && $0 - now <= .seconds(61) } == true)
        #expect(gate.next(at: now + .seconds(61))?.ticket.budgets == ["forge"])
        #expect(gate.next(at: now + .seconds(61)) == nil)
    }

    @Test("nobody who waits is forgotten, however starts, ends and holds follow each other")
    func neverForgets() {
        var random = Randomness(seed: 77)
        var gate = Gate(concurrency: 3, perOrigin: 2, originGap: .milliseconds(300))
        var time = now
        var flying: [Gate.Ticket] = []
        var (queued, started) = (0, 0)
        for step in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let origin = Samples.origin("h\(Int.random(in: 0..<5, using: &random)).example")
                gate.enqueue(ticket("f\(step)", origin), urgent: random.unit() < 0.3)
                queued += 1
            case 4...6 where !flying.isEmpty:
                gate.ended(flying.removeFirst(), at: time)
            case 7:
                gate.hold(
                    Samples.origin("h\(Int.random(in: 0..<5, using: &random)).example"),
                    until: time + .milliseconds(Int.random(in: 0..<900, using: &random)))
            default: time = time + .milliseconds(100)
            }
            while let start = gate.next(at: time) {
                flying.append(start.ticket)
                started += 1
            }
            #expect(flying.count <= 3)
        }
        while started < queued {
            for ticket in flying { gate.ended(ticket, at: time) }
            flying = []
            guard
                let wake = gate.wakeAt(after: time)
                    ?? (gate.next(at: time).map {
                        flying.append($0.ticket); started += 1
                    }.map { time })
            else { break }
            time = wake
            while let start = gate.next(at: time) {
                flying.append(start.ticket)
                started += 1
            }
        }
        #expect(started == queued)
    }
}

@Suite("The heap of due times") struct DueHeapTests {
    @Test("gives entries back in the order of time, whatever order they came in")
    func sorts() {
        var random = Randomness(seed: 11)
        for size in [0, 1, 2, 3, 10, 1_000] {
            var heap = DueHeap()
            var times: [BootTime] = []
            for _ in 0..<size {
                let at = BootTime(.seconds(Int.random(in: 0..<100, using: &random)))
                times.append(at)
                heap.insert(DueHeap.Entry(at: at, feed: Samples.feed("f")))
            }
            var taken: [BootTime] = []
            while let entry = heap.removeFirst() { taken.append(entry.at) }
            #expect(taken == times.sorted())
        }
    }
}

@Suite("A queue") struct QueueTests {
    @Test("gives back what it took, in order, also while both go on")
    func order() {
        var queue = Queue<Int>()
        var next = 0
        for number in 0..<1_000 {
            queue.append(number)
            if number % 3 != 0 {
                let answer8 = queue.removeFirst()
                #expect(answer8 == next)
                next += 1
            }
        }
        #expect(queue.count == 1_000 - next)
        while let number = queue.removeFirst() {
            #expect(number == next)
            next += 1
        }
        #expect(next == 1_000)
        #expect(queue.isEmpty)
    }
}
