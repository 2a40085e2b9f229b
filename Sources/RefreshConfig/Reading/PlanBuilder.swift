import RefreshCore

/// Makes the plan of what the file says, and checks what no single value shows.
struct PlanBuilder {
    var problems: ProblemList

    /// Of use only where there are no problems.
    mutating func plan(_ root: Section) -> Plan {
        let daemon = root[block: RootTable.daemon]
        let defaults = withURLInRequest(root[block: RootTable.defaults], [RootTable.defaults.entry.name])
        let feeds = root[RootTable.feeds] ?? []
        if feeds.isEmpty, !problems.hasErrors {
            let place = root[RootTable.feeds.entry.name]?.keyPlace ?? SourcePlace(line: 1, column: 1)
            problems.warn(.doubtful, at: place, "there are no feeds, so there is nothing to do")
        }
        let built = feeds.compactMap { feed(in: $0, defaults, daemon) }
        return Plan(daemon: PlanBuilder.settings(daemon), feeds: built)
    }

    private static func settings(_ section: Section) -> DaemonSettings {
        let socket = section[block: DaemonTable.socket]
        var settings = DaemonSettings()
        settings.socketPath = socket[DaemonTable.Socket.path]
        settings.socketMode = socket[DaemonTable.Socket.mode]
        settings.stateFolder = section[DaemonTable.state]
        settings.userAgent = section[DaemonTable.userAgent]
        settings.concurrency = section[DaemonTable.concurrency]
        settings.perOrigin = section[DaemonTable.perOrigin]
        let connections = section[block: DaemonTable.connections]
        settings.connections = connections[DaemonTable.Connections.most]
        settings.connectionsPerUser = connections[DaemonTable.Connections.perUser]
        settings.logLevel = section[block: DaemonTable.log][DaemonTable.Log.level]
        settings.drain = section[DaemonTable.drain]
        return settings
    }

    /// `url` at the top of a feed is short for `request.url`; both at once is one too many.
    private mutating func withURLInRequest(_ section: Section, _ path: [String]) -> Section {
        let short = FeedTable.url.entry.name
        guard let url = section[short] else { return section }
        let request = section[block: FeedTable.request]
        if let other = request[FeedTable.Request.url.entry.name] {
            let (first, second) = url.keyPlace < other.keyPlace ? (url, other) : (other, url)
            let message = "the URL is given twice, here and on line \(first.keyPlace.line); remove one"
            problems.add(.conflict, at: second.keyPlace, path, message)
            return section
        }
        var whole = request
        whole[FeedTable.Request.url.entry.name] = url
        var result = section
        let place = section[FeedTable.request.entry.name]?.keyPlace ?? url.keyPlace
        result[FeedTable.request.entry.name] = Setting(value: .block(whole), keyPlace: place, place: place)
        result[short] = nil
        return result
    }
}

// MARK: - A feed

extension PlanBuilder {
    private mutating func feed(in named: NamedSection, _ defaults: Section, _ daemon: Section) -> Feed? {
        let path = [RootTable.feeds.entry.name, named.name]
        let section = withURLInRequest(named.section, path).over(defaults)
        guard let id = FeedID(named.name), let adapter = section[FeedTable.adapter] else {
            missing(FeedTable.adapter.entry, in: section, at: named.place, path)
            return nil
        }
        checkUse(of: FeedTable.block, named.section, adapter, path)
        for entry in FeedTable.block.entries where entry.required.contains(adapter) {
            missing(entry, in: section, at: named.place, path)
        }
        let schedule = schedule(section, adapter, path)
        let request = request(section, adapter, daemon, at: named.place, path)
        guard let request else { return nil }
        let records = section[block: FeedTable.records]
        let isRows = adapter == .json
        return Feed(
            id: id, adapter: adapter, title: section[FeedTable.title], enabled: section[FeedTable.enabled],
            schedule: schedule, request: request,
            records: RecordsPlan(
                path: .json(isRows ? records[FeedTable.Records.path] : .root),
                key: (isRows ? section[FeedTable.key] ?? [] : []).map(BodyPath.json)),
            retention: Retention(count: section[block: FeedTable.keep][FeedTable.Keep.count, adapter]),
            absent: section[block: FeedTable.deletes][FeedTable.Deletes.absent, adapter])
    }

    private mutating func missing(
        _ entry: Entry, in section: Section, at place: SourcePlace, _ path: [String]
    ) {
        guard section[entry.name] == nil, !section.refused.contains(entry.name) else { return }
        problems.add(.missingKey, at: place, path, "\"\(entry.name)\" is missing; write \(entry.shape.noun)")
    }

    /// A key that the feed's adapter has no use for is a misunderstanding; in `defaults` it is meant for others.
    private mutating func checkUse(
        of block: Block, _ section: Section, _ adapter: Feed.Adapter, _ path: [String]
    ) {
        for entry in block.entries {
            guard let setting = section[entry.name] else { continue }
            if case .block(let inner) = setting.value, case .block(let block) = entry.shape {
                checkUse(of: block, inner, adapter, path + [entry.name])
            } else if !entry.adapters.contains(adapter) {
                let message = "has no meaning for the adapter \"\(adapter.rawValue)\"; remove it"
                problems.add(.conflict, at: setting.keyPlace, path + [entry.name], message)
            }
        }
    }

    private mutating func schedule(
        _ section: Section, _ adapter: Feed.Adapter, _ path: [String]
    ) -> Schedule {
        let minGap = section[block: FeedTable.schedule][FeedTable.Timing.minGap]
        let every = section[FeedTable.every, adapter]
        let least = max(FeedTable.shortestInterval, min(FeedTable.shortestSyndicationInterval, minGap))
        if adapter == .feed, let every, every < least, let setting = section[FeedTable.every.entry.name] {
            let message =
                "\(DurationText.format(every)) is below the minimum of \(DurationText.format(least)) for the adapter \"feed\""
            problems.add(.badValue, at: setting.place, path + [FeedTable.every.entry.name], message)
        }
        return Schedule(every: every, jitter: section[FeedTable.jitter], minGap: minGap)
    }

    private mutating func request(
        _ section: Section, _ adapter: Feed.Adapter, _ daemon: Section, at place: SourcePlace,
        _ path: [String]
    ) -> RequestPlan? {
        let request = section[block: FeedTable.request]
        let limits = section[block: FeedTable.limits]
        guard let url = request[FeedTable.Request.url] else {
            let isRefused =
                section.refused.contains(FeedTable.request.entry.name)
                || request.refused.contains(FeedTable.Request.url.entry.name)
            if !isRefused { missing(FeedTable.url.entry, in: section, at: place, path) }
            return nil
        }
        var costs = TransferLimits()
        costs.connect = request[FeedTable.Request.connect]
        costs.stall = request[FeedTable.Request.stall]
        costs.total = request[FeedTable.Request.timeout]
        costs.hops = request[block: FeedTable.Request.redirects][FeedTable.Redirects.max]
        costs.wire = limits[FeedTable.Limits.body, adapter]
        costs.decoded = limits[FeedTable.Limits.decoded, adapter]
        let allowPrivate = section[FeedTable.allowPrivate] ?? daemon[DaemonTable.allowPrivate]
        return RequestPlan(
            url: url, headers: request[FeedTable.Request.headers] ?? HTTPHeaders(),
            allowPrivate: allowPrivate,
            limits: costs)
    }
}
