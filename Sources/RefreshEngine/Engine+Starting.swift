import RefreshAdapters
import RefreshCore
import RefreshStore

/// Time passes: who is due queues, who may starts, and somebody sleeps until the next one.
extension Engine {
    /// Queues every feed that is due and starts what the gate admits.
    func tick(_ number: UInt64) {
        // An alarm that was replaced while it woke up has nothing to say any more.
        guard !stopping, alarm?.number == number else { return }
        alarm = nil
        lookAtClock()
        let now = time.now()
        probeStorage(at: now)
        queueDue(at: now)
        startWhatMay(at: now)
        arm()
    }

    private func queueDue(at now: Moment) {
        while let first = heap.first, first.at <= now.boot {
            _ = heap.removeFirst()
            guard let entry = entries[first.feed], entry.machine.tick(at: now) else { continue }
            let ticket = entry.active(ticket(of: entry, at: now)).ticket
            gate.enqueue(ticket, urgent: false)
            // Most start at once; who has to wait shows why.
            if gate.held(ticket.origin, at: now.boot) != nil { post(entry) }
        }
        guard !pausedPages.isEmpty else { return }
        for page in pausedPages where page.at <= now.boot {
            guard let activity = entries[page.ticket.feed]?.activity else { continue }
            activity.waiting.append((page.lane, page.ticket))
            gate.enqueuePage(page.ticket)
        }
        pausedPages.removeAll { $0.at <= now.boot }
    }

    /// Sees to it that somebody calls `tick` when the next feed is due or the gate opens.
    func arm() {
        guard !stopping else { return }
        let now = time.now().boot
        var at = heap.first?.at
        if let other = gate.wakeAt(after: now) { at = min(at ?? other, other) }
        for page in pausedPages { at = min(at ?? page.at, page.at) }
        if let other = storage.wakeAt { at = min(at ?? other, other) }
        guard let at else { return }
        if let alarm {
            if alarm.at <= at { return }
            alarm.task.cancel()
        }
        alarms += 1
        let (time, number) = (time, alarms)
        let task = Task {
            do {
                try await time.sleep(until: at)
            } catch {
                return
            }
            self.tick(number)
        }
        alarm = Alarm(at: at, number: number, task: task)
    }

    func startWhatMay(at now: Moment) {
        guard storage.failure == nil else { return }
        while let start = gate.next(at: now.boot) {
            if start.ticket.errand != 0 {
                startExchange(start.ticket, at: now)
                continue
            }
            guard let entry = entries[start.ticket.feed], let activity = entry.activity else {
                gate.ended(start.ticket, kind: start.kind, at: now.boot)
                continue
            }
            switch start.kind {
            case .page: resumePage(activity, start.ticket, at: now)
            case .flight: takeOff(entry, activity, at: now)
            }
        }
    }

    private func resumePage(_ activity: Activity, _ ticket: Gate.Ticket, at now: Moment) {
        guard let place = activity.waiting.firstIndex(where: { $0.ticket == ticket }) else {
            gate.ended(ticket, kind: .page, at: now.boot)
            return
        }
        let lane = activity.waiting.remove(at: place).lane
        guard let page = activity.pages.removeValue(forKey: lane) else {
            gate.ended(ticket, kind: .page, at: now.boot)
            return
        }
        activity.holding.insert(lane)
        activity.keeping.remove(lane)
        page.resume(returning: true)
    }

    private func takeOff(_ entry: Entry, _ activity: Activity, at now: Moment) {
        if entry.isHeld {
            entry.isHeldBack = true
            return gate.ended(activity.ticket, at: now.boot)
        }
        let origin = activity.ticket.origin
        let order = entry.machine.take(
            at: now, url: entry.feed.request.url, origin: origins[origin] ?? OriginProgress(),
            chance: random.unit())
        guard let order else {
            gate.ended(activity.ticket, at: now.boot)
            return
        }
        origins[origin]?.lastStart = now.wall
        let flight = Flight(
            plan: PassPlan(feed: entry.feed, userAgent: settings.userAgent), order: order,
            epoch: entry.machine.store.epoch, acceptDrop: activity.acceptDrop, store: store,
            credentials: credentials, cookies: entry.cookies,
            turns: self, parents: parents, time: time, random: Randomness(seed: random.next()),
            counters: counters, open: entry.openPass)
        activity.acceptDrop = false
        post(entry)
        send(flight)
    }

    /// Flies in a task of its own, which can be cancelled without its neighbours.
    func fly(_ flight: Flight) async -> Flight.Landing {
        let task = Task { await flight.fly() }
        entries[flight.feed.id]?.activity?.flight = task
        if stopping, !flight.feed.records.pipe.isEmpty { task.cancel() }
        return await task.value
    }

    // MARK: - Pieces

    /// What a feed needs to start: where it will ask, and what it draws on.
    func ticket(of entry: Entry, at now: Moment) -> Gate.Ticket {
        let feed = entry.feed
        let url = entry.machine.progress.redirects?.effectiveURL(at: now.wall) ?? feed.request.url
        let limits = feed.details.limits
        var names: [String] = []
        if limits.rate != nil { names.append(Engine.ownBudget(feed.id)) }
        if let shared = limits.share, gate.hasBudget(shared) { names.append(shared) }
        return Gate.Ticket(feed: feed.id, origin: url.origin, budgets: names)
    }

    /// A name that no budget of the file can have.
    static func ownBudget(_ feed: FeedID) -> String { "feed \(feed)" }

    /// What a wish has to wait for because its origin is held; nil where it is not or does not matter.
    func held(_ entry: Entry, by wish: RefreshWish, at now: Moment) -> Duration? {
        guard !wish.overridesGate, !entry.machine.isFlying, entry.machine.enabled,
            wish.mode != .ifStale || entry.machine.freshness(at: now) != .fresh
        else { return nil }
        return gate.held(ticket(of: entry, at: now).origin, at: now.boot).map { $0 - now.boot }
    }

    func schedule(_ entry: Entry) {
        guard let due = entry.machine.due else { return }
        heap.insert(DueHeap.Entry(at: due, feed: entry.feed.id))
        // Wishes leave entries behind that nobody agrees with; they must not pile up until their time.
        guard heap.count > 2 * entries.count + 64 else { return }
        heap = DueHeap()
        for (id, entry) in entries {
            if let due = entry.machine.due { heap.insert(DueHeap.Entry(at: due, feed: id)) }
        }
    }

    func post(_ entry: Entry) {
        let now = time.now()
        let url = entry.machine.progress.redirects?.effectiveURL(at: now.wall) ?? entry.feed.request.url
        let held = entry.machine.isFlying ? nil : gate.held(url.origin, at: now.boot)
        board.post(
            entry.machine.status(
                of: entry.feed, heldUntil: held.map { now.wall + ($0 - now.boot) },
                known: known[entry.feed.id]))
    }

    func answer(_ entry: Entry, _ outcome: RefreshOutcome) {
        guard let activity = entry.activity else { return }
        entry.activity = nil
        for waiter in activity.waiters { waiter.resume(returning: outcome) }
    }
}
