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
        problems: [.feedNotFound, .unsupportedMediaType, .busy])

    static let resume = RouteDescription(
        "Lets a paused feed go on", body: nothing,
        answers: [.init(200, "It goes on.", paused)],
        problems: [.feedNotFound, .unsupportedMediaType, .busy])

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
        problems: [.unsupportedMediaType, .controlBusy, .configInvalid, .cacheFailed, .busy])
}
