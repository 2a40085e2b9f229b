import RefreshCore
import RefreshEngine

/// What each endpoint answers. Who adds one describes it here; the tests ask every one of them and compare.
extension Route.Endpoint {
    var description: RouteDescription {
        switch self {
        case .root: Descriptions.root
        case .health: Descriptions.health
        case .readiness: Descriptions.readiness
        case .metrics: Descriptions.metrics
        case .openapi: Descriptions.openapi
        case .status: Descriptions.status
        case .feeds: Descriptions.feeds
        case .feed: Descriptions.feed
        case .history: Descriptions.history
        case .items: Descriptions.items
        case .item: Descriptions.item
        case .document: Descriptions.document
        case .more: Descriptions.more
        case .changes: Descriptions.changes
        case .events: Descriptions.allEvents
        case .refresh: Descriptions.refresh
        case .pause: Descriptions.pause
        case .resume: Descriptions.resume
        case .purge: Descriptions.purge
        case .reset: Descriptions.reset
        case .reload: Descriptions.reload
        case .configuration: Descriptions.configuration
        case .checkConfiguration: Descriptions.checkConfiguration
        case .configurationSchema: Descriptions.configurationSchema
        case .backup: Descriptions.backup
        case .logLevel: Descriptions.logLevel
        }
    }

    /// The name of the operation in clients that are made from the document.
    var operation: String { "\(self)" }
}

/// The descriptions, one a route.
enum Descriptions {
    // MARK: - Of the daemon

    static let root = RouteDescription(
        "The server, its version, and what it can do",
        answers: [
            .init(
                200, "The server.",
                .json([
                    .init("server", .choice(["refreshd"])), .init("version", .text),
                    .init("api", .object([.init("min", .text), .init("max", .text)])),
                    .init("instance", .text, "New with each start."), .init("started_at", .time),
                    .init("capabilities", .list(.text)),
                ]))
        ])

    private static let checks = RouteDescription.Content.json([
        .init("status", .choice(["ok", "failed"])),
        .init(
            "checks",
            .list(
                .object([
                    .init("name", .text), .init("ok", .flag), .init("detail", .optional(.text)),
                ]))),
    ])

    static let health = RouteDescription(
        "Whether the daemon runs", answers: [.init(200, "It runs.", checks)])

    static let readiness = RouteDescription(
        "Whether the daemon can answer; an upstream's failure does not count",
        answers: [.init(200, "It can.", checks), .init(503, "It cannot.", checks)])

    static let metrics = RouteDescription(
        "Figures for Prometheus", answers: [.init(200, "The figures.", .bytes("text/plain"))])

    static let openapi = RouteDescription(
        "This document", answers: [.init(200, "The document.", .json(.map(.any)))])

    static let status = RouteDescription(
        "The daemon at a glance",
        answers: [
            .init(
                200, "The daemon and the sum of its feeds.",
                .json([
                    .init("version", .text), .init("instance", .text), .init("generation", .count),
                    .init("config", .choice(["ok", "reload-failed"])), .init("started_at", .time),
                    .init("uptime_ms", .count),
                    .init("disk_bytes", .optional(.count)),
                    .init(
                        "feeds",
                        .object([
                            .init("total", .count), .init("by_state", .map(.count)),
                            .init("by_freshness", .map(.count)),
                        ])),
                    .init("in_flight", .count), .init("items", .count),
                    .init("alarms", .list(.text), "What is wrong with the daemon as a whole."),
                ]))
        ])

    // MARK: - Of feeds

    static let feeds = RouteDescription(
        "Every feed", answers: [.init(200, "The feeds.", .json([.init("feeds", .list(.named(.feed)))]))])

    static let feed = RouteDescription(
        "One feed", answers: [.init(200, "The feed.", .json(.named(.feed)))], problems: [.feedNotFound])

    static let history = RouteDescription(
        "The last refreshes of a feed that have asked its upstream, the newest first; forgotten at a restart",
        answers: [
            .init(
                200, "The refreshes.",
                .json([
                    .init("feed", SchemaName.feedName),
                    .init("refreshes", .list(.named(.refresh), atMost: HistoryBoard.longest)),
                ]))
        ], problems: [.feedNotFound])
}
