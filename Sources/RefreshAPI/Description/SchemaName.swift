import RefreshCore
import RefreshEngine

/// The shapes that several answers share, under the names that the document has for them.
enum SchemaName: String, Sendable, CaseIterable {
    case problem = "Problem"
    case failure = "Failure"
    case feed = "Feed"
    case item = "Item"
    case change = "Change"
    case refresh = "Refresh"
    case fault = "Fault"

    var schema: Schema {
        switch self {
        case .problem: SchemaName.problemSchema
        case .failure: SchemaName.failureSchema
        case .feed: SchemaName.feedSchema
        case .item: SchemaName.itemSchema
        case .change: SchemaName.changeSchema
        case .refresh: SchemaName.refreshSchema
        case .fault: SchemaName.faultSchema
        }
    }

    static let feedName = Schema.matching("^[a-z0-9][a-z0-9._-]{0,63}$")
    static let freshness = Schema.choice(["new", "fresh", "stale", "overdue"])
    static let state = Schema.choice(FeedStatus.State.allCases.map(\.rawValue))

    private static let problemSchema = Schema.object([
        .init("type", .text, "A URN that ends in the code."),
        .init("title", .text), .init("status", .number(400...599)),
        .init("detail", .text, "What is wrong with this request, for people."),
        .init("code", .choice(Problem.Code.allCases.map(\.rawValue)), "Programs go by it."),
        .init("instance", .text, "The request's id, which the log has as well."),
        .maybe(
            "errors",
            .list(
                .anyOf([
                    .object([
                        .init("pointer", .text, "Where in the body the mistake is (RFC 6901)."),
                        .init("detail", .text),
                    ]), .named(.fault),
                ]))),
        .maybe("retry_after_ms", .count), .maybe("supported", .list(.text), "Versions of the API."),
        .maybe("reason", .choice(["epoch", "future", "horizon"]), "Why a sync key cannot be answered."),
    ])

    private static let failureSchema = Schema.object([
        .init("class", .choice(RefreshFailure.Class.allCases.map(\.rawValue))),
        .init("code", .text, "Stable, for programs: `http-503`, `connect-timeout`."),
        .init("detail", .text), .maybe("status", .number(100...599), "The upstream's."),
        .maybe("at", .time),
    ])

    private static let passSchema = Schema.object([
        .init("status", .optional(.number(100...599)), "The upstream's last; null where no answer came."),
        .init("bytes", .count, "Of bodies, as they came over the wire."), .init("ms", .count),
        .init("passes", .count, "All that asked the upstream, since the feed is known."),
        .init("failed", .count, "How many of them failed."),
    ])

    private static let feedSchema = Schema.object([
        .init("name", feedName), .init("title", .optional(.text)),
        .init("tags", .list(.text)), .init("adapter", .text),
        .init("url", .text, "Without secrets."), .init("freshness", freshness), .init("state", state),
        .init("alarms", .list(.text)), .init("last_success", .optional(.time)),
        .init("last_attempt", .optional(.time)), .init("last_change", .optional(.time)),
        .init("next_due", .optional(.time)), .init("due_rule", .text, "The rule that has set `next_due`."),
        .init("consecutive_failures", .count), .init("last_error", .optional(.named(.failure))),
        .init("last_pass", .optional(passSchema)),
        .init("in_flight", .flag, "Whether it is refreshed now."), .init("items", .count),
        .init("bytes", .count, "Of the items' bodies."),
        .init("end", .flag, "Whether everything is cached that the upstream has."),
        .init("listed_at", .optional(.time)), .init("checked_at", .optional(.time)),
        .init("sync_key", .text, "For `changes?since=`; opaque."),
    ])

    private static let itemSchema = Schema.object([
        .init("key", .text, "Of several parts: the JSON array of them."),
        .init("rev", .number(1...Int64.max), "How often it changed, from 1 on."),
        .init("state", .choice(["live", "gone"])),
        .init("order", .any, "What the feed's order goes by: a time, a number, a text, or null."),
        .init("first_seen", .time), .init("listed_at", .optional(.time)),
        .init("checked_at", .optional(.time)), .init("changed_at", .time), .init("created_seq", .count),
        .init("seq", .count), .maybe("gone_at", .time),
        .maybe("gone_reason", .choice(DeleteReason.allCases.map(\.name))),
        .maybe("rekeyed_from", .text, "The key that it had before the upstream gave it another one."),
        .init("data", .any, "The record as the upstream wrote it, or the members of it that were asked for."),
    ])

    private static let changeSchema = Schema.object([
        .init("op", .choice(["upsert", "delete"])), .init("key", .text),
        .init("rev", .number(1...Int64.max)), .init("seq", .count),
        .maybe("reason", .choice(DeleteReason.allCases.map(\.name)), "Of a deletion."),
        .maybe("replaced_by", .text, "The key of the item that took its place."),
        .maybe("created", .flag, "Whether it is new since the key."),
        .init("txn", .count, "Changes with the same number were stored together."),
        .maybe("revived", .flag, "Whether it was gone in between."), .maybe("item", .named(.item)),
    ])

    private static let refreshSchema = Schema.object([
        .init("at", .time, "When it began."),
        .init("why", .choice(HistoryEntry.Cause.allCases.map(\.name))),
        .init("result", .choice(Counters.Result.allCases.map(\.name))),
        .init("requests", .count, "To the upstream."), .init("status", .optional(.number(100...999))),
        .init("bytes", .count, "As they came over the wire."), .init("took_ms", .count),
        .init("added", .count), .init("changed", .count), .init("removed", .count),
        .maybe(
            "error",
            .object([
                .init("class", .choice(RefreshFailure.Class.allCases.map(\.rawValue))),
                .init("code", .text),
            ])),
    ])

    private static let faultSchema = Schema.object([
        .init("file", .text, "The one of the configuration's files that it is in."),
        .init("line", .count, "From 1; 0 for the file as a whole."), .init("col", .count),
        .init("code", .text),
        .init("detail", .text),
    ])
}
