import RefreshCore

/// A flight has ended: what it means for its feed, its origin, and the host's own network.
extension Engine {
    func landed(_ flight: Flight, _ landing: Flight.Landing) {
        let now = time.now()
        guard let entry = entries[flight.feed.id], let activity = entry.activity else { return }
        note(flight.feed.id, landing)
        keep(flight, landing, isWanted: !activity.waiters.isEmpty, at: now)
        release(activity, at: now)
        let wasCut = activity.cut != nil && !stopping && !Engine.isGood(landing.outcome)
        if entry.feed.request == flight.feed.request, let cookies = landing.cookies {
            entry.cookies = cookies
        }
        entry.openPass = landing.open
        if activity.isOrphan { return forget(flight.feed.id, entry, landing.outcome) }
        // What comes of cutting a flight short says nothing of anybody.
        let counts =
            wasCut
            ? !Engine.isFailure(landing.outcome)
            : judge(landing.outcome, of: flight.feed.id, at: activity.ticket.origin, now: now)
        entry.machine.landed(
            flight.order.learnt(landing.progress), store: landing.store, at: now, offline: !counts)
        if stopping { entry.machine.stop() }
        if activity.cut == .outdated {
            entry.machine.outdated(at: now)
        } else if wasCut {
            // It was cut short because the host had slept: it starts anew, like everything that fell due meanwhile.
            let wait = Engine.restAfterSleep + spread(of: entries.count, every: entry.machine.schedule.every)
            entry.machine.resumed(at: now, spread: wait)
        }
        schedule(entry)
        let wasCleared = activity.isCleared && !stopping
        answer(
            entry,
            wasCleared
                ? .refused(reason: "the feed was purged or reset meanwhile; it is read anew")
                : wasCut ? .refused(reason: Engine.reason(activity.cut)) : landing.outcome)
        post(entry)
        guard !stopping else { return }
        startWhatMay(at: now)
        arm()
    }

    /// Counts the refresh and adds it to the feed's history.
    private func keep(_ flight: Flight, _ landing: Flight.Landing, isWanted: Bool, at now: Moment) {
        counters.refreshed(flight.feed.id, landing.outcome)
        let start = flight.order.start
        history.note(
            flight.feed.id,
            HistoryEntry(
                at: start.wall, cause: isWanted ? .refresh : .schedule, outcome: landing.outcome,
                took: now.boot - start.boot, requests: landing.effort.requests,
                status: landing.effort.status, bytes: landing.effort.bytes))
    }

    private static func reason(_ cut: Cut?) -> String {
        switch cut {
        case .slept, nil: "the host slept; the refresh starts anew"
        case .outdated: "the feed was changed; the refresh starts anew"
        }
    }

    private static func isFailure(_ outcome: RefreshOutcome) -> Bool {
        if case .failed = outcome { true } else { false }
    }

    private static func isGood(_ outcome: RefreshOutcome) -> Bool {
        switch outcome {
        case .refreshed, .unchanged: true
        default: false
        }
    }

    private func release(_ activity: Activity, at now: Moment) {
        activity.flight = nil
        for lane in activity.waiting { gate.withdraw(lane.ticket) }
        for _ in activity.keeping { gate.endedBudgets(activity.ticket) }
        pausedPages.removeAll { $0.ticket.feed == activity.ticket.feed }
        activity.sendLanesHome()
        guard !activity.holding.isEmpty else { return gate.endedWithoutTurn() }
        for _ in activity.holding.dropFirst() { gate.ended(activity.ticket, kind: .page, at: now.boot) }
        gate.ended(activity.ticket, at: now.boot)
    }

    /// What the outcome says of the origin and of the host; false where it is not held against the feed.
    private func judge(_ outcome: RefreshOutcome, of feed: FeedID, at origin: Origin, now: Moment) -> Bool {
        switch outcome {
        case .refreshed, .unchanged:
            if origins[origin] != nil { change(origin) { $0.succeeded() } }
            react(to: offline.answered(), at: now)
        case .failed(let failure) where failure.class != .internal && failure.class != .config:
            let counts = offline.counts(failure, at: now.boot)
            let effect = offline.failed(feed, at: origin, failure, now: now.boot)
            react(to: effect, at: now)
            if offline.isOffline { gate.setOffline(probeAt: offline.nextProbe) }
            if case .wentOffline = effect { return false }
            guard counts else { return false }
            if failure.isSettled { return true }
            hold(origin, by: failure, at: now)
        case .failed(let failure) where failure.isStorage:
            storageFailed(failure, at: now)
        case .failed(let failure):
            // A flight that the engine itself cut short says nothing of anybody.
            return failure.code != "cancelled"
        default: break
        }
        return true
    }

