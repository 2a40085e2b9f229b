/// Every command there is, in the order in which help lists them.
package enum CommandName: String, CaseIterable, Sendable {
    case status, feeds, items, get, changes, refresh, check, explain, schema, help, version

    /// What stands behind the command's name, in order; those of `optional` may be left out.
    var operands: (needed: [String], optional: [String]) {
        switch self {
        case .status, .feeds, .schema, .version: ([], [])
        case .items, .changes, .refresh: (["FEED"], [])
        case .get: (["FEED", "KEY"], [])
        case .check: ([], ["FILE"])
        case .explain: (["FEED"], ["FILE"])
        case .help: ([], ["COMMAND"])
        }
    }

    /// The command's own options; the global ones go everywhere.
    var options: [Option] {
        switch self {
        case .status, .feeds, .get, .help, .version: []
        case .items: [.limit, .all, .cursor]
        case .changes: [.since, .limit]
        case .refresh: [.now, .force, .wait, .deadline, .acceptDrop]
        case .check: [.format, .denyWarnings]
        case .explain, .schema: [.format]
        }
    }
}

/// An option as it is written.
enum Option: String, CaseIterable, Sendable {
    case socket = "--socket"
    case json = "--json"
    case help = "--help"
    case version = "--version"
    case limit = "--limit"
    case all = "--all"
    case cursor = "--cursor"
    case since = "--since"
    case now = "--now"
    case force = "--force"
    case wait = "--wait"
    case deadline = "--deadline"
    case acceptDrop = "--accept-drop"
    case format = "--format"
    case denyWarnings = "--deny-warnings"

    static let global: [Option] = [.socket, .json, .help, .version]

    /// What its value stands for; nil where it has none.
    var value: String? {
        switch self {
        case .socket: "PATH"
        case .limit: "N"
        case .cursor: "C"
        case .since: "KEY"
        case .deadline: "D"
        case .format: "FORMAT"
        case .json, .help, .version, .all, .now, .force, .wait, .acceptDrop, .denyWarnings: nil
        }
    }

    var summary: String {
        switch self {
        case .socket: "where the daemon listens"
        case .json: "the daemon's answer as it came, one JSON document"
        case .help: "this text"
        case .version: "the version of refreshctl"
        case .limit: "at most N rows"
        case .all: "every item, page after page"
        case .cursor: "go on behind the page that gave this cursor"
        case .since: "changes after this sync key; without it, from the beginning"
        case .now: "ask even where the items are still fresh"
        case .force: "as --now, and fetch the whole answer anew"
        case .wait: "stay until the refresh has ended"
        case .deadline: "stay at most this long, such as 20s; implies --wait"
        case .acceptDrop: "believe an answer that lost most of its items"
        case .format: "text or json; json or markdown for schema"
        case .denyWarnings: "warnings count as errors"
        }
    }
}
