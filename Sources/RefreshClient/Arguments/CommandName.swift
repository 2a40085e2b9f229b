/// Every command there is, in the order in which help lists them.
package enum CommandName: String, CaseIterable, Sendable {
    case status, feeds, items, get, changes, watch, history, refresh, pause, resume, reload
    case check, `try`, explain, suggest, `import`, diff, schema, help, version

    /// What stands behind the command's name, in order; those of `optional` may be left out.
    var operands: (needed: [String], optional: [String]) {
        switch self {
        case .status, .feeds, .reload, .schema, .version: ([], [])
        case .items, .changes, .watch, .history, .refresh, .pause, .resume: (["FEED"], [])
        case .get: (["FEED", "KEY"], [])
        case .check: ([], ["FILE"])
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
        case .status, .feeds, .get, .history, .pause, .resume, .reload, .diff, .help, .version: []
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
