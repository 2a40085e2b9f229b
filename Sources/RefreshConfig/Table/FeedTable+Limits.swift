import RefreshCore

extension FeedTable {
    enum Tombstones {
        private static let standard = Retention(count: 1)
        static let age = DefaultedKey(
            "age", .duration(ages), default: standard.tombstoneAge,
            "How long the trace of a deletion is kept.")
        static let count = DefaultedKey(
            "count", .whole(0...100_000_000), default: standard.tombstoneCount, "Traces kept at most.")
        static let minAge = DefaultedKey(
            "min_age", .duration(ages), default: standard.tombstoneMinAge,
            "Younger ones are kept beyond `count`.")
        static let hardBytes = Key(
            "hard_bytes", .size(.kibibytes(1) ... .gibibytes(64)),
            "Beyond so many bytes of traces `min_age` no longer protects them.")

        static let block = Block([age.entry, count.entry, minAge.entry, hardBytes.entry])
    }

    enum Keep {
        private static let standard = Retention(count: 1)
        static let count = DefaultedKey(
            "count", .whole(1...100_000_000), default: 100_000, except: [.feed: 500], "Items kept at most.")
        static let age = Key(
            "age", .duration(.seconds(1) ... .seconds(36_500 * 86_400)),
            "Older items go, by the value of `sort` where that is a time, otherwise by when they were last seen."
        )
        static let bytes = DefaultedKey(
            "bytes", .size(.kibibytes(1)...ByteCount(1 << 44)), default: standard.bytes,
            "Bytes of records kept at most.")
        static let listed = DefaultedKey(
            "listed", .flag, default: standard.listed,
            "Whether what the latest list holds stays, up to four times `count`.")
        static let gone = DefaultedKey(
            "gone", .duration(ages), default: standard.gone,
            "How long an item that is gone upstream is still shown as such.")
        static let tombstones = Key(
            "tombstones", .block(Tombstones.block), "How long deletions can be told to programs.")
        static let ledger = DefaultedKey(
            "ledger", .duration(ages), default: standard.ledger,
            "How long a removed item's key is remembered after it was listed last.")

        static let block = Block([
            count.entry, age.entry, bytes.entry, listed.entry, gone.entry, tombstones.entry, ledger.entry,
        ])
    }

    enum RateHeaderKeys {
        static let remaining = Key(
            "remaining", .token, required: AdapterKind.all, "The header field of what is left.")
        static let reset = Key(
            "reset", .token, required: AdapterKind.all, "The header field of when it is filled again.")
        static let form = DefaultedKey(
            "as", .word, default: RateHeaders.ResetForm.delta, "How `reset` is written.")

        static let block = Block([remaining.entry, reset.entry, form.entry])
    }

    enum Limits {
        private static let standard = FeedLimits()
        private static let transfer = TransferLimits()
        private static let sizes: ClosedRange<ByteCount> = ByteCount(1) ... .gibibytes(1)
        static let rate = Key("rate", .rate, "Requests in a time, such as `60/1m`.")
        static let burst = Key("burst", .whole(1...1_000_000), "Requests that may come at once.")
        static let concurrent = DefaultedKey(
            "concurrent", .whole(1...1_024), default: standard.concurrent, "Requests under way at a time.")
        static let share = Key("share", .token, "The budget that the feed shares with others.")
        static let headers = DefaultedKey(
            "headers", .either(["auto", "off"], RateHeaderKeys.block), default: .word("auto"),
            "How the upstream tells what is left.")
        static let reserve = DefaultedKey(
            "reserve", .share, default: standard.reserve, "The share that is kept for what programs ask for.")
        static let waitMax = DefaultedKey(
            "wait_max", .duration(.zero...year), default: standard.waitMax,
            "The longest pause inside a pass; a longer one ends it.")
        static let body = DefaultedKey(
            "body", .size(sizes), default: transfer.wire, "Bytes of an answer as sent.")
        static let decoded = DefaultedKey(
            "decoded", .size(sizes), default: transfer.decoded, except: [.feed: .mebibytes(16)],
            "Bytes of an answer after content decoding.")
        static let depth = DefaultedKey(
            "depth", .whole(1...10_000), default: standard.depth, "Levels of an answer.")
        static let pass = DefaultedKey(
            "pass", .duration(.seconds(1) ... .seconds(86_400)), default: standard.pass,
            "How long one pass may take, pauses not counted.")
        static let rows = DefaultedKey(
            "rows", .whole(1...1_000_000_000), default: standard.rows, "Records of one pass.")
        static let keyBytes = DefaultedKey(
            "key_bytes", .size(ByteCount(16) ... .kibibytes(64)), default: standard.keyBytes,
            "Bytes of a key.")
        static let itemBytes = Key(
            "item_bytes", .size(ByteCount(16) ... .gibibytes(1)), note: "1MiB; http as decoded",
            "Bytes of a record.")

        static let block = Block([
            rate.entry, burst.entry, concurrent.entry, share.entry, headers.entry, reserve.entry,
            waitMax.entry, body.entry, decoded.entry, depth.entry, pass.entry, rows.entry,
            keyBytes.entry, itemBytes.entry,
        ])
    }

    enum When {
        static let status = Key("status", .statuses, "One of these statuses; `4xx` is 400 to 499.")
        static let body = Key("body", .filter, "A condition on the answer's JSON.")
        static let text = Key("text", .text, "Text that is part of the answer.")
        static let header = Key(
            "header", .text, "A header field that is there: `NAME`, or `NAME: VALUE`.")

        static let block = Block([status.entry, body.entry, text.entry, header.entry])
    }

    enum Rule {
        static let when = Key(
            "when", .block(When.block), required: AdapterKind.all, "What has to hold, all of it.")
        static let action = Key(
            "do", .word as Form<ErrorRule.Action>, required: AdapterKind.all, "What is done then.")
        static let message = Key("message", .text, "What status says then.")

        static let block = Block([when.entry, action.entry, message.entry])
    }

    enum Retry {
        private static let standard = RetryPlan()
        static let tries = DefaultedKey(
            "tries", .whole(1...100), default: standard.tries, "Attempts in all.")
        static let first = DefaultedKey(
            "first", .duration(.zero ... .seconds(3_600)), default: standard.first, "The first pause.")
        static let factor = DefaultedKey(
            "factor", .number(1...100), default: standard.factor, "How each pause grows.")
        static let longest = DefaultedKey(
            "max", .duration(.zero ... .seconds(86_400)), default: standard.longest, "The longest pause.")
        static let jitter = DefaultedKey(
            "jitter", .word, default: standard.jitter, "Whether chance shortens pauses.")

        static let block = Block([tries.entry, first.entry, factor.entry, longest.entry, jitter.entry])
    }

    static let keep = Key("keep", .block(Keep.block), "How much is kept.")
    static let limits = Key(
        "limits", .block(Limits.block), "What the feed may cost its upstream and this host.")
    static let errors = Key(
        "errors", .list(Rule.block),
        "What answers mean, before the built-in rules; the first that fits decides.")
    static let retry = Key(
        "retry", .block(Retry.block), "How a request inside a pass under way is repeated.")
}
