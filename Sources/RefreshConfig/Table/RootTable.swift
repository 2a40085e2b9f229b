import RefreshCore

/// The keys at the top of the file.
enum RootTable {
    static let version = DefaultedKey("version", .whole(1...1), default: 1, "The version of this language.")
    static let daemon = Key("daemon", .block(DaemonTable.block), "What holds for the whole daemon.")
    static let defaults = Key(
        "defaults", .block(FeedTable.block), "What holds for every feed that says nothing else.")
    static let feeds = Key("feeds", .feeds(FeedTable.block), "The feeds, by name.")

    static let block = Block(
        [version.entry, daemon.entry, defaults.entry, feeds.entry],
        later: ["include", "plugins", "budgets", "fragments"])
}
