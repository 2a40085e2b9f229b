import RefreshCore

extension PlanBuilder {
    mutating func derived(_ context: FeedContext) -> [DerivePlan] {
        (context.section[FeedTable.derive] ?? []).compactMap { named in
            guard case .block(let section) = named.setting.value else { return nil }
            typealias Keys = FeedTable.Derive
            let path = context.path(FeedTable.derive) + [named.name]
            var plan = DerivePlan(name: named.name)
            plan.from = section[Keys.from] ?? []
            plan.command = section[Keys.exec] ?? []
            plan.plugin = section[Keys.plugin]
            plan.mode = section[Keys.mode]
            plan.params = section[Keys.params]
            plan.timeout = section[Keys.timeout]
            plan.maxVariants = section[Keys.maxVariants]
            plan.bytes = section[Keys.bytes]
            if let plugin = plan.plugin, !section.mentions("exec"), !pluginNames.contains(plugin) {
                let message = unknown("plugin", plugin, pluginNames)
                problems.add(
                    .badValue, at: section["plugin"]?.place ?? section.place, path + ["plugin"], message)
            }
            return plan
        }
    }

    mutating func outbox(_ context: FeedContext) -> OutboxPlan? {
        guard let section = context.section[FeedTable.outbox] else { return nil }
        let path = context.path(FeedTable.outbox)
        typealias Keys = FeedTable.Outbox
        var plan = OutboxPlan()
        plan.idempotency = idempotency(section, context, path)
        plan.actions = (section[Keys.actions] ?? []).compactMap {
            action($0, plan.idempotency, context, path)
        }
        plan.lane = section[Keys.lane]
        plan.lookup = section[Keys.lookup].flatMap {
            request($0, .lookup, context, path + ["lookup"])
        }
        plan.correlation = section[Keys.correlation]
        plan.onUnknown = section[Keys.onUnknown]
        plan.onDead = section[Keys.onDead]
        plan.timeout = section[Keys.timeout]
        plan.maxAttempts = section[Keys.maxAttempts]
        plan.maxAge = section[Keys.maxAge]
        plan.gateTimeout = section[Keys.gateTimeout]
        plan.settle = section[Keys.settle]
        plan.resultKeep = section[Keys.resultKeep]
        plan.maxOperations = section[Keys.maxOperations]
        plan.maxBody = section[Keys.maxBody]
        plan.invalidates = invalidates(section, path)
        return plan
    }

    private mutating func action(
        _ named: NamedSetting, _ idempotency: OutboxPlan.Idempotency, _ context: FeedContext,
        _ path: [String]
    ) -> OutboxPlan.Action? {
        guard case .block(let section) = named.setting.value,
            var keys = section[FeedTable.Action.request]
        else { return nil }
        let here = path + ["actions", named.name, "request"]
        // Operations change something; GET would be the wrong default.
        if !keys.mentions("method") {
            keys["method"] = Setting(value: .text("POST"), keyPlace: keys.place, place: keys.place)
        }
        let before = filled.count
        guard let request = request(keys, .action, context, here) else { return nil }
        if case .address = idempotency,
            !filled[before...].contains(where: { $0.placeholder == .operationID && $0.path.last == "url" })
        {
            let message = "\"idempotency: address\" needs $(op.id) in the URL of every action"
            problems.add(.conflict, at: keys["url"]?.place ?? keys.place, here + ["url"], message)
        }
        var action = OutboxPlan.Action(name: named.name, request: request)
        action.key = section[FeedTable.Action.key]
        action.temporaryKey = section[FeedTable.Action.temporaryKey]
        return action
    }

    private mutating func idempotency(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> OutboxPlan.Idempotency {
        switch section[FeedTable.Outbox.idempotency] {
        case .word(let word): return word == "address" ? .address : .none
        case .block(let keys):
            let header = keys[FeedTable.Idempotency.header]
            let body = keys[FeedTable.Idempotency.body]
            return header.map { .header($0) } ?? body.map { .body($0) } ?? .none
        }
    }

    private mutating func invalidates(_ section: Section, _ path: [String]) -> [FeedID] {
        (section[FeedTable.Outbox.invalidates] ?? []).compactMap { name in
            if feedNames.contains(name) { return FeedID(name) }
            let place = section["invalidates"]?.place ?? section.place
            let message = unknown("feed", name, reading.feeds.lazy.map(\.name))
            problems.add(.badValue, at: place, path + ["invalidates"], message)
            return nil
        }
    }

    // MARK: - Parents

    mutating func parent(_ context: FeedContext) -> ParentPlan? {
        guard FeedTable.parent.entry.adapters.contains(context.kind),
            let section = context.section[FeedTable.parent], let name = section[FeedTable.Parent.feed]
        else { return nil }
        let path = context.path(FeedTable.parent) + ["feed"]
        let place = section["feed"]?.place ?? section.place
        guard feedNames.contains(name), let id = FeedID(name) else {
            let message = unknown("feed", name, reading.feeds.lazy.map(\.name))
            problems.add(.badValue, at: place, path, message)
            return nil
        }
        if id == context.id {
            problems.add(.conflict, at: place, path, "a feed cannot be its own parent")
            return nil
        }
        var plan = ParentPlan(feed: id)
        plan.filter = section[FeedTable.Parent.filter]
        plan.with = section[FeedTable.Parent.with] ?? []
        plan.concurrent = section[FeedTable.Parent.concurrent]
        plan.changedOnly = section[FeedTable.Parent.changedOnly]
        return plan
    }
}
