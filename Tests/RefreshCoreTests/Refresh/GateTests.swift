import RefreshCore
import Testing

@Suite("The gate") struct GateTests {
    private let a = Samples.origin("a.example")
    private let b = Samples.origin("b.example")

    private func drain(_ gate: inout Gate) -> [String] {
        var started: [String] = []
        while let feed = gate.next() { started.append(feed.name) }
        return started
    }

    @Test("lets one feed of an origin start at a time, and other origins beside it")
    func onePerOrigin() {
        var gate = Gate(concurrency: 16, perOrigin: 1)
        for name in ["a1", "a2", "a3"] { gate.enqueue(Samples.feed(name), at: a, urgent: false) }
        gate.enqueue(Samples.feed("b1"), at: b, urgent: false)
        let answer1 = drain(&gate)
        #expect(answer1 == ["a1", "b1"])
        gate.ended(at: a)
        let answer2 = drain(&gate)
        #expect(answer2 == ["a2"])
    }

    @Test("starts no more than the concurrency in all, origins in turn")
    func concurrency() {
        var gate = Gate(concurrency: 3, perOrigin: 2)
        for name in ["a1", "a2", "a3"] { gate.enqueue(Samples.feed(name), at: a, urgent: false) }
        for name in ["b1", "b2"] { gate.enqueue(Samples.feed(name), at: b, urgent: false) }
        let answer3 = drain(&gate)
        #expect(answer3 == ["a1", "b1", "a2"])
        gate.ended(at: a)
        let answer4 = drain(&gate)
        #expect(answer4 == ["b2"])
    }

    @Test("serves readers ahead of the schedule")
    func urgentFirst() {
        var gate = Gate(concurrency: 1, perOrigin: 1)
        gate.enqueue(Samples.feed("slow"), at: a, urgent: false)
        gate.enqueue(Samples.feed("asked"), at: a, urgent: true)
        gate.enqueue(Samples.feed("later"), at: a, urgent: false)
        gate.promote(Samples.feed("later"), at: a)
        var order: [String] = []
        while let feed = gate.next() {
            order.append(feed.name)
            gate.ended(at: a)
        }
        #expect(order == ["asked", "later", "slow"])
    }

    @Test("forgets who waits, but not who flies")
    func clears() {
        var gate = Gate(concurrency: 1, perOrigin: 1)
        gate.enqueue(Samples.feed("flies"), at: a, urgent: false)
        gate.enqueue(Samples.feed("waits"), at: b, urgent: false)
        _ = gate.next()
        gate.clear()
        let answer5 = gate.next()
        #expect(answer5 == nil)
        gate.ended(at: a)
        let answer6 = gate.next()
        #expect(answer6 == nil)
        gate.enqueue(Samples.feed("new"), at: b, urgent: false)
        let answer7 = gate.next()
        #expect(answer7?.name == "new")
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
