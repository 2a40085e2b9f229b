import RefreshCore

/// The keys at the top of the file.
enum RootTable {
    static let version = DefaultedKey("version", .whole(1...1), default: 1, "The version of this language.")
    static let daemon = Key("daemon", .block(DaemonTable.block), "What holds for the whole daemon.")
    static let include = Key(
        "include", .texts,
        "Further files, as patterns relative to this file such as `feeds.d/*.yaml`, read in the order of their bytes. Names with a leading dot, a `~`, or `.dpkg-` are left out. They may hold `feeds`, `fragments`, `budgets` and `plugins`."
    )
    static let plugins = Key(
        "plugins", .map(.thing("a plugin"), .block(PluginTable.block)),
        "Programs that read upstreams, by name; the name is then an adapter.")
    static let budgets = Key(
        "budgets", .map(.thing("a budget"), .block(BudgetTable.block)),
        "Rate limits that feeds share, by name.")
    static let defaults = Key(
        "defaults", .block(FeedTable.defaultsBlock), "What holds for every feed that says nothing else.")
    static let fragments = Key(
        "fragments", .map(.thing("a fragment"), .block(FeedTable.defaultsBlock)),
        "Keys of feeds, by name, for feeds that `use` them.")
    static let feeds = Key("feeds", .map(.feed, .block(FeedTable.block)), "The feeds, by name.")

    static let block = Block([
        version.entry, daemon.entry, include.entry, plugins.entry, budgets.entry, defaults.entry,
        fragments.entry, feeds.entry,
    ])

    /// What a file that is included may hold.
    static let dropIn: Set<String> = ["version", "feeds", "fragments", "budgets", "plugins"]
}

/// The keys of a budget.
enum BudgetTable {
    static let rate = Key("rate", .rate, "Requests in a time, such as `60/1m`.")
    static let burst = Key("burst", .whole(1...1_000_000), "Requests that may come at once.")
    static let concurrent = Key("concurrent", .whole(1...1_024), "Requests under way at a time.")
    static let headers = DefaultedKey(
        "headers", .either(["auto", "off"], FeedTable.RateHeaderKeys.block), default: .word("auto"),
        "How the upstream tells what is left.")

    static let block = Block([rate.entry, burst.entry, concurrent.entry, headers.entry])
}

/// The keys of a plugin.
enum PluginTable {
    static let exec = Key(
        "exec", .command, required: AdapterKind.all,
        "The program and its arguments, without a shell: an absolute path, or a name that is looked up in `/usr/local/bin`, `/usr/bin` and `/bin`."
    )
    static let mode = DefaultedKey(
        "mode", .word, default: PluginPlan.Mode.serve,
        "How long it lives: `serve` for many refreshes, `once` for each, `simple` prints rows and ends.")
    static let config = Key("config", .json, "Handed to the program as it is.")
    static let secrets = Key(
        "secrets", .map(.any("a secret"), .secret(isPublic: false)), "Handed to the program on its input.")

    enum Limits {
        static let memory = Key(
            "memory", .size(.mebibytes(1) ... .gibibytes(64)), "Bytes that the program may use.")
        static let files = Key("files", .whole(8...65_536), "Files that the program may have open.")
        static let idle = Key(
            "idle", .duration(.seconds(1) ... .seconds(86_400)), "Without work for this long it is ended.")
        static let concurrency = Key(
            "concurrency", .whole(1...1_024), "Feeds that the program reads at a time.")

        static let block = Block([memory.entry, files.entry, idle.entry, concurrency.entry])
    }

    static let limits = Key("limits", .block(Limits.block), "What the program may use.")

    static let block = Block([exec.entry, mode.entry, config.entry, secrets.entry, limits.entry])
}
