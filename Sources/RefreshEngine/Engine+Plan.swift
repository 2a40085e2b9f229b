import RefreshAdapters
import RefreshCore
import RefreshStore

/// Which feeds there are: at the start, after a reload, by an operator's hand.
extension Engine {
    /// What a reload did.
    package struct PlanChange: Sendable, Equatable {
        package var added: [FeedID] = []
        package var changed: [FeedID] = []
        package var removed: [FeedID] = []
        package var unchanged = 0
    }

    /// Takes feeds in as the store knows them.
    func admit(
        _ feeds: [Feed], _ stored: [FeedID: (FeedProgress, StoredCounts)], paused: Set<FeedID> = []
    ) {
        let now = time.now()
        let overdue = stored.values.filter { $0.0.due.map { $0 <= now.wall } ?? false }.count
        for feed in feeds {
            guard let (progress, counts) = stored[feed.id] else { continue }
            let spread = .seconds(5) + spread(of: overdue, every: feed.schedule.every)
            var machine = FeedMachine(
                policy: policy(of: feed), enabled: feed.enabled, progress: progress, store: counts, at: now,
                spread: spread)
            if paused.contains(feed.id) { machine.pause(true, at: now) }
            if feed.expect != nil { known[feed.id] = now.wall }
            let entry = Entry(feed: feed, machine: machine)
            entries[feed.id] = entry
            setOwnBudget(of: feed)
            schedule(entry)
            post(entry)
        }
    }

    /// Goes over to another plan. Feeds that did not change keep their timers, validators, backoff and flights.
    ///
    /// Throws, with everything as it was, where the store cannot tell of the new feeds.
    package func apply(_ plan: Plan) async throws(StoreFailure) -> PlanChange {
        let new = plan.feeds.filter { feed in
            entries[feed.id].map { Engine.isReshaped($0.feed, feed) } ?? true
        }
        let stored =
            new.isEmpty
            ? [:] : try await store.load(feeds: new.map(\.id), shapes: Engine.shapes(new))
        var change = PlanChange()
        settings = plan.daemon
        gate.configure(
            concurrency: settings.concurrency, perOrigin: settings.perOrigin,
            originGap: settings.originGap)
        credentials.limitBuffers(settings.buffers)
        setBudgets(plan.budgets)
        let wanted = Set(plan.feeds.map(\.id))
        for (id, entry) in entries where !wanted.contains(id) {
            remove(id, entry)
            change.removed.append(id)
        }
        for feed in plan.feeds {
            // Who came while the store was asked is replaced like any other.
            guard let entry = entries[feed.id] else { continue }
            if let activity = entry.activity, activity.isOrphan {
                // Taken out and put back while it flew: it goes on.
                activity.isOrphan = false
                replace(entry, by: feed, stored[feed.id])
                change.added.append(feed.id)
            } else if entry.feed == feed {
                change.unchanged += 1
            } else {
                replace(entry, by: feed, stored[feed.id])
                change.changed.append(feed.id)
            }
        }
        let added = plan.feeds.filter { entries[$0.id] == nil }
        admit(added, stored)
        change.added += added.map(\.id)
        for broken in plan.broken { board.post(Engine.status(of: broken)) }
        startWhatMay(at: time.now())
        arm()
        change.removed.sort()
        return change
    }

    /// Whether the records of both are of different kinds.
    private static func isReshaped(_ old: Feed, _ new: Feed) -> Bool {
        (old.records != new.records || old.details.sort != new.details.sort)
            && PlanScope.shape(old) != PlanScope.shape(new)
    }

    static func shapes(_ feeds: [Feed]) -> [FeedID: UInt64] {
        Dictionary(feeds.map { ($0.id, PlanScope.shape($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private func remove(_ id: FeedID, _ entry: Entry) {
        gate.setBudget(Engine.ownBudget(id), nil)
        guard entry.machine.isFlying else {
            if let activity = entry.activity { gate.withdraw(activity.ticket) }
            return forget(id, entry, .refused(reason: "the feed was removed"))
        }
        entry.activity?.isOrphan = true
        board.remove(id)
    }

    func forget(_ id: FeedID, _ entry: Entry, _ outcome: RefreshOutcome) {
        entry.machine.stop()
        answer(entry, outcome)
        entries[id] = nil
        known[id] = nil
        board.remove(id)
        counters.forget(id)
        history.forget(id)
    }

    /// - Parameter stored: what the store knows of a feed whose records have become others.
    private func replace(_ entry: Entry, by feed: Feed, _ stored: (FeedProgress, StoredCounts)?) {
        let now = time.now()
        let isReshaped = Engine.isReshaped(entry.feed, feed)
        let requestChanged =
            entry.feed.request != feed.request || entry.feed.details.auth != feed.details.auth || isReshaped
        if isReshaped, let stored { entry.machine.reshaped(stored.0, stored.1) }
        if requestChanged, let flight = entry.activity?.flight {
            // What it brings is no answer to what is asked now; of other records the store takes nothing either.
            entry.activity?.cut = .outdated
            flight.cancel()
        }
        if feed.expect != nil, known[feed.id] == nil { known[feed.id] = now.wall }
        if requestChanged { entry.cookies = nil }
        entry.feed = feed
        setOwnBudget(of: feed)
        entry.machine.replace(
            policy: policy(of: feed), enabled: feed.enabled, requestChanged: requestChanged, at: now)
        settle(entry)
    }

    /// An operator stops a feed's schedule, or lets it go on; false where there is no such feed.
    package func pause(_ feed: FeedID, _ isPaused: Bool) async -> Bool {
        guard let entry = entries[feed] else { return false }
        entry.machine.pause(isPaused, at: time.now())
        settle(entry)
        arm()
        await pauseMemory?.save(feed, paused: isPaused)
        return true
    }

    /// Why a feed is due when it is; nil where there is no such feed.
    package func explain(_ feed: FeedID) -> DueExplanation? {
        entries[feed]?.machine.explanation(at: time.now())
    }

    /// After a machine has left the queue by itself.
    private func settle(_ entry: Entry) {
        if entry.machine.isIdle, let activity = entry.activity {
            gate.withdraw(activity.ticket)
            entry.activity = nil
        }
        schedule(entry)
        post(entry)
    }

    /// Feeds with equal policies share one.
    private func policy(of feed: Feed) -> Shared<FetchPolicy> {
        let policy = FetchPolicy(feed)
        if let known = policies.first(where: { $0.value == policy }) { return known }
        let made = Shared(policy)
        // A file with hundreds of different schedules shares little; a search must not grow with it.
        if policies.count < 32 { policies.append(made) }
        return made
    }

    static func status(of broken: BrokenFeed) -> FeedStatus {
        FeedStatus(
            feed: broken.id, title: nil, adapter: "", url: "", state: .configError,
            progress: FeedProgress(), freshUntil: nil, nextDue: nil, dueRule: "config error",
            inFlight: false, store: StoredCounts(epoch: Epoch(0)), alarms: [broken.reason])
    }
}
