/// Every command there is, in the order in which help lists them.
package enum CommandName: String, CaseIterable, Sendable {
    case status, top, feeds, items, get, changes, watch, history, refresh, pause, resume, purge, reset
    case reload, backup, restore
    case logLevel = "log-level"
    case metrics, doctor
    case check, `try`, explain, suggest, `import`, diff, schema, help, version

    /// What stands behind the command's name, in order; those of `optional` may be left out.
    var operands: (needed: [String], optional: [String]) {
        switch self {
        case .status, .top, .feeds, .reload, .backup, .metrics, .schema, .version: ([], [])
        case .items, .changes, .watch, .history, .refresh, .pause, .resume, .purge, .reset: (["FEED"], [])
        case .restore: ([], ["NAME"])
        case .logLevel: ([], ["LEVEL"])
        case .get: (["FEED", "KEY"], [])
        case .check, .doctor: ([], ["FILE"])
        case .try, .explain: (["FEED"], ["FILE"])
        case .suggest: (["URL"], [])
        case .import: (["FILE"], [])
        case .diff: ([], ["FILE", "NEW"])
        case .help: ([], ["COMMAND"])
        }
    }

    /// The command's own options; the global ones go everywhere.
    var options: [Option] {
        switch self {
        case .status, .feeds, .get, .history, .pause, .resume, .purge, .reset, .reload, .backup, .logLevel,
            .diff, .help, .version:
            []
        case .top: [.once, .interval]
        case .restore: [.stateFolder, .backups]
        case .metrics: [.output]
        case .doctor: [.denyWarnings, .stateFolder]
        case .items: [.limit, .all, .cursor]
        case .changes: [.since, .limit]
        case .watch: [.since, .all, .exec, .state]
        case .refresh: [.now, .force, .wait, .deadline, .acceptDrop]
        case .check: [.format, .denyWarnings]
        case .try: [.pages, .since, .full, .secret, .record, .replay]
        case .suggest: [.allowPrivate]
        case .import: [.every]
        case .explain, .schema: [.format]
        }
    }
}
