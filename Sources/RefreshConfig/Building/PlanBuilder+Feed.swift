import RefreshCore

/// One feed whose layers have come together.
extension PlanBuilder {
    mutating func feed(_ context: FeedContext) -> Feed? {
        let section = context.section
        checkUse(of: FeedTable.block, context.own, context.kind, context.path)
        checkNeeds(of: FeedTable.block, section, context.kind, at: context.place, context.path)
        guard let request = listRequest(context) else { return nil }
        var feed = Feed(
            id: context.id, adapter: context.adapter, title: section[FeedTable.title],
            enabled: section[FeedTable.enabled], schedule: schedule(context), request: request,
            records: records(context), retention: retention(context),
            absent: section[block: FeedTable.deletes][FeedTable.Deletes.absent, context.kind])
        feed.tags = section[FeedTable.tags] ?? []
        feed.expect = section[FeedTable.expect]
        var details = FeedDetails()
        details.auth = auth(context)
        details.sort = sort(context)
        details.paging = paging(context)
        details.incremental = incremental(context)
        feed.deletes = deletes(context, details)
        details.byID = byID(context)
        details.freshness = freshness(context, byID: details.byID != nil)
        details.preload = preload(context)
        details.derived = derived(context)
        details.outbox = outbox(context)
        details.parent = parent(context)
        details.errors = errors(context)
        details.retry = retry(context)
        details.limits = limits(context)
        details.readers = PlanBuilder.people(section[FeedTable.readers])
        details.operators = PlanBuilder.people(section[FeedTable.operators])
        checkTogether(context, feed, details)
        feed.details = shared(details)
        // Feeds of one adapter are mostly alike in all but their URL.
        if let other = examples[context.adapter.name] { feed.share(with: other) }
        examples[context.adapter.name] = feed
        return feed
    }

    // MARK: - When

    private mutating func schedule(_ context: FeedContext) -> Schedule {
        let section = context.section
        let timing = section[block: FeedTable.schedule]
        let minGap = timing[FeedTable.Timing.minGap]
        let every = section[FeedTable.every, context.kind]
        let least = max(FeedTable.shortestInterval, min(FeedTable.shortestSyndicationInterval, minGap))
        if context.kind == .feed, let every, every < least,
            let setting = section[FeedTable.every.entry.name]
        {
            let message =
                "\(DurationText.format(every)) is below the minimum of \(DurationText.format(least)) for the adapter \"feed\""
            problems.add(.badValue, at: setting.place, context.path + [FeedTable.every.entry.name], message)
        }
        let cron = cron(context)
        var schedule = Schedule(
            every: cron == nil ? every : nil, jitter: section[FeedTable.jitter], minGap: minGap)
        schedule.cron = cron
        schedule.adaptive = timing[FeedTable.Timing.adaptive, context.kind]
        schedule.maxInterval = timing[FeedTable.Timing.maxInterval]
        schedule.honorHints = timing[FeedTable.Timing.honorHints]
        schedule.hintCap = timing[FeedTable.Timing.hintCap]
        let skip = timing[block: FeedTable.Timing.skip]
        schedule.skipHours = Set(skip[FeedTable.Skip.hours] ?? [])
        let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        schedule.skipDays = Set((skip[FeedTable.Skip.days] ?? []).compactMap { days.firstIndex(of: $0) })
        checkSkip(schedule, timing, context)
        return schedule
    }

    private mutating func checkSkip(_ schedule: Schedule, _ timing: Section, _ context: FeedContext) {
        guard schedule.skipHours.count == 24 || schedule.skipDays.count == 7 else { return }
        let place = timing[FeedTable.Timing.skip.entry.name]?.place ?? context.place
        let path = context.path(FeedTable.schedule) + [FeedTable.Timing.skip.entry.name]
        problems.add(
            .conflict, at: place, path, "nothing is left; write \"every: off\" for no schedule at all")
    }

    /// `cron` stands in the place of `every`; said at one level of the file it overrules the other at a lower one.
    private mutating func cron(_ context: FeedContext) -> CronPlan? {
        let section = context.section
        guard let cron = section[FeedTable.cron], let setting = section[FeedTable.cron.entry.name] else {
            if let zone = section[FeedTable.zone.entry.name], zone.origin == .feed,
                !section.mentions(FeedTable.cron.entry.name)
            {
                let path = context.path + [FeedTable.zone.entry.name]
                problems.add(
                    .conflict, at: zone.keyPlace, path, "\"zone\" is that of \"cron\", which is missing")
            }
            return nil
        }
        if let every = section[FeedTable.every.entry.name] {
            if every.origin == setting.origin {
                let path = context.path + [FeedTable.cron.entry.name]
                let message = "\"cron\" and \"every\" exclude each other; remove one"
                problems.add(.conflict, at: max(every.keyPlace, setting.keyPlace), path, message)
            } else if every.origin == .feed {
                return nil
            }
        }
        return CronPlan(cron: cron, zone: section[FeedTable.zone])
    }

