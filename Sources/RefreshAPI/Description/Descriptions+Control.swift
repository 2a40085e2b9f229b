import RefreshCore

/// The descriptions of what those ask who run the host.
extension Descriptions {
    private static let nothing = Schema.exactly([])

    private static let paused = done([.init("feed", SchemaName.feedName), .init("paused", .flag)])

    /// What was done, or that it goes on although the answer could wait no longer.
    private static func done(_ members: [Schema.Member]) -> RouteDescription.Content {
        let timeout = Schema.object([
            .init("feed", .optional(SchemaName.feedName)), .init("outcome", .choice(["timeout"])),
            .init("detail", .text),
        ])
        return .json(.anyOf([.object(members), timeout]))
    }

    static let pause = RouteDescription(
        "Stops a feed's schedule and readers' wishes, over restarts",
        body: nothing, answers: [.init(200, "It is paused.", paused)],
        problems: [.feedNotFound, .badBody, .unsupportedMediaType, .controlBusy, .busy])

    static let resume = RouteDescription(
        "Lets a paused feed go on", body: nothing,
        answers: [.init(200, "It goes on.", paused)],
        problems: [.feedNotFound, .badBody, .unsupportedMediaType, .controlBusy, .busy])

    private static let clearing: [Problem.Code] = [
        .feedNotFound, .badBody, .unsupportedMediaType, .controlBusy, .cacheFailed, .busy,
    ]

    static let purge = RouteDescription(
        "Empties a feed's cache; programs have to list anew, and the feed is read in full",
        body: nothing,
        answers: [
            .init(
                200, "It is empty.",
                done([
                    .init("feed", SchemaName.feedName),
                    .init("purged_items", .count, "Live items that it had."),
                ]))
        ],
        problems: clearing)

    static let reset = RouteDescription(
        "Forgets where a feed's passes stand, so that the next one reads all; items and sync keys stay",
        body: nothing,
        answers: [
            .init(
                200, "It is forgotten.", done([.init("feed", SchemaName.feedName), .init("reset", .flag)]))
        ],
        problems: clearing)

    static let backup = RouteDescription(
        "Copies both databases to the folder that the configuration names",
        body: nothing,
        answers: [
            .init(
                200, "It is written and on the disk.",
                done([
                    .init("folder", .text), .init("name", .text, "Of the folder in it that is the backup."),
                    .init("files", .list(.object([.init("name", .text), .init("bytes", .count)]))),
                    .init("kept", .count, "How many backups are kept."),
                    .init("dropped", .list(.text), "Older ones that were removed for this one."),
                    .init("took_ms", .count),
                ]))
        ],
        problems: [.badBody, .unsupportedMediaType, .controlBusy, .backupFailed, .busy])

    private static let level = Schema.choice(LogLevel.allCases.map(\.name))

    static let logLevel = RouteDescription(
        "Changes what is logged, until the daemon ends or the file says something new",
        body: .exactly([.maybe("level", level, "Without it the answer only tells.")]),
        answers: [
            .init(200, "What is logged.", done([.init("level", level), .init("was", level)]))
        ],
        problems: [.badBody, .unsupportedMediaType, .controlBusy, .busy])

    static let reload = RouteDescription(
        "Reads the configuration anew; one with mistakes changes nothing",
        body: nothing,
        answers: [
            .init(
                200, "What it changed.",
                done([
                    .init("generation", .count), .init("added", .list(SchemaName.feedName)),
                    .init("changed", .list(SchemaName.feedName)),
                    .init("removed", .list(SchemaName.feedName)), .init("unchanged", .count),
                    .init("warnings", .list(.named(.fault))),
                ]))
        ],
        problems: [
            .badBody, .unsupportedMediaType, .controlBusy, .configInvalid, .cacheFailed, .busy,
        ])

    // MARK: - The configuration

    static let checkConfiguration = RouteDescription(
        "Says what a reload would say to the files on the disk, and changes nothing",
        body: nothing,
        answers: [
            .init(
                200, "What is right and wrong with them.",
                done([
                    .init("file", .text, "The first of them."), .init("valid", .flag),
                    .init("feeds", .optional(.count), "How many there are; null where there is an error."),
                    .init("errors", .list(.named(.fault))), .init("warnings", .list(.named(.fault))),
                ]))
        ],
        problems: [.badBody, .unsupportedMediaType, .controlBusy, .busy])

    private static let values = Schema.list(
        .object([
            .init("path", .text), .init("value", .text, "Secrets only as where they come from."),
            .init("origin", .text, "The file and line that says so, with the fragment or `defaults`."),
            .init("default", .flag, "Nobody says so, and the default holds."),
        ]))

    static let configuration = RouteDescription(
        "The configuration that the daemon runs with, whatever the files say by now",
        parameters: [
            .init("feed", SchemaName.feedName, "Only this one."),
            .init("defaults", .choice(["0", "1"]), "1: values too that nobody has written."),
            .init("cursor", .text, "Goes on behind a page."),
            .init("limit", .number(1...1_000), "Feeds of a page; 500 by default."),
        ],
        answers: [
            .init(
                200, "The values, and who says each.",
                done([
                    .init("generation", .count), .init("file", .text), .init("loaded_at", .time),
                    .init("daemon", values), .init("budgets", values), .init("plugins", values),
                    .init(
                        "feeds",
                        .list(.object([.init("feed", SchemaName.feedName), .init("values", values)]))),
                    .init("cursor", .optional(.text)), .init("has_more", .flag),
                ]))
        ],
        problems: [.invalidParameter, .badCursor, .feedNotFound, .controlBusy, .busy])

    static let configurationSchema = RouteDescription(
        "The JSON Schema of plugins.yaml, for editors",
        answers: [
            .init(
                200, "The schema.",
                RouteDescription.Content(type: "application/schema+json", schema: .map(.any)))
        ])
}
