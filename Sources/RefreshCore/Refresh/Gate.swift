/// Who may start next: so many flights in all, so many requests at one origin, origins in turn, none at one that is
/// held, none beyond a budget (refresh policy 2.5).
///
/// An origin that is slow or held keeps its own places only, so its neighbours at other origins never wait for it.
package struct Gate: Sendable {
    /// What a feed needs to start.
    package struct Ticket: Sendable, Hashable {
        package let feed: FeedID
        package let origin: Origin
        /// Names of the budgets that it draws on.
        package let budgets: [String]
        /// What stands in line for itself and no feed, such as an exchange of tokens; 0 of a feed.
        package private(set) var errand: UInt64 = 0

        package init(feed: FeedID, origin: Origin, budgets: [String] = []) {
            self.feed = feed
            self.origin = origin
            self.budgets = budgets
        }

        /// Of a request that is no feed's, numbered from 1: it moves on as the pages of passes under way do.
        package init(errand: UInt64, origin: Origin) {
            self.init(feed: .nobody, origin: origin)
            self.errand = errand
        }

        /// The same turn, with what it draws on kept.
        package var withoutBudgets: Ticket { Ticket(feed: feed, origin: origin) }
    }

    package enum Kind: Sendable, Equatable { case flight, page }

    package struct Start: Sendable, Equatable {
        package let ticket: Ticket
        package let kind: Kind
    }

    private struct Line {
        /// Wishes of readers, ahead of the schedule.
        var urgent = Queue<Ticket>()
        /// Next pages of passes under way: what has begun ends before the next one begins.
        var pages = Queue<Ticket>()
        var scheduled = Queue<Ticket>()
        /// Let through whatever holds the origin.
        var overriding: Set<FeedID> = []
        var busy = 0
        var lastStart: BootTime?
        var heldUntil: BootTime?
        /// Stands among the turns.
        var isListed = false

        var hasWaiting: Bool { !urgent.isEmpty || !pages.isEmpty || !scheduled.isEmpty }

        func isIdle(at now: BootTime, gap: Duration) -> Bool {
            !hasWaiting && busy == 0 && (heldUntil ?? now) <= now
                && (lastStart.map { $0 + gap } ?? now) <= now
        }
    }

    private var concurrency: Int
    private var perOrigin: Int
    private var originGap: Duration
    private var lines: [Origin: Line] = [:]
    /// Origins that have somebody waiting, in the order of their turns.
    private var turns: [Origin] = []
    private var budgets: [String: BudgetMeter] = [:]
    private var flying = 0
    private var pagesWaiting = 0
    /// While the host is offline nothing scheduled starts, but for one probe from then on.
    private var probeAt: BootTime?
    private var isOffline = false

    package init(concurrency: Int, perOrigin: Int, originGap: Duration = .zero) {
        self.concurrency = concurrency
        self.perOrigin = perOrigin
        self.originGap = originGap
    }

    /// New bounds, for whoever starts from now on.
    package mutating func configure(concurrency: Int, perOrigin: Int, originGap: Duration) {
        self.concurrency = concurrency
        self.perOrigin = perOrigin
        self.originGap = originGap
    }

    // MARK: - Waiting

    /// Puts a feed at the end of the line of its origin; it must not wait there already.
    package mutating func enqueue(_ ticket: Ticket, urgent: Bool) {
        line(of: ticket.origin) { line in
            if urgent { line.urgent.append(ticket) } else { line.scheduled.append(ticket) }
        }
    }

    /// A flight under way wants its next turn; its last one was given back.
    package mutating func enqueuePage(_ ticket: Ticket) {
        pagesWaiting += 1
        line(of: ticket.origin) { $0.pages.append(ticket) }
    }

    /// Moves a feed that waits for its scheduled turn up among the urgent ones.
    package mutating func promote(_ ticket: Ticket) {
        guard lines[ticket.origin]?.scheduled.remove(ticket) == true else { return }
        lines[ticket.origin]?.urgent.append(ticket)
    }

    /// Lets a feed that stands among the urgent ones through whatever holds its origin.
    package mutating func letThrough(_ ticket: Ticket) {
        guard lines[ticket.origin]?.urgent.first(where: { $0 == ticket }) != nil else { return }
        lines[ticket.origin]?.overriding.insert(ticket.feed)
    }

    /// Takes a feed that does not want to start any more out of its line.
    package mutating func withdraw(_ ticket: Ticket) {
        lines[ticket.origin]?.overriding.remove(ticket.feed)
        _ = lines[ticket.origin]?.urgent.remove(ticket)
        _ = lines[ticket.origin]?.scheduled.remove(ticket)
        if lines[ticket.origin]?.pages.remove(ticket) == true { pagesWaiting -= 1 }
    }

    /// Sends everybody home who waits.
    package mutating func clear() {
        turns = []
        pagesWaiting = 0
        for origin in lines.keys {
            lines[origin]?.isListed = false
            lines[origin]?.urgent = Queue()
            lines[origin]?.pages = Queue()
            lines[origin]?.scheduled = Queue()
        }
    }

    // MARK: - Holding

    /// Nothing starts at `origin` before `time`, but for who may override it.
    package mutating func hold(_ origin: Origin, until time: BootTime) {
        line(of: origin) { $0.heldUntil = max($0.heldUntil ?? time, time) }
    }

    /// Until when `origin` is held; nil where it is not.
    package func held(_ origin: Origin, at now: BootTime) -> BootTime? {
        lines[origin]?.heldUntil.flatMap { $0 > now ? $0 : nil }
    }

    /// - Parameter probeAt: when one scheduled feed may try; nil is online again.
    package mutating func setOffline(probeAt: BootTime?) {
        isOffline = probeAt != nil
        self.probeAt = probeAt
    }

    package mutating func setBudget(_ name: String, _ meter: BudgetMeter?) { budgets[name] = meter }
    package func hasBudget(_ name: String) -> Bool { budgets[name] != nil }

    package mutating func read(_ reading: RateReading, budget: String, at now: BootTime) {
        budgets[budget]?.read(reading, at: now)
    }

    // MARK: - Starting

    /// Who may start now, which then counts as busy until `ended`; nil while all have to wait.
    package mutating func next(at now: BootTime) -> Start? {
        if flying >= concurrency, pagesWaiting == 0 { return nil }
        var place = 0
        while place < turns.count {
            let origin = turns[place]
            guard let line = lines[origin], line.hasWaiting else {
                turns.remove(at: place)
                lines[origin]?.isListed = false
                continue
            }
            if let choice = choice(line, at: now) {
                turns.remove(at: place)
                return start(choice, at: origin, now: now)
            }
            place += 1
        }
        return nil
    }

    /// When it is worth asking again, where only time is in the way; nil where somebody has to end first.
    package func wakeAt(after now: BootTime) -> BootTime? {
        if flying >= concurrency, pagesWaiting == 0 { return nil }
        var earliest: BootTime?
        for origin in turns {
            guard let line = lines[origin], line.hasWaiting, let at = ready(line, at: now), at > now else {
                continue
            }
            earliest = min(earliest ?? at, at)
        }
        return earliest
    }

    /// A flight, or its turn at `origin`, has ended.
    package mutating func ended(_ ticket: Ticket, kind: Kind = .flight, at now: BootTime) {
        if kind == .flight { flying = max(flying - 1, 0) }
        for name in ticket.budgets { budgets[name]?.ended() }
        guard let busy = lines[ticket.origin]?.busy else { return }
        lines[ticket.origin]?.busy = max(busy - 1, 0)
        if lines[ticket.origin]?.isIdle(at: now, gap: originGap) == true { lines[ticket.origin] = nil }
    }

    /// Gives back what `ticket` draws on, its turn having been given back before.
    package mutating func endedBudgets(_ ticket: Ticket) {
        for name in ticket.budgets { budgets[name]?.ended() }
    }

    /// A flight ends while its turn is given back.
    package mutating func endedWithoutTurn() { flying = max(flying - 1, 0) }
}

