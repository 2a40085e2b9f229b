import RefreshCore

/// The descriptions of what lies in the cache.
extension Descriptions {
    private static let events = RouteDescription.Content.bytes(StreamFormat.events.mediaType)
    private static let lines = RouteDescription.Content.bytes(StreamFormat.lines.mediaType)

    private static func limit(_ most: Int64, _ usual: Int) -> RouteDescription.Parameter {
        .init("limit", .number(1...most), "How many at most; \(usual) where nothing is said.")
    }

    private static let orders = Schema.choice(ItemCursor.Order.allCases.map(\.name))
    private static let fields = RouteDescription.Parameter(
        "fields", .matching("^[^,]+(,[^,]+)*$"), "The members of `data` that are wanted, joined by commas.")
    private static let evictions = RouteDescription.Parameter(
        "evictions", .choice(["0", "1"]), "`0` leaves out deletions that only make room in the cache.")
    private static let include = RouteDescription.Parameter(
        "include", .choice(["gone"]), "Items as well that the upstream no longer has.")

    private static func duration(_ name: String, _ about: String) -> RouteDescription.Parameter {
        .init(name, .matching("^[0-9]+(ms|s|m)$"), about)
    }

    private static let maxStale = RouteDescription.Parameter(
        "max_stale", .matching("^(any|[0-9]+(ms|s|m|h|d))$"),
        "How stale the items may be, such as `10m`; `any` is without end. Where nothing is said the feed's "
            + "`freshness.stale_if_error` counts.")

    /// What a page of a list has.
    private static let page: [Schema.Member] = [
        .init("items", .list(.named(.item), atMost: 500)), .init("cursor", .optional(.text)),
        .init("has_more", .flag),
        .init("end", .flag, "Whether the page reaches to the end of what the upstream has."),
    ]

    static let items = RouteDescription(
        "Items in the feed's order",
        parameters: [
            .init("key", .text, "Just the items with these keys, 100 at most.", isRepeated: true),
            .init("cursor", .text, "Where the page before has ended; not together with `key`."),
            limit(500, 20), .init("order", orders, "`sort` where nothing is said."), fields, include,
            evictions,
            .init(
                "policy", .choice(ReadPolicy.allCases.map(\.rawValue)),
                "`network_first` asks the upstream before; `cache_first` where nothing is said."),
            duration("wait", "How long the upstream may take, such as `3s`; `60s` at most."),
            maxStale,
        ],
        answers: [
            .init(
                200, "A page.",
                .json(
                    page + [
                        .init("sync_key", .text), .init("fresh_at", .optional(.time)), .init("stale", .flag),
                        .init("freshness", SchemaName.freshness),
                        .maybe("error", .named(.failure), "Why the last attempt failed."),
                    ])),
            .init(304, "As the client has it (If-None-Match).", .nothing),
        ],
        problems: [
            .invalidParameter, .badCursor, .feedNotFound, .cacheFailed, .neverFetched, .busy, .tooStale,
            .quotaExceeded,
        ])

    static let item = RouteDescription(
        "One item", parameters: [fields, maxStale],
        answers: [
            .init(200, "The item.", .json(.named(.item))),
            .init(304, "As the client has it (If-None-Match).", .nothing),
            .init(410, "The upstream no longer has it; this is the last copy.", .json(.named(.item))),
        ],
        problems: [
            .invalidParameter, .feedNotFound, .itemNotFound, .cacheFailed, .neverFetched, .tooStale,
        ])

    static let document = RouteDescription(
        "The bytes of an `http` feed, with the upstream's Content-Type, ETag and Last-Modified",
        answers: [
            .init(200, "The document.", .bytes("*/*")),
            .init(304, "As the client has it (If-None-Match).", .nothing),
        ],
        problems: [.feedNotFound, .noDocument, .cacheFailed, .neverFetched])

    static let more = RouteDescription(
        "Goes on in a list: first what has changed, then the next page",
        body: .exactly([
            .maybe("cursor", .text, "Where the page before has ended."),
            .maybe("since", .text, "A sync key: what has changed since it comes first."),
            .maybe("limit", .number(1...500)), .maybe("order", orders),
            .maybe("fields", .list(.text, atMost: Endpoints.mostFields)), .maybe("evictions", .flag),
            .maybe("include", .list(.choice(["gone"]))),
        ]),
        answers: [
            .init(
                200, "The changes and the page.",
                .json(
                    [
                        .maybe("changes", .list(.named(.change))),
                        .maybe("sync_key", .text, "For the next call."),
                    ] + page + [
                        .maybe("page_deferred", .flag, "There are so many changes that the page comes later.")
                    ]))
        ],
        problems: [
            .badBody, .badKey, .badCursor, .feedNotFound, .resync, .unsupportedMediaType, .cacheFailed,
            .neverFetched,
        ])

    static let changes = RouteDescription(
        "What has changed since a sync key; with `Accept: text/event-stream` or `application/x-ndjson` a stream",
        parameters: [
            .init("since", .text, "A sync key, or `now`; from the beginning where nothing is said."),
            limit(1_000, 200),
            duration(
                "wait", "How long to wait for a change where there is none yet, such as `30s`; `60s` at most."
            ),
            fields, evictions, include,
        ],
        answers: [
            .init(
                200, "A page of changes.",
                .json([
                    .init("changes", .list(.named(.change), atMost: 1_000)),
                    .init("sync_key", .text, "For the next call."), .init("has_more", .flag),
                    .init("pending", .count, "Changes left, at most."),
                    .maybe("digest", .text, "Of all live items, to compare one's own copy with."),
                ]), events, lines)
        ],
        problems: [
            .invalidParameter, .badKey, .feedNotFound, .resync, .cacheFailed, .neverFetched, .tooManyStreams,
        ])

    static let allEvents = RouteDescription(
        "A stream of notices: which feeds have changed, without the rows",
        answers: [.init(200, "The stream.", events, lines)], problems: [.tooManyStreams])

    static let refresh = RouteDescription(
        "Asks for a refresh; one that is under way is shared",
        body: .exactly([
            .maybe(
                "mode", .choice(RefreshMode.allCases.map(\.rawValue)), "`if_stale` where nothing is said."),
            .maybe("wait", .choice(["none", "all"]), "`all`: the answer is the outcome."),
            .maybe(
                "deadline_ms", .number(1...Endpoints.longestDeadline.inMilliseconds),
                "How long to wait at most; \(Endpoints.usualDeadline.inMilliseconds) where nothing is said."),
            .maybe("accept_drop", .flag, "Believe a list that has become much shorter."),
            .maybe(
                "override_gate", .flag, "Ask although the upstream wants to be left alone; needs control."),
        ]),
        answers: [
            .init(
                200, "What came of it.",
                .json([
                    .init("feed", SchemaName.feedName),
                    .init("outcome", .choice(outcomes)),
                    .maybe(
                        "counts",
                        .object(
                            ["added", "changed", "removed", "evicted", "unchanged", "rejected"].map {
                                .init($0, .count)
                            })),
                    .maybe("error", .named(.failure)),
                    .maybe("retry_in_ms", .count), .maybe("detail", .text),
                ])),
            .init(
                202, "The wish was taken.",
                .json([.init("feed", SchemaName.feedName), .init("batch", .text)])),
        ],
        problems: [.badBody, .feedNotFound, .unsupportedMediaType, .busy])

    private static let outcomes = [
        "refreshed", "unchanged", "fresh", "failed", "backoff", "too_soon", "limited", "refused", "timeout",
    ]
}
