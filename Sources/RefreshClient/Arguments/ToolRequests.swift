import RefreshCore

/// A wish to see a feed's changes as they come.
package struct WatchRequest: Equatable, Sendable {
    package var feed: String
    /// The sync key to begin behind; nil is now, or with `all` the beginning.
    package var since: String?
    package var all = false
    /// Run by a shell for each change.
    package var command: String?
    /// Where the last key that the command dealt with is kept; nil is a place of its own for feed and command.
    package var stateFile: String?

    package init(feed: String) { self.feed = feed }
}

/// A pass of a feed of a file that stores nothing.
package struct TrialRequest: Equatable, Sendable {
    /// A file that stands in for a credential that only the daemon can read.
    package struct Secret: Equatable, Sendable {
        package let name: String
        package let file: String

        package init(name: String, file: String) {
            self.name = name
            self.file = file
        }
    }

    package var feed: String
    /// Nil is the file that the daemon of this user reads.
    package var file: String?
    package var pages = 2
    /// What the feed's cursor, or its token, is to begin from.
    package var since: String?
    package var isFull = false
    package var secrets: [Secret] = []
    /// Folders of recorded answers.
    package var record: String?
    package var replay: String?

    package init(feed: String, file: String? = nil) {
        self.feed = feed
        self.file = file
    }
}

/// A wish for the part of a configuration that reads a URL.
package struct SuggestRequest: Equatable, Sendable {
    package var url: WebURL
    package var allowPrivate = false

    package init(url: WebURL) { self.url = url }
}

/// A wish for the feeds of a list of subscriptions as parts of a configuration.
package struct ImportRequest: Equatable, Sendable {
    package var file: String
    /// Nil leaves it to the adapter.
    package var every: Duration?

    package init(file: String) { self.file = file }
}

/// A comparison of configurations.
package enum DiffRequest: Equatable, Sendable {
    /// What the daemon runs with a file; nil is the file that the daemon of this user reads.
    case running(file: String?)
    case files(old: String, new: String)
}

/// A wish to see how the daemon fares, anew and anew.
package struct TopRequest: Equatable, Sendable {
    package var interval: Duration = .seconds(2)
    package var once = false

    package init() {}
}

/// A wish to put a backup in the place of what is stored.
package struct RestoreRequest: Equatable, Sendable {
    /// Nil asks which there are.
    package var name: String?
    /// Folders; nil is what the configuration says.
    package var state: String?
    package var backups: String?

    package init(name: String?) { self.name = name }
}

/// A look at everything that may be wrong with a host's daemon.
package struct DoctorRequest: Equatable, Sendable {
    /// Nil is the file that the daemon reads.
    package var file: String?
    /// The folder of the databases; nil is what the configuration says.
    package var state: String?
    package var denyWarnings = false

    package init(file: String? = nil) { self.file = file }
}