    // MARK: - What is kept

    private mutating func retention(_ context: FeedContext) -> Retention {
        let keep = context.section[block: FeedTable.keep]
        var retention = Retention(count: keep[FeedTable.Keep.count, context.kind])
        retention.age = keep[FeedTable.Keep.age]
        retention.bytes = keep[FeedTable.Keep.bytes]
        retention.listed = keep[FeedTable.Keep.listed]
        retention.gone = keep[FeedTable.Keep.gone]
        retention.ledger = keep[FeedTable.Keep.ledger]
        let tombstones = keep[block: FeedTable.Keep.tombstones]
        retention.tombstoneAge = tombstones[FeedTable.Tombstones.age]
        retention.tombstoneCount = tombstones[FeedTable.Tombstones.count]
        retention.tombstoneMinAge = tombstones[FeedTable.Tombstones.minAge]
        retention.tombstoneHardBytes = tombstones[FeedTable.Tombstones.hardBytes]
        if retention.tombstoneMinAge > retention.tombstoneAge {
            let shown = DurationText.format(retention.tombstoneAge)
            let name = FeedTable.Tombstones.minAge.entry.name
            let isSaid = tombstones.mentions(name)
            let place =
                tombstones[isSaid ? name : FeedTable.Tombstones.age.entry.name]?.place ?? context.place
            let path = context.path(FeedTable.keep, FeedTable.Keep.tombstones)
            let message =
                "\"min_age\" is \(DurationText.format(retention.tombstoneMinAge)), beyond \"age\", which is \(shown)"
            problems.add(.conflict, at: place, path, message)
        }
        return retention
    }

    // MARK: - Rules

    private func errors(_ context: FeedContext) -> [ErrorRule] {
        (context.section[FeedTable.errors] ?? []).compactMap { section in
            guard let when = section[FeedTable.Rule.when], let action = section[FeedTable.Rule.action] else {
                return nil
            }
            var condition = ErrorRule.Condition()
            condition.statuses = when[FeedTable.When.status] ?? []
            condition.body = when[FeedTable.When.body]
            condition.text = when[FeedTable.When.text]
            if let header = when[FeedTable.When.header] {
                let parts = header.utf8.split(separator: 0x3A, maxSplits: 1).map { String(Substring($0)) }
                let value =
                    parts.count == 2
                    ? String(decoding: ASCII.trimmed(Array(parts[1].utf8)), as: UTF8.self) : nil
                condition.header = (parts.first ?? header, value)
            }
            return ErrorRule(when: condition, action: action, message: section[FeedTable.Rule.message])
        }
    }

    private func retry(_ context: FeedContext) -> RetryPlan {
        let section = context.section[block: FeedTable.retry]
        var retry = RetryPlan()
        retry.tries = section[FeedTable.Retry.tries]
        retry.first = section[FeedTable.Retry.first]
        retry.factor = section[FeedTable.Retry.factor]
        retry.longest = section[FeedTable.Retry.longest]
        retry.jitter = section[FeedTable.Retry.jitter]
        return retry
    }

    private mutating func limits(_ context: FeedContext) -> FeedLimits {
        let section = context.section[block: FeedTable.limits]
        typealias Keys = FeedTable.Limits
        var limits = FeedLimits()
        limits.rate = section[Keys.rate]
        limits.burst = section[Keys.burst]
        limits.concurrent = section[Keys.concurrent]
        limits.share = section[Keys.share]
        limits.headers = PlanBuilder.rateHeaders(section[Keys.headers])
        limits.reserve = section[Keys.reserve]
        limits.waitMax = section[Keys.waitMax]
        limits.depth = section[Keys.depth]
        limits.pass = section[Keys.pass]
        limits.rows = section[Keys.rows]
        limits.keyBytes = section[Keys.keyBytes]
        let decoded = section[Keys.decoded, context.kind]
        limits.itemBytes = section[Keys.itemBytes] ?? (context.kind == .http ? decoded : limits.itemBytes)
        checkBurst(section, Keys.burst, Keys.rate, context.path(FeedTable.limits))
        if let name = limits.share, !budgetNames.contains(name) {
            let place = section[Keys.share.entry.name]?.place ?? context.place
            let message = unknown("budget", name, budgetNames)
            problems.add(
                .badValue, at: place, context.path(FeedTable.limits) + [Keys.share.entry.name], message)
        } else if let name = limits.share, problems.scopes.contains(.part("budgets.\(name)")) {
            problems.spoil(context.id.name, because: "the budget \"\(name)\" is wrong")
        }
        return limits
    }
}
