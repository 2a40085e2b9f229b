import RefreshCore

/// The keys of a feed, of `defaults` and of a fragment.
enum FeedTable {
    static let builtInAdapters = AdapterKind.allCases.filter { $0 != .plugin }.map(\.rawValue)
    static let year: Duration = .seconds(366 * 86_400)
    static let ages: ClosedRange<Duration> = .zero ... .seconds(36_500 * 86_400)
    static let patience: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3_600)
    /// Less than this would be a loop, not a schedule.
    static let shortestInterval: Duration = .seconds(1)
    /// Less than this is impolite to a publisher of news (refresh policy 2.2).
    static let shortestSyndicationInterval: Duration = .seconds(60)
    private static let standard = Schedule(every: .seconds(300))

    enum Skip {
        static let hours = Key("hours", .wholes(0...23), "Hours of the day.")
        static let days = Key(
            "days", .words(["sun", "mon", "tue", "wed", "thu", "fri", "sat"]), "Days of the week.")

        static let block = Block([hours.entry, days.entry])
    }

    enum Timing {
        static let adaptive = DefaultedKey(
            "adaptive", .flag, default: standard.adaptive, except: [.feed: true],
            "Whether the interval grows while nothing changes.")
        static let maxInterval = DefaultedKey(
            "max_interval", .duration(shortestInterval...year), default: standard.maxInterval,
            "What adaptivity may lengthen the interval to.")
        static let minGap = DefaultedKey(
            "min_gap", .duration(.zero...year), default: standard.minGap,
            "The least time between two attempts, however caused; never above `every`.")
        static let honorHints = DefaultedKey(
            "honor_hints", .flag, default: standard.honorHints,
            "Whether what the upstream says of its own rhythm counts.")
        static let hintCap = DefaultedKey(
            "hint_cap", .duration(.zero...year), default: standard.hintCap,
            "No hint counts for more than this.")
        static let skip = Key(
            "skip", .block(Skip.block), "Hours and days, in GMT, in which no scheduled refresh starts.")

        static let block = Block([
            adaptive.entry, maxInterval.entry, minGap.entry, honorHints.entry, hintCap.entry, skip.entry,
        ])
    }

    static let use = Key("use", .texts, "Fragments whose keys this feed takes over; the earlier ones win.")
    static let adapter = Key(
        "adapter", .adapter, required: AdapterKind.all,
        "How answers are read: `json`; `feed` for RSS, Atom, RDF and JSON Feed; `csv`; `xml`; `html`; `http` for one opaque document; or a plugin's name."
    )
    static let title = Key("title", .text, "A name for people.")
    static let tags = Key("tags", .texts, "Words to find it by.")
    static let enabled = DefaultedKey("enabled", .flag, default: true, "Whether the feed is fetched at all.")
    static let every = DefaultedKey(
        "every", .durationOrOff(shortestInterval...year), default: standard.every,
        except: [.feed: .seconds(3_600)],
        "How often it is fetched; `off` is on demand only. A `feed` takes 60s at least, or `schedule.min_gap`."
    )
    static let cron = Key("cron", .cron, "Calendar times in the place of `every`, as cron writes them.")
    static let zone = DefaultedKey(
        "zone", .zone, default: Zone.utc, "The zone of the clock that `cron` goes by.")
    static let jitter = DefaultedKey(
        "jitter", .share, default: standard.jitter, "The share of the interval that chance may add.")
    static let schedule = Key("schedule", .block(Timing.block), "When it is fetched, in detail.")
    static let vars = Key(
        "vars", .map(.variable, .text),
        "Texts that `$(var.NAME)` stands for, filled in when the file is read.")
    static let allowPrivate = Key(
        "allow_private", .flag, note: "as in daemon",
        "Whether this feed may reach private, loopback and link-local addresses.")
    static let expect = Key(
        "expect", .duration(.seconds(1)...year), "An alarm is shown when no good pass came for this long.")
    static let readers = Key(
        "readers", .block(DaemonTable.People.block), note: "all whom the socket admits",
        "Who may see the feed.")
    static let operators = Key(
        "operators", .block(DaemonTable.People.block), note: "as in daemon", "Who may drive the feed.")
    static let url = Key("url", .requestURL(.list), "Short for `request.url`.")
    static let request = Key(
        "request", .block(RequestTable.list.block), "What is asked of the upstream.")
    static let auth = Key("auth", .choice(AuthTable.choice), note: "none", "How the feed proves who asks.")
    static let records = Key(
        "records", .block(Records.block), "Where the records are, and what becomes of them.")
    static let key = Key(
        "key", .bodyPaths, adapters: AdapterKind.rows.union([.plugin]), required: AdapterKind.rows,
        "The path, from a row, of what identifies a record, or a list of paths.")
    static let version = Key(
        "version", .bodyPath(singular: true), adapters: AdapterKind.rows.union([.plugin]),
        "The path of a version; an older copy never overwrites a newer one.")
    static let keyPolicy = Key(
        "key_policy", .word as Form<KeyLevel>, adapters: [.feed], note: "found on the first document",
        "What tells the entries of a syndication feed apart, where what is found is not good."
    )

    private static let body: [Entry] = [
        adapter.entry, title.entry, tags.entry, enabled.entry, every.entry, cron.entry, zone.entry,
        jitter.entry, schedule.entry, vars.entry, allowPrivate.entry, expect.entry, readers.entry,
        operators.entry, url.entry, request.entry, auth.entry, records.entry, key.entry, version.entry,
        keyPolicy.entry, sort.entry, paginate.entry, incremental.entry, deletes.entry, byID.entry,
        freshness.entry,
        preload.entry, keep.entry, derive.entry, outbox.entry, parent.entry, errors.entry, retry.entry,
        limits.entry,
    ]

    static let block = Block([use.entry] + body)
    /// Of `defaults` and fragments, which use no fragments themselves.
    static let defaultsBlock = Block(body)
}