    /// Holds the origin where the failure says so.
    func hold(_ origin: Origin, by failure: RefreshFailure, at now: Moment) {
        var until: Timestamp?
        change(origin) { until = $0.failed(failure, at: now.wall) }
        guard let until else { return }
        hold(origin, until: now.boot + (until - now.wall), at: now)
        // Who stands in its line shows from now on what it waits for.
        for entry in entries.values where entry.machine.isQueued && entry.activity?.ticket.origin == origin {
            post(entry)
        }
        log(
            .notice,
            "origin \(origin): left alone for \(DurationText.format(until - now.wall)), \(failure.code)")
    }

    private func react(to effect: OfflineWatch.Effect, at now: Moment) {
        switch effect {
        case .none: break
        case .wentOffline(let feeds):
            log(.warning, "the host is offline: \(feeds.count) feeds wait, one tries now and then")
            gate.setOffline(probeAt: offline.nextProbe)
            for feed in feeds {
                guard let entry = entries[feed] else { continue }
                entry.machine.forgive(at: now)
                // What came of no network is no fault of the origin either.
                if let origin = entry.activity?.ticket.origin ?? Optional(entry.feed.request.url.origin) {
                    change(origin) { $0.succeeded() }
                }
                schedule(entry)
                post(entry)
            }
        case .cameBack:
            log(.notice, "the host is online again")
            gate.setOffline(probeAt: nil)
            releaseOverdue(at: now, after: .zero)
        }
    }

    /// Everything that is due and does not fly starts spread, and not all at once (refresh policy 2.5).
    func releaseOverdue(at now: Moment, after rest: Duration) {
        let overdue = entries.values.filter { entry in
            entry.machine.isQueued || entry.machine.due.map { $0 <= now.boot + rest } ?? false
        }
        for entry in overdue {
            let wait = rest + spread(of: overdue.count, every: entry.machine.schedule.every)
            entry.machine.resumed(at: now, spread: wait)
            guard entry.machine.isIdle else { continue }
            if let activity = entry.activity {
                gate.withdraw(activity.ticket)
                entry.activity = nil
            }
            schedule(entry)
            post(entry)
        }
    }

    /// A share of a window that grows with the number of feeds.
    func spread(of count: Int, every: Duration?) -> Duration {
        min(.seconds(count), min((every ?? .zero) / 4, .seconds(900))) * random.unit()
    }

    // MARK: - Origins

    func change(_ origin: Origin, _ change: (inout OriginProgress) -> Void) {
        let before = origins[origin]
        var progress = before ?? OriginProgress()
        change(&progress)
        origins[origin] = progress.isIdle ? nil : progress
        if origins[origin] != before { changedOrigins.insert(origin) }
    }

    /// Origins as they were kept; gates in the future count from now.
    func remember(_ kept: [Origin: OriginProgress]) {
        let now = time.now()
        for (origin, progress) in kept where !progress.isIdle {
            var progress = progress
            if let until = progress.gateUntil {
                // No gate is longer, whatever a clock that was set made of it.
                let left = min(until - now.wall, Backoff.longestRetryAfter)
                if left > .zero { gate.hold(origin, until: now.boot + left) } else { progress.opened() }
            }
            origins[origin] = progress
        }
    }

    /// Hands what has changed to who keeps it.
    func keepOrigins() async {
        guard let originMemory, !changedOrigins.isEmpty else { return }
        var changes: [Origin: OriginProgress] = [:]
        for origin in changedOrigins { changes[origin] = origins[origin] ?? OriginProgress() }
        changedOrigins = []
        await originMemory.save(changes)
    }

    private func note(_ id: FeedID, _ landing: Flight.Landing) {
        switch landing.outcome {
        case .failed(let failure) where failure.isStorage:
            // One disk, one line: the engine tells of it for all feeds.
            log(.debug, "feed \(id): \(failure.code): \(failure.detail)")
        case .failed(let failure):
            log(
                .warning,
                "feed \(id): \(failure.code): \(failure.detail); failure \(landing.progress.failures) in a row"
            )
        case .refreshed(let counts):
            log(
                .info,
                "feed \(id): \(counts.added) added, \(counts.changed) changed, \(counts.removed) removed")
        default: log(.debug, "feed \(id): \(landing.outcome)")
        }
    }
}
