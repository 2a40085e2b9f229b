/// The texts of `help`.
package enum Help {
    /// - Parameter topic: the command asked about; nil is the overview.
    package static func text(_ topic: CommandName?) -> String {
        guard let topic else { return overview }
        var text = "usage: \(usage(topic))\n\n\(wrapped(details(topic)))\n"
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

    static func summary(_ name: CommandName) -> String {
        switch name {
        case .status: "the daemon and its feeds at a glance"
        case .feeds: "the feeds as configured, and how much of each is kept"
        case .items: "the items of a feed"
        case .get: "one item, whole"
        case .changes: "what changed in a feed since a sync key"
        case .refresh: "ask the upstream of a feed now"
        case .check: "look for mistakes in a configuration; needs no daemon"
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
        case .check:
            """
            Reads a configuration, FILE or that of the daemon of this user, and shows every mistake at once as FILE:LINE:COLUMN: KEY: TEXT. Needs no daemon and no network.

            Exit status 0 where the daemon would take it, 1 where not, 78 where it cannot be read.
            """
        case .explain:
            """
            Shows every value that holds for a feed of a configuration, FILE or that of the daemon of this user: PATH = VALUE, and in parentheses the file and line that says it, with the fragment or "defaults", or "default" where nobody says anything. A secret is shown as where it comes from. Needs no daemon and no network.

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
