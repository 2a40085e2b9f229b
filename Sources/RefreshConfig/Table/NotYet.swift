/// The keys that are read and checked but do nothing yet in this build: the one list of them.
///
/// A key stands for everything below it. `feed.` stands for a feed, `defaults` and a fragment alike.
enum NotYet {
    static let keys: Set<String> = [
        "daemon.control", "daemon.socket.group", "daemon.buffers", "daemon.disk", "daemon.origin_gap",
        "daemon.log.format", "daemon.connections.streams", "daemon.quota", "daemon.access",
        "plugins", "budgets",
        "feed.cron", "feed.zone", "feed.tags", "feed.expect", "feed.readers", "feed.operators",
        "feed.schedule.adaptive", "feed.schedule.max_interval", "feed.schedule.honor_hints",
        "feed.schedule.hint_cap", "feed.schedule.skip",
        "feed.request.method", "feed.request.params", "feed.request.body",
        "feed.request.redirects.cross_origin", "feed.request.cookies", "feed.request.conditional",
        "feed.request.tls", "feed.request.proxy", "feed.request.unix",
        "feed.request.revalidate_full_after",
        "feed.auth",
        "feed.records.format", "feed.records.pipe", "feed.records.expand", "feed.records.where",
        "feed.records.fields", "feed.records.drop", "feed.records.ignore", "feed.records.unordered",
        "feed.records.optional", "feed.records.reject_guard", "feed.records.charset", "feed.records.csv",
        "feed.records.namespaces",
        "feed.version", "feed.sort", "feed.paginate", "feed.incremental",
        "feed.deletes.when", "feed.deletes.list", "feed.deletes.confirm", "feed.deletes.drop_guard",
        "feed.by_id", "feed.freshness", "feed.preload",
        "feed.keep.age", "feed.keep.bytes", "feed.keep.listed", "feed.keep.gone", "feed.keep.tombstones",
        "feed.keep.ledger",
        "feed.derive", "feed.outbox", "feed.parent", "feed.errors", "feed.retry",
        "feed.limits.rate", "feed.limits.burst", "feed.limits.concurrent", "feed.limits.share",
        "feed.limits.headers", "feed.limits.reserve", "feed.limits.wait_max", "feed.limits.depth",
        "feed.limits.pass", "feed.limits.rows", "feed.limits.key_bytes", "feed.limits.item_bytes",
    ]

    /// Adapters that have no code in this build; their feeds are read and cannot be fetched.
    static let adapters: Set<AdapterKind> = [.csv, .xml, .html, .http, .plugin]

}
