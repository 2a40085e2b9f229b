import RefreshCore

/// What a command line asks for, checked as far as that goes without a daemon.
package struct Invocation: Equatable, Sendable {
    /// `--socket`, where given.
    package var socket: String?
    /// The daemon's own answer on standard output, as one JSON document.
    package var json = false
    package var command: Command

    package init(_ command: Command, socket: String? = nil, json: Bool = false) {
        self.command = command
        self.socket = socket
        self.json = json
    }
}

/// One command with what it needs.
package enum Command: Equatable, Sendable {
    case status
    case top(TopRequest)
    case feeds
    case items(ListRequest)
    case get(feed: String, key: String)
    case changes(ListRequest)
    case watch(WatchRequest)
    case history(feed: String)
    case refresh(RefreshRequest)
    case pause(feed: String)
    case resume(feed: String)
    case purge(feed: String)
    case reset(feed: String)
    case backup
    case restore(RestoreRequest)
    /// Nil only asks.
    case logLevel(String?)
    /// Into a file, or nil for standard output.
    case metrics(file: String?)
    case doctor(DoctorRequest)
    case reload
    case check(CheckRequest)
    case `try`(TrialRequest)
    case explain(ExplainRequest)
    case suggest(SuggestRequest)
    case `import`(ImportRequest)
    case diff(DiffRequest)
    /// The JSON Schema, or the same as a page for people.
    case schema(asPage: Bool)
    /// The help of one command, or of all.
    case help(CommandName?)
    case version
}

/// A walk over a list that the daemon hands out in pages.
package struct ListRequest: Equatable, Sendable {
    package var feed: String
    /// Rows wanted at most; nil is one page of the daemon's choice.
    package var limit: Int?
    /// Every row to the end.
    package var all = false
    /// Where to go on: a cursor of `items`, a sync key of `changes`.
    package var start: String?

    package init(feed: String, limit: Int? = nil, all: Bool = false, start: String? = nil) {
        self.feed = feed
        self.limit = limit
        self.all = all
        self.start = start
    }
}

/// A wish for a refresh.
package struct RefreshRequest: Equatable, Sendable {
    package var feed: String
    package var mode = RefreshMode.ifStale
    /// Whether to stay until the refresh has ended.
    package var wait = false
    /// How long to stay at most; nil is the daemon's default.
    package var deadline: Duration?
    /// Delete what the upstream no longer lists, however much that is.
    package var acceptDrop = false

    package init(feed: String) { self.feed = feed }
}

/// A wish to see what holds for a feed of a configuration file, without a daemon.
package struct ExplainRequest: Equatable, Sendable {
    package var feed: String
    /// Nil is the file that the daemon of this user reads.
    package var file: String?
    package var json = false

    package init(feed: String, file: String? = nil) {
        self.feed = feed
        self.file = file
    }
}

/// A look at a configuration file, without a daemon.
package struct CheckRequest: Equatable, Sendable {
    /// Nil is the file that the daemon of this user reads.
    package var file: String?
    package var denyWarnings = false
    package var json = false

    package init(file: String? = nil) { self.file = file }
}
