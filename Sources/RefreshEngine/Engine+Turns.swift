import RefreshCore

/// Turns between the pages of a pass, and what its answers say of limits.
extension Engine {
    package func nextTurn(
        of feed: FeedID, at origin: Origin, lane: Int, after pause: Duration
    ) async throws(TurnsEnded) {
        guard !stopping, let activity = entries[feed]?.activity, activity.pages[lane] == nil else {
            throw TurnsEnded()
        }
        let now = time.now()
        endTurn(of: lane, activity, at: now)
        try await turn(of: lane, activity, activity.ticket, after: pause, at: now)
    }

    package func giveBack(of feed: FeedID, at origin: Origin, lane: Int) {
        guard let activity = entries[feed]?.activity, activity.flight != nil,
            activity.holding.remove(lane) != nil
        else { return }
        let now = time.now()
        gate.ended(activity.ticket.withoutBudgets, kind: .page, at: now.boot)
        activity.keeping.insert(lane)
        startWhatMay(at: now)
        arm()
    }

    package func takeAgain(of feed: FeedID, at origin: Origin, lane: Int) async throws(TurnsEnded) {
        guard !stopping, let activity = entries[feed]?.activity, activity.pages[lane] == nil else {
            throw TurnsEnded()
        }
        if activity.holding.contains(lane) { return }
        try await turn(of: lane, activity, activity.ticket.withoutBudgets, after: .zero, at: time.now())
    }

    /// Returns when `ticket` has had its turn in the line of pages.
    private func turn(
        of lane: Int, _ activity: Activity, _ ticket: Gate.Ticket, after pause: Duration, at now: Moment
    ) async throws(TurnsEnded) {
        let hasTurn = await withCheckedContinuation { continuation in
            activity.pages[lane] = continuation
            if pause > .zero {
                pausedPages.append((now.boot + pause, ticket, lane))
            } else {
                activity.waiting.append((lane, ticket))
                gate.enqueuePage(ticket)
            }
            startWhatMay(at: now)
            arm()
        }
        if !hasTurn { throw TurnsEnded() }
    }

    /// Gives back what the lane has: a turn, or no more than what its request draws on.
    @discardableResult private func endTurn(of lane: Int, _ activity: Activity, at now: Moment) -> Bool {
        if activity.holding.remove(lane) != nil {
            gate.ended(activity.ticket, kind: .page, at: now.boot)
        } else if activity.keeping.remove(lane) != nil {
            gate.endedBudgets(activity.ticket)
        } else {
            return false
        }
        return true
    }

    package func rest(of feed: FeedID, lane: Int) {
        let now = time.now()
        guard let activity = entries[feed]?.activity, endTurn(of: lane, activity, at: now) else { return }
        guard !stopping else { return }
        startWhatMay(at: now)
        arm()
    }

    package func noted(_ reading: RateReading, of feed: FeedID, at origin: Origin) {
        guard let entry = entries[feed], let activity = entry.activity else { return }
        let now = time.now()
        if activity.ticket.budgets.isEmpty {
            // Whose limit it is nobody said; the origin's is the safe guess.
            guard let pause = reading.pause, pause > .zero else { return }
            change(origin) { $0.hold(until: now.wall + pause) }
            hold(origin, until: now.boot + pause, at: now)
        } else {
            for name in activity.ticket.budgets { gate.read(reading, budget: name, at: now.boot) }
        }
    }

    package func asked(_ pause: Duration?, of feed: FeedID, at origin: Origin) -> Duration {
        let now = time.now()
        var until = now.wall
        change(origin) { until = $0.asked(pause, at: now.wall) }
        hold(origin, until: now.boot + (until - now.wall), at: now)
        return until - now.wall
    }

    func setBudgets(_ plans: [Budget]) {
        let now = time.now().boot
        for name in budgets.keys where !plans.contains(where: { $0.name == name }) {
            gate.setBudget(name, nil)
            budgets[name] = nil
        }
        for plan in plans where budgets[plan.name] != plan {
            budgets[plan.name] = plan
            gate.setBudget(
                plan.name,
                BudgetMeter(
                    rate: plan.rate, burst: plan.burst, concurrent: plan.concurrent,
                    reserve: FeedLimits().reserve, at: now))
        }
    }

    func setOwnBudget(of feed: Feed) {
        let limits = feed.details.limits
        let name = Engine.ownBudget(feed.id)
        guard let rate = limits.rate else { return gate.setBudget(name, nil) }
        gate.setBudget(
            name,
            BudgetMeter(
                rate: rate, burst: limits.burst, concurrent: limits.concurrent, reserve: limits.reserve,
                at: time.now().boot))
    }
}
