/// The keys that are read and checked but do nothing yet in this build: the one list of them.
///
/// A key stands for everything below it. `feed.` stands for a feed, `defaults` and a fragment alike.
enum NotYet {
    static let keys: Set<String> = [
        "plugins",
        "feed.by_id", "feed.preload",
        "feed.derive", "feed.outbox",
    ]

    /// Adapters that have no code in this build; their feeds are read and cannot be fetched.
    static let adapters: Set<AdapterKind> = [.plugin]
}
