/// Who may start next: so many flights in all, so many at one origin, origins in turn (refresh policy 2.5).
///
/// An origin that is slow holds its own places only, so its neighbours at other origins never wait for it.
package struct Gate: Sendable {
    private struct Line {
        /// Wishes of readers, ahead of the schedule.
        var urgent = Queue<FeedID>()
        var scheduled = Queue<FeedID>()
        var flying = 0

        var hasWaiting: Bool { !urgent.isEmpty || !scheduled.isEmpty }
        var isIdle: Bool { !hasWaiting && flying == 0 }

        mutating func takeFirst() -> FeedID? { urgent.removeFirst() ?? scheduled.removeFirst() }
    }

    private let concurrency: Int
    private let perOrigin: Int
    private var lines: [Origin: Line] = [:]
    /// Origins that have somebody waiting, in the order of their turns.
    private var turns: [Origin] = []
    private var flying = 0

    package init(concurrency: Int, perOrigin: Int) {
        self.concurrency = concurrency
        self.perOrigin = perOrigin
    }

    /// Puts `feed` at the end of the line of its origin; it must not wait there already.
    package mutating func enqueue(_ feed: FeedID, at origin: Origin, urgent: Bool) {
        if lines[origin]?.hasWaiting != true { turns.append(origin) }
        if urgent {
            lines[origin, default: Line()].urgent.append(feed)
        } else {
            lines[origin, default: Line()].scheduled.append(feed)
        }
    }

    /// Moves a feed that waits for its scheduled turn up among the urgent ones.
    package mutating func promote(_ feed: FeedID, at origin: Origin) {
        guard lines[origin]?.scheduled.remove(feed) == true else { return }
        lines[origin]?.urgent.append(feed)
    }

    /// The next feed that may start, which then counts as flying until `ended`; nil while all have to wait.
    package mutating func next() -> FeedID? {
        guard flying < concurrency else { return nil }
        for turn in turns.indices {
            let origin = turns[turn]
            guard let busy = lines[origin]?.flying, busy < perOrigin else { continue }
            turns.remove(at: turn)
            guard let feed = lines[origin]?.takeFirst() else { return next() }
            lines[origin]?.flying += 1
            flying += 1
            if lines[origin]?.hasWaiting == true { turns.append(origin) }
            return feed
        }
        return nil
    }

    /// A flight at `origin` has ended.
    package mutating func ended(at origin: Origin) {
        guard let busy = lines[origin]?.flying, busy > 0 else { return }
        lines[origin]?.flying -= 1
        flying -= 1
        if lines[origin]?.isIdle == true { lines[origin] = nil }
    }

    /// Sends everybody home who waits.
    package mutating func clear() {
        turns = []
        for origin in lines.keys {
            lines[origin]?.urgent = Queue()
            lines[origin]?.scheduled = Queue()
        }
        lines = lines.filter { !$0.value.isIdle }
    }
}
