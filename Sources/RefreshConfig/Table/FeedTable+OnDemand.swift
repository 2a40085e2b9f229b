import RefreshCore

extension FeedTable {
    enum ByID {
        private static let standard = ByIDPlan()
        static let request = Key(
            "request", .block(RequestTable.byID.block), "What differs from the feed's own `request`.")
        static let to = Key("to", .sendPlace, "Where the request names the ids.")
        static let join = Key("join", .text, note: "\",\"", "What stands between several ids.")
        static let repeated = DefaultedKey(
            "repeat", .flag, default: false, "Whether the parameter is sent once for each id.")
        static let maxBatch = DefaultedKey(
            "max_batch", .whole(1...100_000), default: standard.maxBatch, "Ids of one request.")
        static let minBatch = DefaultedKey(
            "min_batch", .whole(0...100_000), default: standard.minBatch,
            "A request is filled up to so many ids, oldest first.")
        static let window = DefaultedKey(
            "window", .whole(0...100_000), default: standard.window,
            "Neighbours on each side of what is visible that are refreshed with it.")
        static let debounce = DefaultedKey(
            "debounce", .duration(.zero ... .seconds(60)), default: standard.debounce,
            "How long it waits for further ids.")
        static let maxWait = DefaultedKey(
            "max_wait", .duration(.zero ... .seconds(3_600)), default: standard.maxWait,
            "It waits no longer than this in all.")
        static let fillMinAge = Key(
            "fill_min_age", .duration(ages), note: "half of fresh_for",
            "Younger items are not used to fill up.")
        static let goneRecheck = DefaultedKey(
            "gone_recheck", .duration(ages), default: standard.goneRecheck,
            "How often an item that is gone is asked for again.")
        static let missing = DefaultedKey(
            "missing", .word, default: standard.missing, "What it means when an answer lacks an id.")
        static let missingGuard = DefaultedKey(
            "missing_guard", .share, default: standard.missingGuard,
            "The share of missing ids, at least 5, beyond which an answer is not believed.")
        static let maxFlights = DefaultedKey(
            "max_flights", .whole(1...1_024), default: standard.maxFlights, "Requests under way at a time.")
        static let flightTimeout = DefaultedKey(
            "flight_timeout", .duration(patience), default: standard.flightTimeout,
            "How long one of them may take.")
        static let forceMinInterval = DefaultedKey(
            "force_min_interval", .duration(.zero ... .seconds(3_600)), default: standard.forceMinInterval,
            "The least time between two forced refreshes of one item.")
        static let fallback = Key(
            "fallback", .word(["list"]), "`list`: a refresh of the list serves all ids.")

        static let block = Block([
            request.entry, to.entry, join.entry, repeated.entry, maxBatch.entry, minBatch.entry,
            window.entry, debounce.entry, maxWait.entry, fillMinAge.entry, goneRecheck.entry,
            missing.entry, missingGuard.entry, maxFlights.entry, flightTimeout.entry,
            forceMinInterval.entry, fallback.entry,
        ])
    }

    enum Freshness {
        private static let standard = FreshnessPlan()
        static let scope = Key(
            "scope", .word as Form<FreshnessPlan.Scope>, note: "item with by_id, otherwise feed",
            "Whether each item has an age of its own.")
        static let freshFor = Key(
            "fresh_for", .duration(ages), note: "scope item: 5m; scope feed: until the next is due",
            "How long an item counts as fresh.")
        static let serveStale = DefaultedKey(
            "serve_stale", .duration(ages), default: standard.serveStale,
            "How long after that it is served while it is refreshed.")
        static let staleIfError = Key(
            "stale_if_error", .duration(ages), note: "for ever",
            "How long it is served while the upstream fails.")
        static let wait = DefaultedKey(
            "wait", .duration(.zero ... .seconds(60)), default: standard.wait,
            "How long programs that ask to wait do so.")
        static let keepValidators = DefaultedKey(
            "keep_validators", .duration(ages), default: standard.keepValidators,
            "How long an answer's validators are used.")
        static let upstreamHeaders = DefaultedKey(
            "upstream_headers", .word, default: standard.upstreamHeaders,
            "What the upstream's own lifetimes do to freshness.")

        static let block = Block([
            scope.entry, freshFor.entry, serveStale.entry, staleIfError.entry, wait.entry,
            keepValidators.entry, upstreamHeaders.entry,
        ])
    }

    enum Preload {
        private static let standard = PreloadPlan()
        static let passPages = DefaultedKey(
            "pass_pages", .whole(1...1_000_000), default: standard.passPages, "Pages of a scheduled pass.")
        static let aheadItems = DefaultedKey(
            "ahead_items", .whole(0...1_000_000), default: standard.aheadItems,
            "Items before the end of what is loaded at which loading goes on.")
        static let aheadRatio = DefaultedKey(
            "ahead_ratio", .number(0...1), default: standard.aheadRatio,
            "The part of what is loaded behind which loading goes on.")
        static let pagesAhead = DefaultedKey(
            "pages_ahead", .whole(1...1_000), default: standard.pagesAhead, "Pages that are loaded then.")
        static let emptyPagesMax = DefaultedKey(
            "empty_pages_max", .whole(0...1_000), default: standard.emptyPagesMax,
            "Pages without anything new in a row that are followed.")
        static let shortPageIsEnd = DefaultedKey(
            "short_page_is_end", .flag, default: standard.shortPageIsEnd,
            "Whether a page with fewer records than `size` is the last.")

        static let block = Block([
            passPages.entry, aheadItems.entry, aheadRatio.entry, pagesAhead.entry, emptyPagesMax.entry,
            shortPageIsEnd.entry,
        ])
    }

    static let byID = Key(
        "by_id", .block(ByID.block), adapters: AdapterKind.rows.union([.plugin]),
        "How single items are refreshed when programs ask for them.")
    static let freshness = Key("freshness", .block(Freshness.block), "How old is how fresh.")
    static let preload = Key(
        "preload", .either(["off"], Preload.block), adapters: AdapterKind.lists,
        note: "passes read the whole list",
        "A scheduled pass reads only the first pages; deeper ones come before programs reach them, or with `off` when programs ask for them."
    )
}
