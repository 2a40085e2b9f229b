import RefreshCore

extension PlanBuilder {
    mutating func byID(_ context: FeedContext) -> ByIDPlan? {
        guard FeedTable.byID.entry.adapters.contains(context.kind),
            let section = context.section[FeedTable.byID]
        else { return nil }
        let path = context.path(FeedTable.byID)
        typealias Keys = FeedTable.ByID
        var plan = ByIDPlan()
        plan.request = byIDRequest(section, context, path)
        plan.to = section[Keys.to]
        if section[Keys.repeated] { plan.joining = .repeated }
        if let separator = section[Keys.join] { plan.joining = .separator(separator) }
        plan.maxBatch = section[Keys.maxBatch]
        plan.minBatch = section[Keys.minBatch]
        plan.window = section[Keys.window]
        plan.debounce = section[Keys.debounce]
        plan.maxWait = section[Keys.maxWait]
        plan.fillMinAge = section[Keys.fillMinAge]
        plan.goneRecheck = section[Keys.goneRecheck]
        plan.missing = section[Keys.missing]
        plan.missingGuard = section[Keys.missingGuard]
        plan.maxFlights = section[Keys.maxFlights]
        plan.flightTimeout = section[Keys.flightTimeout]
        plan.forceMinInterval = section[Keys.forceMinInterval]
        plan.fallsBackToList = section[Keys.fallback] != nil
        checkByID(plan, section, context, path)
        return plan
    }

    /// What it says itself, over the feed's own request.
    private mutating func byIDRequest(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> RequestPlan? {
        guard let own = section[FeedTable.ByID.request] else { return nil }
        var base = context.section[block: FeedTable.request]
        // One body in the place of another, whatever kind each is of.
        if own.mentions("body") { base["body"] = nil }
        return request(own.over(base), .byID, context, path + ["request"])
    }

    private mutating func checkByID(
        _ plan: ByIDPlan, _ section: Section, _ context: FeedContext, _ path: [String]
    ) {
        if plan.maxWait < plan.debounce {
            let isSaid = section.mentions("max_wait")
            let name = isSaid ? "max_wait" : "debounce"
            let shown = DurationText.format(plan.debounce)
            let message =
                "\"max_wait\" is \(DurationText.format(plan.maxWait)), below \"debounce\", which is \(shown)"
            problems.add(.conflict, at: section[name]?.place ?? section.place, path + [name], message)
        }
        if plan.minBatch > plan.maxBatch, let setting = section["min_batch"] {
            let message = "\(plan.minBatch) is above \"max_batch\", which is \(plan.maxBatch)"
            problems.add(.conflict, at: setting.place, path + ["min_batch"], message)
        }
        if section[FeedTable.ByID.repeated], let join = section["join"] {
            problems.add(
                .conflict, at: join.keyPlace, path + ["join"], "\"join\" and \"repeat\" exclude each other")
        }
        if !section.mentions("to"), !fills(.ids), !plan.fallsBackToList {
            let message = "says nowhere which ids; write \"to\", or use $(ids) in its request"
            problems.add(.missingKey, at: section.place, path, message)
        }
    }

    mutating func freshness(_ context: FeedContext, byID: Bool) -> FreshnessPlan {
        let section = context.section[block: FeedTable.freshness]
        typealias Keys = FeedTable.Freshness
        var plan = FreshnessPlan()
        plan.scope = section[Keys.scope] ?? (byID ? .item : .feed)
        plan.freshFor = section[Keys.freshFor] ?? (plan.scope == .item ? .seconds(300) : nil)
        plan.serveStale = section[Keys.serveStale]
        plan.staleIfError = section[Keys.staleIfError]
        plan.wait = section[Keys.wait]
        plan.keepValidators = section[Keys.keepValidators]
        plan.upstreamHeaders = section[Keys.upstreamHeaders]
        if plan.scope == .item, !context.section.mentions(FeedTable.byID.entry.name),
            let setting = section["scope"]
        {
            let path = context.path(FeedTable.freshness) + ["scope"]
            problems.add(.conflict, at: setting.place, path, "\"scope: item\" needs \"by_id\"")
        }
        return plan
    }

    mutating func preload(_ context: FeedContext) -> PreloadPlan? {
        guard FeedTable.preload.entry.adapters.contains(context.kind),
            let value = context.section[FeedTable.preload]
        else { return nil }
        let isPaged = (context.section[block: FeedTable.paginate].kind ?? "none") != "none"
        if !isPaged, !context.section.mentions(FeedTable.paginate.entry.name),
            let setting = context.section[FeedTable.preload.entry.name], setting.origin == .feed
        {
            let message = "needs \"paginate\": a list of one page has no deeper ones"
            problems.add(.conflict, at: setting.keyPlace, context.path(FeedTable.preload), message)
        }
        var plan = PreloadPlan()
        guard case .block(let section) = value else {
            plan.isAhead = false
            return plan
        }
        typealias Keys = FeedTable.Preload
        plan.passPages = section[Keys.passPages]
        plan.aheadItems = section[Keys.aheadItems]
        plan.aheadRatio = section[Keys.aheadRatio]
        plan.pagesAhead = section[Keys.pagesAhead]
        plan.emptyPagesMax = section[Keys.emptyPagesMax]
        plan.shortPageIsEnd = section[Keys.shortPageIsEnd]
        return plan
    }
}
