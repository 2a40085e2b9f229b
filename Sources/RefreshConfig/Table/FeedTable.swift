import RefreshCore

/// The keys of a feed, and of `defaults`.
enum FeedTable {
    private static let standard = TransferLimits()
    private static let year: Duration = .seconds(366 * 86_400)
    private static let patience: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3_600)
    /// Less than this would be a loop, not a schedule.
    static let shortestInterval: Duration = .seconds(1)
    /// Less than this is impolite to a publisher of news (refresh policy 2.2).
    static let shortestSyndicationInterval: Duration = .seconds(60)

    enum Timing {
        static let minGap = DefaultedKey(
            "min_gap", .duration(.zero...year), default: .seconds(60),
            "The least time between two attempts, however caused; never above `every`.")

        static let block = Block(
            [minGap.entry], later: ["adaptive", "max_interval", "honor_hints", "hint_cap", "skip"])
    }

    enum Redirects {
        static let max = DefaultedKey(
            "max", .whole(0...100), default: standard.hops, "Redirects followed for one answer.")

        static let block = Block([max.entry], later: ["cross_origin"])
    }

    enum Request {
        static let url = Key("url", .url, "What is fetched.")
        static let headers = Key("headers", .headers, "Header fields that are sent along.")
        static let timeout = DefaultedKey(
            "timeout", .duration(patience), default: standard.total, "How long one request may take in all.")
        static let stall = DefaultedKey(
            "stall", .duration(.seconds(1) ... .seconds(3_600)), default: standard.stall,
            "How long an answer may come slower than 100 bytes a second.")
        static let connect = DefaultedKey(
            "connect", .duration(patience), default: standard.connect, "How long connecting may take.")
        static let redirects = Key("redirects", .block(Redirects.block), "How redirects are followed.")

        static let block = Block(
            [url.entry, headers.entry, timeout.entry, stall.entry, connect.entry, redirects.entry],
            later: [
                "method", "params", "body", "cookies", "conditional", "tls", "proxy", "unix",
                "revalidate_full_after",
            ])
    }

    enum Records {
        static let path = DefaultedKey(
            "path", .path(singular: false), default: .root, adapters: [.json],
            "Where the rows are; one array selected alone is spread into rows.")

        static let block = Block(
            [path.entry],
            later: [
                "format", "pipe", "expand", "where", "fields", "drop", "ignore", "unordered", "optional",
                "reject_guard", "charset", "csv", "namespaces",
            ])
    }

    enum Keep {
        static let count = DefaultedKey(
            "count", .whole(1...100_000_000), default: 100_000, syndication: 500, "Items kept at most.")

        static let block = Block(
            [count.entry], later: ["age", "bytes", "listed", "gone", "tombstones", "ledger"])
    }

    enum Deletes {
        static let absent = DefaultedKey(
            "absent", .oneOf { $0.rawValue }, default: Feed.AbsentMeans.gone, syndication: .keep,
            "What it means when a complete list no longer holds an item.")

        static let block = Block([absent.entry], later: ["when", "list", "confirm", "drop_guard"])
    }

    enum Limits {
        private static let range: ClosedRange<ByteCount> = ByteCount(1) ... .gibibytes(1)
        static let body = DefaultedKey(
            "body", .size(range), default: standard.wire, "Bytes of an answer as sent.")
        static let decoded = DefaultedKey(
            "decoded", .size(range), default: standard.decoded, syndication: .mebibytes(16),
            "Bytes of an answer after content decoding.")

        static let block = Block(
            [body.entry, decoded.entry],
            later: [
                "rate", "burst", "concurrent", "share", "headers", "reserve", "wait_max", "depth", "pass",
                "rows", "key_bytes", "item_bytes",
            ])
    }

    static let adapter = Key(
        "adapter",
        .oneOf(later: ["csv", "xml", "html", "http"]) { (adapter: Feed.Adapter) in adapter.rawValue },
        required: Set(Feed.Adapter.allCases), "How answers are read: JSON, or RSS and Atom.")
    static let title = Key("title", .text, "A name for people.")
    static let enabled = DefaultedKey("enabled", .flag, default: true, "Whether the feed is fetched at all.")
    static let every = DefaultedKey(
        "every", .durationOrOff(shortestInterval...year), default: .seconds(300),
        syndication: .seconds(3_600),
        "How often it is fetched; `off` is on demand only. A `feed` takes 60s at least, or `schedule.min_gap`."
    )
    static let jitter = DefaultedKey(
        "jitter", .share, default: 0.1, "The share of the interval that chance may add.")
    static let schedule = Key("schedule", .block(Timing.block), "When it is fetched, in detail.")
    static let allowPrivate = Key(
        "allow_private", .flag, "Whether this feed may reach private, loopback and link-local addresses.")
    static let url = Key("url", .url, "Short for `request.url`.")
    static let request = Key("request", .block(Request.block), "What is asked of the upstream.")
    static let records = Key("records", .block(Records.block), "Where the records are in an answer.")
    static let key = Key(
        "key", .paths, adapters: [.json], required: [.json],
        "The path of what identifies a record, or a list of paths.")
    static let keep = Key("keep", .block(Keep.block), "How much is kept.")
    static let deletes = Key("deletes", .block(Deletes.block), "How deletions are told.")
    static let limits = Key("limits", .block(Limits.block), "What one answer may cost.")

    static let block = Block(
        [
            adapter.entry, title.entry, enabled.entry, every.entry, jitter.entry, schedule.entry,
            allowPrivate.entry, url.entry, request.entry, records.entry, key.entry, keep.entry, deletes.entry,
            limits.entry,
        ],
        later: [
            "use", "cron", "zone", "tags", "vars", "expect", "readers", "operators", "auth", "version",
            "sort",
            "paginate", "incremental", "by_id", "freshness", "preload", "derive", "outbox", "parent",
            "errors",
        ])
}