extension Gate {
    private enum Choice { case urgent, page, scheduled }

    private mutating func line(of origin: Origin, _ change: (inout Line) -> Void) {
        change(&lines[origin, default: Line()])
        guard let line = lines[origin], line.hasWaiting, !line.isListed else { return }
        lines[origin]?.isListed = true
        turns.append(origin)
    }

    /// Who of a line may move on now.
    private func choice(_ line: Line, at now: BootTime) -> (Choice, Ticket)? {
        guard line.busy < perOrigin else { return nil }
        let isHeld = (line.heldUntil ?? now) > now
        let hasRoom = flying < concurrency
        if hasRoom {
            let ticket = line.urgent.first {
                (!isHeld || line.overriding.contains($0.feed)) && budgetWait($0, urgent: true, at: now) == nil
            }
            if let ticket { return (.urgent, ticket) }
        }
        if isHeld { return nil }
        if let ticket = line.pages.first(where: { budgetWait($0, urgent: true, at: now) == nil }) {
            return (.page, ticket)
        }
        guard hasRoom, opens(line, at: now) <= now,
            let ticket = line.scheduled.first(where: { budgetWait($0, urgent: false, at: now) == nil })
        else { return nil }
        return (.scheduled, ticket)
    }

    /// From when on a scheduled feed may start at a line that is not held.
    private func opens(_ line: Line, at now: BootTime) -> BootTime {
        let gap = line.lastStart.map { $0 + originGap } ?? now
        return isOffline ? max(gap, probeAt ?? gap) : gap
    }

