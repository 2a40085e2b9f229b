import RefreshCore

/// What holds for the whole daemon, budgets and plugins.
extension PlanBuilder {
    func settings(_ section: Section) -> DaemonSettings {
        var settings = DaemonSettings()
        let socket = section[block: DaemonTable.socket]
        settings.socketPath = socket[DaemonTable.Socket.api.path]
        settings.socketMode = socket[DaemonTable.Socket.api.mode]
        settings.socketGroup = socket[DaemonTable.Socket.api.group]
        let control = section[block: DaemonTable.control]
        settings.controlPath = control[DaemonTable.Socket.control.path]
        settings.controlMode = control[DaemonTable.Socket.control.mode]
        settings.controlGroup = control[DaemonTable.Socket.control.group]
        settings.stateFolder = section[DaemonTable.state]
        settings.userAgent = section[DaemonTable.userAgent]
        settings.concurrency = section[DaemonTable.concurrency]
        settings.perOrigin = section[DaemonTable.perOrigin]
        settings.originGap = section[DaemonTable.originGap]
        settings.buffers = section[DaemonTable.buffers]
        settings.disk = section[DaemonTable.disk]
        let connections = section[block: DaemonTable.connections]
        settings.connections = connections[DaemonTable.Connections.most]
        settings.connectionsPerUser = connections[DaemonTable.Connections.perUser]
        settings.streams = connections[DaemonTable.Connections.streams]
        settings.quota = section[DaemonTable.quota]
        let access = section[block: DaemonTable.access]
        settings.access.read = PlanBuilder.people(access[DaemonTable.Access.read])
        settings.access.operate = PlanBuilder.people(access[DaemonTable.Access.operate])
        settings.access.control = PlanBuilder.people(access[DaemonTable.Access.control])
        let log = section[block: DaemonTable.log]
        settings.logLevel = log[DaemonTable.Log.level]
        settings.logFormat = log[DaemonTable.Log.format]
        let backup = section[block: DaemonTable.backup]
        settings.backupFolder = backup[DaemonTable.Backup.folder]
        settings.backupsKept = backup[DaemonTable.Backup.keep]
        settings.drain = section[DaemonTable.drain]
        return settings
    }

    static func people(_ section: Section?) -> AccessList? {
        guard let section else { return nil }
        var list = AccessList()
        list.users = section[DaemonTable.People.users] ?? []
        list.groups = section[DaemonTable.People.groups] ?? []
        return list
    }

    mutating func budget(_ named: NamedSetting) -> Budget {
        var budget = Budget(name: named.name)
        guard case .block(let section) = named.setting.value else { return budget }
        let path = [RootTable.budgets.entry.name, named.name]
        checkNeeds(of: BudgetTable.block, section, .json, at: named.setting.keyPlace, path)
        budget.rate = section[BudgetTable.rate]
        budget.burst = section[BudgetTable.burst]
        budget.concurrent = section[BudgetTable.concurrent]
        budget.headers = PlanBuilder.rateHeaders(section[BudgetTable.headers])
        let limits = [BudgetTable.rate.entry, BudgetTable.concurrent.entry, BudgetTable.headers.entry]
        if !limits.contains(where: { section.mentions($0.name) }) {
            let message = "limits nothing; write \"rate\" or \"concurrent\""
            problems.add(.missingKey, at: named.setting.keyPlace, path, message)
        } else {
            checkBurst(section, BudgetTable.burst, BudgetTable.rate, path)
        }
        return budget
    }

    /// What may come at once is a part of what may come at all.
    mutating func checkBurst(
        _ section: Section, _ burst: Key<Int>, _ rate: Key<Rate>, _ path: [String]
    ) {
        guard let setting = section[burst.entry.name], !section.mentions(rate.entry.name) else { return }
        let message = "\"burst\" needs \"rate\", which says how it is filled again"
        problems.add(.conflict, at: setting.keyPlace, path + [burst.entry.name], message)
    }

    static func rateHeaders(_ value: WordOrBlock) -> RateHeaders {
        switch value {
        case .word(let word): return word == "off" ? .off : .auto
        case .block(let section):
            guard let remaining = section[FeedTable.RateHeaderKeys.remaining],
                let reset = section[FeedTable.RateHeaderKeys.reset]
            else { return .auto }
            return .named(
                remaining: remaining, reset: reset, form: section[FeedTable.RateHeaderKeys.form])
        }
    }

    mutating func plugin(_ named: NamedSetting) -> PluginPlan {
        var plan = PluginPlan(name: named.name)
        guard case .block(let section) = named.setting.value else { return plan }
        let path = [RootTable.plugins.entry.name, named.name]
        if FeedTable.builtInAdapters.contains(named.name) {
            let message = "\"\(named.name)\" is an adapter of refreshd itself; take another name"
            problems.add(.conflict, at: named.setting.keyPlace, path, message)
        }
        checkNeeds(of: PluginTable.block, section, .plugin, at: named.setting.keyPlace, path)
        plan.command = section[PluginTable.exec] ?? []
        plan.mode = section[PluginTable.mode]
        plan.config = section[PluginTable.config]
        plan.secrets = (section[PluginTable.secrets] ?? []).compactMap {
            if case .secret(let source) = $0.setting.value {
                .init(name: $0.name, source: source)
            } else {
                nil
            }
        }
        let limits = section[block: PluginTable.limits]
        plan.memory = limits[PluginTable.Limits.memory]
        plan.files = limits[PluginTable.Limits.files]
        plan.idle = limits[PluginTable.Limits.idle]
        plan.concurrency = limits[PluginTable.Limits.concurrency]
        return plan
    }
}
