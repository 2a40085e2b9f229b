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
    case exec = "--exec"
    case state = "--state"
    case pages = "--pages"
    case full = "--full"
    case secret = "--secret"
    case record = "--record"
    case replay = "--replay"
    case allowPrivate = "--allow-private"
    case every = "--every"
    case once = "--once"
    case interval = "--interval"
    case output = "--output"
    case stateFolder = "--state-folder"
    case backups = "--backups"

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
        case .exec: "CMD"
        case .state: "FILE"
        case .pages: "N"
        case .secret: "NAME=FILE"
        case .record, .replay: "DIR"
        case .every, .interval: "D"
        case .output: "FILE"
        case .stateFolder, .backups: "DIR"
        case .json, .help, .version, .all, .now, .force, .wait, .acceptDrop, .denyWarnings, .full,
            .allowPrivate, .once:
            nil
        }
    }

    var summary: String {
        switch self {
        case .socket: "where the daemon listens"
        case .json: "the daemon's answer as it came, one JSON document"
        case .help: "this text"
        case .version: "the version of refreshctl"
        case .limit: "at most N rows"
        case .all: "everything there is, from the beginning"
        case .cursor: "go on behind the page that gave this cursor"
        case .since: "go on from here: a sync key; of try, a value of the feed's cursor"
        case .now: "ask even where the items are still fresh"
        case .force: "as --now, and fetch the whole answer anew"
        case .wait: "stay until the refresh has ended"
        case .deadline: "stay at most this long, such as 20s; implies --wait"
        case .acceptDrop: "believe an answer that lost most of its items"
        case .format: "text or json; json or markdown for schema"
        case .denyWarnings: "warnings count as errors"
        case .exec: "run this for each change, with the change on its standard input"
        case .state: "where the last key that CMD dealt with is kept"
        case .pages: "ask for at most N pages; 2 without it"
        case .full: "ask for everything, also where only what is new would be asked for"
        case .secret: "take the credential NAME from FILE; may be repeated"
        case .record: "write each request and its answer to a file in DIR"
        case .replay: "answer from the files in DIR, without network"
        case .allowPrivate: "private and loopback addresses may be asked too"
        case .every: "how often to fetch, such as 30m"
        case .once: "one frame, then the end; so it is where nobody looks at a terminal"
        case .interval: "between two looks, from 500ms to 60s; 2s without it"
        case .output: "put them into FILE at once, instead of standard output"
        case .stateFolder: "the folder of the databases, where the configuration does not say so"
        case .backups: "the folder of the backups, where the configuration does not say so"
        }
    }

    /// Whether it may be given more than once, and all of them count.
    var isRepeatable: Bool { self == .secret }
}