    /// The earliest time at which only time keeps a line; nil where something has to end first.
    private func ready(_ line: Line, at now: BootTime) -> BootTime? {
        guard line.busy < perOrigin else { return nil }
        let held = max(line.heldUntil ?? now, now)
        var earliest: BootTime?
        func look(_ queue: Queue<Ticket>, urgent: Bool, from: BootTime) {
            // Whoever draws on no budget stands for all of his kind.
            _ = queue.first { ticket in
                let wait = budgetWait(ticket, urgent: urgent, at: now)
                // Zero means that somebody has to end.
                if wait == .zero { return false }
                let at = max(from, now + (wait ?? .zero))
                earliest = min(earliest ?? at, at)
                return wait == nil
            }
        }
        look(line.pages, urgent: true, from: held)
        if flying < concurrency {
            look(line.urgent, urgent: true, from: held)
            look(line.scheduled, urgent: false, from: max(held, opens(line, at: now)))
        }
        return earliest
    }

    private func budgetWait(_ ticket: Ticket, urgent: Bool, at now: BootTime) -> Duration? {
        var longest: Duration?
        for name in ticket.budgets {
            guard let wait = budgets[name]?.wait(urgent: urgent, at: now) else { continue }
            if wait == .zero { return .zero }
            longest = max(longest ?? wait, wait)
        }
        return longest
    }

    private mutating func start(_ choice: (Choice, Ticket), at origin: Origin, now: BootTime) -> Start? {
        guard var line = lines[origin] else { return nil }
        let ticket = choice.1
        switch choice.0 {
        case .urgent: _ = line.urgent.remove(ticket)
        case .scheduled: _ = line.scheduled.remove(ticket)
        case .page:
            _ = line.pages.remove(ticket)
            pagesWaiting -= 1
        }
        line.overriding.remove(ticket.feed)
        line.busy += 1
        if choice.0 != .page {
            flying += 1
            line.lastStart = now
        }
        // One probe at a time; its end says when the next may start.
        if choice.0 == .scheduled, isOffline { probeAt = now + .seconds(300) }
        for name in ticket.budgets { budgets[name]?.started(at: now) }
        line.isListed = line.hasWaiting
        if line.hasWaiting { turns.append(origin) }
        lines[origin] = line
        return Start(ticket: ticket, kind: choice.0 == .page ? .page : .flight)
    }
}
