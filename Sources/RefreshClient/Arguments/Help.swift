import RefreshCore

/// The texts of `help`.
package enum Help {
    /// - Parameter topic: the command asked about; nil is the overview.
    package static func text(_ topic: CommandName?) -> String {
        guard let topic else { return overview }
        var text = "\(wrapped("usage: \(usage(topic))"))\n\n\(wrapped(details(topic)))\n"
        let options = topic.options + [.socket, .json]
        text += "\noptions:\n" + table(options.map { (written($0), $0.summary) })
        return text
    }

    static func usage(_ name: CommandName) -> String {
        let (needed, optional) = name.operands
        let options = name.options.map { "[\(written($0))]" }
        return (["refreshctl", name.rawValue] + needed + optional.map { "[\($0)]" } + options)
            .joined(separator: " ")
    }

    private static func written(_ option: Option) -> String {
        option.rawValue + (option.value.map { " \($0)" } ?? "")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.utf8.count).max() ?? 0
        return rows.map { row in
            "  \(row.0)\(String(repeating: " ", count: width - row.0.utf8.count + 2))\(row.1)\n"
        }.joined()
    }

    /// Paragraphs are written on one line above, so that an edit does not reflow them by hand.
    private static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                if line.utf8.count + word.utf8.count > 75 && !line.isEmpty {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            return (lines + [line]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The same for programs: the commands, with what stands behind each.
    package static func json(_ topic: CommandName?) -> String {
        var text = JSONText()
        text.object { text in
            text.name("commands")
            text.array { text in
                for name in topic.map({ [$0] }) ?? CommandName.allCases {
                    text.object { text in
                        for (member, words) in [
                            ("name", name.rawValue), ("summary", summary(name)), ("usage", usage(name)),
                        ] {
                            text.name(member.utf8)
                            text.string(words)
                        }
                        text.name("options")
                        text.array { text in
                            for option in name.options + Option.global { text.string(option.rawValue) }
                        }
                    }
                }
            }
        }
        return text.text
    }

    // MARK: - Texts

    private static var overview: String {
        let commands = CommandName.allCases.map { name -> (String, String) in
            let (needed, optional) = name.operands
            let operands = needed + optional.map { "[\($0)]" }
            return (([name.rawValue] + operands).joined(separator: " "), summary(name))
        }
        return """
            refreshctl: asks refreshd, the daemon that fetches feeds once for every program

            usage: refreshctl COMMAND [OPTION]...

            commands:
            \(table(commands))
            options everywhere:
            \(table(Option.global.map { (written($0), $0.summary) }))
            On a terminal rows come as a table, cut to its width. Into a file or pipe
            they come one a line, cells parted by tabs, whole, without a head, times
            in UTC and sizes in bytes; control characters show as \\n, \\t, \\u001b.

            The daemon is looked for at --socket, else at $REFRESHD_SOCKET, else at
            the default places. Exit status: 0 done; 1 the daemon or the upstream says
            no, or the configuration is wrong; 64 wrong command line; 69 no daemon
            answers; 77 not allowed; 78 the configuration cannot be read.

            More on a command: refreshctl help COMMAND

            """
    }

    private static let controlPlaces =
        "--socket, else \"daemon.control.path\" of the configuration, else control.sock beside the daemon's socket."

    static func summary(_ name: CommandName) -> String {
        switch name {
        case .status: "the daemon and its feeds at a glance"
        case .top: "the daemon and its feeds, live"
        case .feeds: "the feeds as configured, and how much of each is kept"
        case .items: "the items of a feed"
        case .get: "one item, whole"
        case .changes: "what changed in a feed since a sync key"
        case .watch: "the changes of a feed as they come"
        case .history: "the last refreshes of a feed"
        case .refresh: "ask the upstream of a feed now"
        case .pause: "fetch a feed no more, until it is resumed"
        case .resume: "fetch a paused feed again"
        case .purge: "empty a feed's cache, and fetch it from the beginning"
        case .reset: "forget a feed's place upstream, and keep its items"
        case .reload: "read the configuration anew"
        case .backup: "copy the databases while the daemon runs"
        case .restore: "put a backup in the place of the databases"
        case .logLevel: "how much the daemon logs, from now on"
        case .metrics: "figures for Prometheus"
        case .doctor: "find out what is wrong, and what to do about it"
        case .check: "look for mistakes in a configuration; needs no daemon"
        case .try: "fetch a feed once and store nothing; needs no daemon"
        case .suggest: "look at a URL and write a feed for it"
        case .import: "write feeds for a list of subscriptions (OPML)"
        case .diff: "what a changed configuration would change"
        case .explain: "what holds for a feed of a configuration, and who says so"
        case .schema: "the JSON Schema of a configuration, for editors"
        case .help: "this text, or that of a command"
        case .version: "the version of refreshctl"
        }
    }

    private static func details(_ name: CommandName) -> String {
        switch name {
        case .status:
            """
            Shows the daemon in one sentence and a row for each feed: its name, its state (active, backoff, limited, gone, paused, disabled, config-error), how fresh its items are (new, fresh, stale, overdue), how many there are, when it was last refreshed with success, when it is next, and what is wrong.

            Into a pipe only the rows: feed, state, freshness, items, last success, next, note. With --json the answer of /v1/status; the feeds are in that of "feeds".
            """
        case .top:
            """
            Shows the daemon's rates over the last minute and a row for each feed, those first that want attention: its state (how fresh it is, where nothing else is to be said), items, the age of the last success, when it is next due, how long the last refresh took, the durations of the last ones as a curve (× for one that failed), and what is wrong. A wide terminal has more columns.

            q, Esc or Ctrl-C ends it; arrows, j and k, space, page and home keys scroll. With --once, or where standard output is no terminal, one frame after a second, as wide as the terminal or $COLUMNS. With --json the same figures as one document.
            """
        case .purge:
            """
            Drops everything that is cached of a feed, and what is known of its upstream. Programs that follow it are told to list anew, and it is fetched at once from the beginning, unless it is paused. Asks at the control socket: \(controlPlaces)
            """
        case .reset:
            """
            Forgets validators, cursors and sync tokens of a feed, so that its next pass asks for everything. Items and sync keys stay. Asks at the control socket: \(controlPlaces)
            """
        case .backup:
            """
            The daemon copies its databases, each as it is at one moment, into a new folder below "daemon.backup.folder", and drops the oldest copies beyond "daemon.backup.keep". Shows where they are. Asks at the control socket: \(controlPlaces)
            """
        case .restore:
            """
            Puts the backup NAME in the place of the databases, after both of its files were found sound. The daemon must be stopped, and what starts it (systemctl stop refreshd-api.socket refreshd-control.socket refreshd). The present databases are kept beside, as *.before-restore. Programs are told to list anew. Without NAME the backups are listed, the newest last.

            The folders are those of the daemon's configuration, unless --state-folder and --backups say otherwise.
            """
        case .logLevel:
            """
            LEVEL is error, warning, notice, info or debug; it holds until the daemon ends or a reload brings another. Without LEVEL it is only shown. Asks at the control socket: \(controlPlaces)
            """
        case .metrics:
            """
            Prints the daemon's figures in the text format of Prometheus. With --output FILE they take the file's place at once, as the textfile collector of the node exporter wants it; where no daemon answers the file stays as it is. With --json as one document.
            """
        case .doctor:
            """
            Looks at the configuration, FILE or that of the daemon, at who may read what, the sockets, the daemon's answers and version, its feeds, the disk and the clock. Shows a line for each, and below what is wrong what to do about it. What this user may not see is said to be unknown; root sees everything.

            Exit status 0 where nothing is wrong, 1 where something is; with --deny-warnings a warning counts. Into a pipe the rows: verdict (ok, warning, problem, unknown), area, what, what to do.
            """
        case .feeds:
            """
            Shows a row for each feed: its name, adapter, items, their size, title and URL.

            With --json the answer of /v1/feeds, with all that the daemon knows of each.
            """
        case .items:
            """
            Shows a feed's items in its order: key, rev (how often the item changed), when it last changed, and the record's JSON. They come from the cache, also while the upstream is down; a warning on standard error tells when they may be out of date.

            Without --limit and --all one page is shown, and standard error names the cursor of the next. With --json and more than one page the pages are joined to one document; its sync_key is that of the first page, so that "changes --since" it misses nothing.
            """
        case .get:
            """
            Shows one item: what the daemon knows of it and its record. A key of several parts is the JSON array of the parts. A key that starts with a dash goes behind "--".

            Exit status 1 where there is no such item.
            """
        case .changes:
            """
            Shows what changed in a feed, oldest first: upsert or delete, key, rev, why (new, or the reason of a deletion), and the record's JSON.

            Standard error names the sync key to go on from. A key that the daemon can no longer answer ends with exit status 1 and code "resync": list the items again, and go on from the sync key of that list.
            """
        case .refresh:
            """
            Asks for a refresh. Without --now nothing is fetched while the items are fresh. Nothing is fetched either where the last attempt was a moment ago (the feed's min_gap), or, without --now, while the feed waits after failures.

            Without --wait refreshctl ends when the daemon has taken the wish. With it, exit status 0 means refreshed, nothing new, or still fresh; 1 means failed, too soon, waiting after failures, or not done at the deadline, where it goes on by itself. Into a pipe one row: feed, outcome, added, changed, removed, evicted, unchanged, rejected, milliseconds until a retry may work, error.
            """
        case .watch:
            """
            Shows a line for each change of a feed as it comes: upsert or delete, key, rev, why, and the record's JSON. It begins now, with --since behind a sync key, with --all at the beginning. With --json the daemon's own words, a change a line. A daemon that is away is waited for.

            With --exec a shell runs CMD for each change, one after another. The change is on its standard input as JSON; REFRESHD_FEED, REFRESHD_KEY, REFRESHD_OP and REFRESHD_SYNC_KEY are set. Only after CMD has ended with 0 is the change's key saved, or that of all the changes that were stored at once, so each is dealt with at least once; after any other status refreshctl ends with 1, and the next run begins behind the saved key. The key is kept in --state FILE, else in a file of the feed and CMD in $XDG_STATE_HOME/refreshctl or ~/.local/state/refreshctl. A saved key wins over --all; --since wins over both.

            A key that the daemon can no longer answer ends with exit status 1: list the items again.
            """
        case .history:
            """
            Shows a row for each of the last refreshes of a feed: when it ended, what caused it, its outcome, how many requests it took, the last status, bytes, duration, how many items were added, changed and removed, and the error.
            """
        case .pause, .resume:
            """
            A paused feed is not fetched, neither on its schedule nor for readers; what is cached is still answered. A pause lasts over restarts. Asks at the control socket: \(controlPlaces)
            """
        case .reload:
            """
            The daemon reads its configuration anew and takes it if all of it is right. Shows which feeds were added, changed and removed. Where it has mistakes they are shown as FILE:LINE:COLUMN: CODE: TEXT, the old configuration goes on, and the exit status is 78.

            Asks at the control socket: \(controlPlaces)
            """
        case .try:
            """
            Makes one pass of a feed of FILE, or of the daemon's configuration, in this process and with this user's rights, and stores nothing. Shows for each page the request, the status, the rate limit as read, the rows as they came and after "where", where the list goes on, and why it stopped; then what a cache would hold, and where a daemon answers that has this feed, what would change there. Secrets are masked.

            --since begins with a value of the cursor of "incremental", or with a token. --secret stands in for a credential of systemd. --record keeps each answer as a JSON file, without secrets; --replay answers from these files, with the time of the recording, and a request that was not recorded is an error. A feed with a parent takes the fields of one item of it from the daemon or the recording. The grant "refresh_token" is tried only with --replay, since a trial might use up the token that the daemon goes on with.

            Exit status 0 where the pages were read, 1 where not or where FILE has mistakes, 78 where it cannot be read.
            """
        case .suggest:
            """
            Fetches URL once and prints a feed to paste under "feeds:": the adapter, and of a JSON list where the rows are, what could be their key, a time to sort by, and how the list goes on. It guesses; comments say from what. Look at it, then run "refreshctl try".

            Exit status 1 where nothing was fetched or nothing recognised.
            """
        case .import:
            """
            Prints a feed to paste for each subscription of an OPML file, with a name made of its title; names of folders become tags. A URL that stands there twice is written once. Needs no daemon and no network.
            """
        case .diff:
            """
            Shows what would change: "+" for a feed that is new, "-" for one that is gone, "~" for one that differs. With two files they are compared in full.

            Otherwise what the daemon runs is compared with FILE, or with the daemon's own, value by value. That is told at the control socket; who may not ask there is told of names, adapters, titles, URLs without query, and whether feeds are disabled. Secrets that stand in the file itself are not compared.

            Exit status 0 where nothing differs, 1 where something does, 78 where a file cannot be read.
            """
        case .check:
            """
            Reads a configuration, FILE or that of the daemon of this user, and shows every mistake at once as FILE:LINE:COLUMN: KEY: TEXT. Needs no daemon and no network.

            Exit status 0 where the daemon would take it, 1 where not, 78 where it cannot be read.
            """
        case .explain:
            """
            Shows every value that holds for a feed of a configuration, FILE or that of the daemon of this user: PATH = VALUE, and in parentheses the file and line that says it, with the fragment or "defaults", or "default" where nobody says anything. A secret is shown as where it comes from. Needs no daemon and no network; where a daemon answers that has the feed, its state, the next due time and the rule that set it follow.

            Exit status 1 where there is no such feed or the file has mistakes, 78 where it cannot be read.
            """
        case .schema:
            """
            Prints the JSON Schema (draft 2020-12) of a configuration. With --format markdown the reference of all keys. Save it, and name it in the first line of the file, where editors look for it: # yaml-language-server: $schema=PATH
            """
        case .help: "Shows what refreshctl can do, or what one of its commands does."
        case .version: "Shows the version of refreshctl. That of the daemon is in \"status\"."
        }
    }
}
