import RefreshCore

extension PlanBuilder {
    mutating func paging(_ context: FeedContext) -> PagingPlan {
        let section = context.section[block: FeedTable.paginate]
        let path = context.path(FeedTable.paginate)
        typealias Keys = FeedTable.Paging
        var plan = PagingPlan()
        guard FeedTable.paginate.entry.adapters.contains(context.kind), section.kind != nil else {
            return plan
        }
        plan.kind = pagingKind(section, context, path)
        plan.size = section[Keys.size]
        plan.sizeTo = section[Keys.sizeTo]
        plan.more = section[Keys.more].flatMap { readPlace($0, context, path + ["more"]) }
        plan.maxPages = section[Keys.maxPages]
        plan.maxRecords = section[Keys.maxRecords]
        plan.maxEmpty = section[Keys.maxEmpty]
        plan.endOn = section[Keys.endOn] ?? []
        plan.resume = section[Keys.resume]
        plan.sameOrigin = section[Keys.sameOrigin]
        if section.kind == "offset" { plan.overlap = section[Keys.overlap] }
        note(plan.sizeTo, section, Keys.sizeTo, path)
        checkPaging(plan, section, context, path)
        return plan
    }

    private mutating func pagingKind(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> PagingPlan.Kind {
        typealias Keys = FeedTable.Paging
        let to = section[Keys.to]
        note(to, section, Keys.to, path)
        switch section.kind {
        case "link_header": return .linkHeader(rel: section[Keys.rel])
        case "link", "cursor":
            guard let next = section[Keys.next].flatMap({ readPlace($0, context, path + ["next"]) }) else {
                return .none
            }
            if section.kind == "link" { return .link(next: next) }
            return .cursor(next: next, to: to, alone: section[Keys.alone] ?? [])
        case "page":
            let total = section[Keys.totalPages].flatMap { readPlace($0, context, path + ["total_pages"]) }
            return .page(to: to, start: section[Keys.firstPage], totalPages: total)
        case "offset":
            let total = section[Keys.total].flatMap { readPlace($0, context, path + ["total"]) }
            return .offset(to: to, start: section[Keys.firstOffset], total: total)
        case "keyset":
            return section[Keys.from].flatMap {
                bodyPath($0, context, path + ["from"], singular: true)
            }.map { .keyset(from: $0, to: to) } ?? .none
        default: return .none
        }
    }

    /// A list that nothing moves on would be its first page, again and again.
    private mutating func checkPaging(
        _ plan: PagingPlan, _ section: Section, _ context: FeedContext, _ path: [String]
    ) {
        let wanted: Placeholder? =
            switch section.kind {
            case "cursor", "keyset": .cursor
            case "page": .page
            case "offset": .offset
            default: nil
            }
        let isWhole = ["cursor": "next", "keyset": "from"][section.kind ?? ""].map(section.mentions) ?? true
        if let wanted, let kind = section.kind, isWhole, !section.mentions("to"), !fills(wanted) {
            let message =
                "type \"\(kind)\" never moves on and has no stop; write \"to\", or use $(\(wanted.name)) in the request"
            problems.add(.missingKey, at: section.place, path, message)
        }
        if let setting = section[FeedTable.Paging.sizeTo.entry.name], plan.size == nil,
            !section.mentions("size")
        {
            let message = "\"size_to\" needs \"size\""
            problems.add(.conflict, at: setting.keyPlace, path + ["size_to"], message)
        }
        if plan.overlap > 0, let size = plan.size, plan.overlap >= size,
            let setting = section[FeedTable.Paging.overlap.entry.name]
        {
            let message = "\(plan.overlap) is not below \"size\", which is \(size), so that no page moves on"
            problems.add(.conflict, at: setting.place, path + ["overlap"], message)
        }
    }

    // MARK: - Incremental

    mutating func incremental(_ context: FeedContext) -> IncrementalPlan? {
        guard FeedTable.incremental.entry.adapters.contains(context.kind) else { return nil }
        let section = context.section[block: FeedTable.incremental]
        let path = context.path(FeedTable.incremental)
        guard let kind = incrementalKind(section, context, path) else { return nil }
        let deletes = context.section[block: FeedTable.deletes]
        let told = deletes[FeedTable.Deletes.when] != nil || deletes[FeedTable.Deletes.list] != nil
        let said = section[FeedTable.Incremental.fullEvery]
        return IncrementalPlan(kind: kind, fullEvery: said ?? (told ? nil : .seconds(86_400)))
    }

    private mutating func incrementalKind(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> IncrementalPlan.Kind? {
        typealias Keys = FeedTable.Incremental
        let to = section[Keys.to]
        note(to, section, Keys.to, path)
        if let kind = section.kind, !section.mentions("to"), !fills(.since) {
            let message =
                "type \"\(kind)\" asks for nothing new; write \"to\", or use $(since) in the request"
            problems.add(.missingKey, at: section.place, path, message)
        }
        switch section.kind {
        case "field": return field(section, to, context, path).map { .field($0) }
        case "token":
            if context.section[FeedTable.parent] != nil {
                let message =
                    "a token belongs to one list, so with \"parent\" each of its lists is read whole; "
                    + "\"field\" and \"server_time\" serve all of them"
                problems.warn(.doubtful, at: section.place, path + ["type"], message)
            }
            return section[Keys.next].flatMap { readPlace($0, context, path + ["next"]) }.map { next in
                var token = IncrementalPlan.Token(next: next)
                token.to = to
                token.resetOn = section[Keys.resetOn]
                return .token(token)
            }
        case "server_time":
            checkStart(section, path)
            return section[Keys.next].flatMap { readPlace($0, context, path + ["next"]) }.map { next in
                var time = IncrementalPlan.ServerTime(next: next)
                time.kind = section[Keys.kind]
                time.to = to
                time.overlap = section[Keys.overlap]
                time.start = section[Keys.start]
                return .serverTime(time)
            }
        default: return nil
        }
    }

    private mutating func field(
        _ section: Section, _ to: SendPlace?, _ context: FeedContext, _ path: [String]
    ) -> IncrementalPlan.Field? {
        typealias Keys = FeedTable.Incremental
        let cursor = section[Keys.cursor].flatMap {
            bodyPath($0, context, path + ["cursor"], singular: true)
        }
        var field = IncrementalPlan.Field(cursor: cursor ?? .root)
        field.kind = section[Keys.kind]
        field.format = section[Keys.format]
        field.zone = section[Keys.zone]
        field.to = to
        field.untilTo = section[Keys.untilTo]
        field.start = section[Keys.start]
        field.overlap = section[Keys.overlap]
        field.order = section[Keys.order]
        field.bound = section[Keys.bound]
        field.step = section[Keys.step]
        field.missing = section[Keys.missing]
        note(field.untilTo, section, Keys.untilTo, path)
        checkField(field, section, path)
        checkStart(section, path)
        return cursor == nil ? nil : field
    }

    private mutating func checkField(
        _ field: IncrementalPlan.Field, _ section: Section, _ path: [String]
    ) {
        func setting(_ name: String) -> Setting? { section[name] }
        if field.kind == .format, !section.mentions("format") {
            let place = setting("kind")?.place ?? section.place
            problems.add(.missingKey, at: place, path + ["kind"], "\"kind: format\" needs \"format\"")
        }
        if field.kind != .format, let format = setting("format") {
            problems.add(
                .conflict, at: format.keyPlace, path + ["format"], "\"format\" is that of \"kind: format\"")
        }
        if let zone = setting("zone"), ![.date, .format].contains(field.kind) {
            let message = "values of the kind \(field.kind.rawValue) need no zone; remove it"
            problems.add(.conflict, at: zone.keyPlace, path + ["zone"], message)
        }
        if let step = setting("step"), !section.mentions("until_to"), !fills(.until) {
            let message = "\"step\" needs \"until_to\", or $(until) in the request"
            problems.add(.conflict, at: step.keyPlace, path + ["step"], message)
        }
        if let step = setting("step"), field.start == nil, !section.mentions("start") {
            let message = "\"step\" needs \"start\", where the first window begins"
            problems.add(.conflict, at: step.keyPlace, path + ["step"], message)
        }
    }

    /// What is sent first has to be of the kind that is sent later.
    private mutating func checkStart(_ section: Section, _ path: [String]) {
        guard let start = section[FeedTable.Incremental.start], let setting = section["start"] else { return }
        let kind = section[FeedTable.Incremental.kind]
        let here = path + ["start"]
        switch (start, kind) {
        case (.ago, .int), (.ago, .text):
            let message = "values of the kind \(kind.rawValue) know no time; write a value to begin with"
            problems.add(.conflict, at: setting.place, here, message)
        case (.value(let text), .epoch), (.value(let text), .epochMilliseconds), (.value(let text), .int):
            if Int64(text) == nil {
                let message =
                    "\"\(SafeText.short(text))\" is no whole number, as the kind \(kind.rawValue) has"
                problems.add(.badValue, at: setting.place, here, message)
            }
        case (.value(let text), .rfc3339):
            if Timestamp(rfc3339: text.utf8) == nil {
                let message = "\"\(SafeText.short(text))\" is no time such as 2024-01-01T00:00:00Z"
                problems.add(.badValue, at: setting.place, here, message)
            }
        default: break
        }
    }

    // MARK: - Deletions

    mutating func deletes(_ context: FeedContext, _ details: FeedDetails) -> DeletesPlan {
        let section = context.section[block: FeedTable.deletes]
        let path = context.path(FeedTable.deletes)
        typealias Keys = FeedTable.Deletes
        var plan = DeletesPlan(absent: section[Keys.absent, context.kind])
        plan.when = section[Keys.when]
        plan.list = section[Keys.list].flatMap {
            bodyPath($0, context, path + ["list"], singular: false)
        }
        if context.kind == .xml || context.kind == .html, plan.list != nil,
            (context.section[FeedTable.key] ?? []).count > 1, let setting = section["list"]
        {
            let message = "a listed text is one value, and the key has several; write \"deletes.when\""
            problems.add(.conflict, at: setting.place, path + ["list"], message)
        }
        let isByPosition =
            switch details.paging.kind {
            case .page, .offset: true
            default: false
            }
        plan.confirm = section[Keys.confirm] ?? (isByPosition ? 2 : 1)
        plan.dropGuard = section[Keys.dropGuard]
        checkAbsent(plan, section, details, context)
        return plan
    }

    /// Increments name no item that is gone; only a whole pass shows it (semantics U4).
    private mutating func checkAbsent(
        _ plan: DeletesPlan, _ section: Section, _ details: FeedDetails, _ context: FeedContext
    ) {
        guard let incremental = details.incremental, incremental.fullEvery == nil, plan.absent == .gone else {
            return
        }
        let isTold = plan.when != nil || plan.list != nil
        let absent = section[FeedTable.Deletes.absent.entry.name]
        guard absent != nil || !isTold else { return }
        let full = context.section[block: FeedTable.incremental][FeedTable.Incremental.fullEvery.entry.name]
        let place = absent?.place ?? full?.place ?? context.place
        let path =
            absent == nil
            ? context.path(FeedTable.incremental) + ["full_every"]
            : context.path(FeedTable.deletes) + ["absent"]
        let message =
            "\"deletes.absent: gone\" with \"incremental\" needs \"full_every\": no increment shows what is gone"
        problems.add(.conflict, at: place, path, message)
    }
}
