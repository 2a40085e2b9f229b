import RefreshCore

extension FeedTable {
    private static let counts = 1...1_000_000_000

    enum Paging {
        private static let standard = PagingPlan()
        static let size = Key("size", .whole(1...1_000_000), "Records that a page is asked for.")
        static let sizeTo = Key("size_to", .sendPlace, "Where the request says `size`.")
        static let more = Key("more", .readPlace, "False there ends the pass.")
        static let maxPages = DefaultedKey(
            "max_pages", .whole(counts), default: standard.maxPages, "Pages of one pass.")
        static let maxRecords = Key("max_records", .whole(counts), "Records of one pass.")
        static let maxEmpty = DefaultedKey(
            "max_empty", .whole(0...1_000), default: standard.maxEmpty,
            "Empty pages in a row that are followed.")
        static let endOn = Key(
            "end_on", .wholes(400...599), "Statuses that mean the end after the first page.")
        static let resume = DefaultedKey(
            "resume", .duration(.zero...year), default: standard.resume,
            "An interrupted pass younger than this goes on at its page.")
        static let sameOrigin = DefaultedKey(
            "same_origin", .flag, default: standard.sameOrigin,
            "Whether a next link has to stay at the feed's origin.")

        static let rel = DefaultedKey("rel", .token, default: "next", "The relation of the link.")
        static let next = Key("next", .readPlace, required: AdapterKind.all, "Where the next page is named.")
        static let to = Key("to", .sendPlace, "Where the next request says it.")
        static let alone = Key("alone", .texts, "Parameters that only the first page sends.")
        static let firstPage = DefaultedKey(
            "start", .whole(0...1_000_000), default: 1, "The number of the first page.")
        static let totalPages = Key(
            "total_pages", .readPlace, "Where an answer says how many pages there are.")
        static let firstOffset = DefaultedKey(
            "start", .whole(0...1_000_000), default: 0, "The offset of the first record.")
        static let total = Key("total", .readPlace, "Where an answer says how many records there are.")
        static let overlap = DefaultedKey(
            "overlap", .whole(0...1_000_000), default: standard.overlap,
            "Records by which each page starts early.")
        static let from = Key(
            "from", .bodyPath(singular: true), required: AdapterKind.all,
            "The value of the last row that the next page starts behind.")

        static let choice = Choice(
            [
                .init("none", "One answer holds the whole list."),
                .init("link_header", "The `Link` header field (RFC 8288).", [rel.entry]),
                .init("link", "A link in the answer.", [next.entry]),
                .init("cursor", "An opaque position.", [next.entry, to.entry, alone.entry]),
                .init("page", "A page number.", [to.entry, firstPage.entry, totalPages.entry]),
                .init(
                    "offset", "A record number.", [to.entry, firstOffset.entry, total.entry, overlap.entry]),
                .init("keyset", "A value of the last row.", [from.entry, to.entry]),
            ],
            common: [
                size.entry, sizeTo.entry, more.entry, maxPages.entry, maxRecords.entry, maxEmpty.entry,
                endOn.entry, resume.entry, sameOrigin.entry,
            ])
    }

    enum Incremental {
        private static let standard = IncrementalPlan.Field(cursor: .root)
        static let fullEvery = Key(
            "full_every", .durationOrOff(.seconds(1)...year),
            note: "1d; off where deletes.when or deletes.list tells of deletions",
            "A whole pass at least this often; `off` is never.")

        static let cursor = Key(
            "cursor", .bodyPath(singular: true), required: AdapterKind.all,
            "The path, from a row, of the value.")
        static let kind = DefaultedKey("kind", .word, default: standard.kind, "What the value is.")
        static let format = Key(
            "format", .text, "The value's form in strptime's letters, for `kind: format`.")
        static let zone = Key("zone", .zone, note: "UTC", "The zone of values that name none.")
        static let to = Key("to", .sendPlace, "Where the request says it.")
        static let untilTo = Key("until_to", .sendPlace, "Where the request says the end of a window.")
        static let start = Key("start", .start, "What the first pass begins with, or how long ago.")
        static let overlap = DefaultedKey(
            "overlap", .duration(.zero...year), default: standard.overlap,
            "How much is asked for again, for what came late.")
        static let order = DefaultedKey("order", .word, default: standard.order, "The order of the rows.")
        static let bound = DefaultedKey(
            "bound", .word, default: standard.bound, "Whether the upstream's answer holds the bound itself.")
        static let step = Key(
            "step", .duration(.seconds(1)...year), "Windows of this length, one after another.")
        static let missing = DefaultedKey(
            "missing", .word, default: standard.missing, "What becomes of rows without the value.")

        static let next = Key("next", .readPlace, required: AdapterKind.all, "Where an answer has it.")
        static let resetOn = DefaultedKey(
            "reset_on", .wholes(400...599), default: [410], "Statuses that ask to begin anew.")

        static let choice = Choice(
            [
                .init(
                    "field", "A value of the rows, such as the time of their last change.",
                    [
                        cursor.entry, kind.entry, format.entry, zone.entry, to.entry, untilTo.entry,
                        start.entry, overlap.entry, order.entry, bound.entry, step.entry, missing.entry,
                    ]),
                .init("token", "An opaque token of the upstream's.", [next.entry, to.entry, resetOn.entry]),
                .init(
                    "server_time", "The upstream's own clock.",
                    [next.entry, kind.entry, to.entry, overlap.entry, start.entry]),
            ], common: [fullEvery.entry])
    }

    enum Deletes {
        private static let standard = DeletesPlan(absent: .gone)
        static let when = Key("when", .filter, "Rows for which it holds are deletions.")
        static let list = Key(
            "list", .bodyPath(singular: false), adapters: [.json, .xml, .html],
            "Where an answer lists the keys of deleted records.")
        static let absent = DefaultedKey(
            "absent", .word, default: Feed.AbsentMeans.gone, except: [.feed: .keep, .http: .keep],
            "What it means when a complete list no longer holds an item.")
        static let confirm = Key(
            "confirm", .whole(1...100), note: "1; 2 for offset and page paging",
            "Complete passes that have to lack an item.")
        static let dropGuard = DefaultedKey(
            "drop_guard", .share, default: standard.dropGuard,
            "The share of missing items, at least 10, beyond which a pass is not believed.")

        static let block = Block([when.entry, list.entry, absent.entry, confirm.entry, dropGuard.entry])
    }

    static let paginate = Key(
        "paginate", .choice(Paging.choice), adapters: AdapterKind.lists, note: "none",
        "How a list goes on after its first page.")
    static let incremental = Key(
        "incremental", .choice(Incremental.choice), adapters: AdapterKind.rows.union([.plugin]),
        "How only what is new is asked for.")
    static let deletes = Key("deletes", .block(Deletes.block), "How deletions are told.")
}
