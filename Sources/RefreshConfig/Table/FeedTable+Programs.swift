import RefreshCore

extension FeedTable {
    enum Derive {
        private static let standard = DerivePlan(name: "")
        static let from = Key("from", .pathList, required: AdapterKind.all, "What it is worked out from.")
        static let exec = Key("exec", .command, "The program and its arguments, without a shell.")
        static let plugin = Key("plugin", .token, "The plugin that works it out.")
        static let mode = DefaultedKey(
            "mode", .word, default: standard.mode, "When: asked for first, or as soon as the item changes.")
        static let params = Key("params", .json, "Handed to the program as it is.")
        static let timeout = DefaultedKey(
            "timeout", .duration(patience), default: standard.timeout, "How long it may take.")
        static let maxVariants = DefaultedKey(
            "max_variants", .whole(1...1_000), default: standard.maxVariants, "Variants kept of one item.")
        static let bytes = DefaultedKey(
            "bytes", .size(ByteCount(1) ... .gibibytes(1)), default: standard.bytes, "Bytes of one result.")

        static let block = Block(
            [
                from.entry, exec.entry, plugin.entry, mode.entry, params.entry, timeout.entry,
                maxVariants.entry, bytes.entry,
            ], oneOf: [exec.entry.name, plugin.entry.name])
    }

    enum Action {
        static let request = Key(
            "request", .block(RequestTable.action.block), required: AdapterKind.all, "What is sent.")
        static let key = Key("key", .path(singular: true), "Where the answer has the server's key.")
        static let temporaryKey = DefaultedKey(
            "temporary_key", .flag, default: false,
            "Whether programs may name the new item until it has a key.")

        static let block = Block([request.entry, key.entry, temporaryKey.entry])
    }

    enum Idempotency {
        static let header = Key("header", .token, "The header field that holds the operation's id.")
        static let body = Key(
            "body", .path(singular: true), "The member of the JSON body that holds the operation's id.")

        static let block = Block(
            [header.entry, body.entry], oneOf: [header.entry.name, body.entry.name])
    }

    enum Outbox {
        private static let standard = OutboxPlan()
        static let actions = Key(
            "actions", .map(.thing("an action"), .block(Action.block)), required: AdapterKind.all,
            "What programs can ask for, by name.")
        static let lane = DefaultedKey(
            "lane", .word, default: standard.lane, "What is done strictly in order: all, or all of one key.")
        static let idempotency = DefaultedKey(
            "idempotency", .either(["none", "address"], Idempotency.block), default: .word("none"),
            "How the upstream knows a repeated operation; `address` where `$(op.id)` stands in the URL.")
        static let lookup = Key(
            "lookup", .block(RequestTable.lookup.block), "A request that tells whether an operation arrived.")
        static let correlation = Key(
            "correlation", .path(singular: true), "Where a record holds the id of the operation that made it."
        )
        static let onUnknown = DefaultedKey(
            "on_unknown", .word, default: standard.onUnknown,
            "What is done when nobody knows whether it arrived.")
        static let onDead = DefaultedKey(
            "on_dead", .word, default: standard.onDead,
            "Whether an operation that failed for good stops its lane.")
        static let timeout = DefaultedKey(
            "timeout", .duration(patience), default: standard.timeout, "How long one attempt may take.")
        static let maxAttempts = DefaultedKey(
            "max_attempts", .whole(0...1_000_000), default: standard.maxAttempts,
            "Attempts in all; 0 is without end.")
        static let maxAge = DefaultedKey(
            "max_age", .duration(.seconds(1) ... .seconds(36_500 * 86_400)), default: standard.maxAge,
            "How long it is tried.")
        static let gateTimeout = DefaultedKey(
            "gate_timeout", .duration(.zero ... .seconds(3_600)), default: standard.gateTimeout,
            "How long a refresh waits for operations before it.")
        static let settle = DefaultedKey(
            "settle", .duration(.zero ... .seconds(86_400)), default: standard.settle,
            "How long the upstream may take to show what was done.")
        static let resultKeep = DefaultedKey(
            "result_keep", .duration(ages), default: standard.resultKeep, "How long results can be asked for."
        )
        static let maxOperations = DefaultedKey(
            "max_ops", .whole(1...10_000_000), default: standard.maxOperations,
            "Operations that wait at most.")
        static let maxBody = DefaultedKey(
            "max_body", .size(ByteCount(1) ... .gibibytes(1)), default: standard.maxBody,
            "Bytes of one operation.")
        static let invalidates = Key(
            "invalidates", .feedNames, "Feeds that are refreshed after an operation.")

        static let block = Block([
            actions.entry, lane.entry, idempotency.entry, lookup.entry, correlation.entry,
            onUnknown.entry, onDead.entry, timeout.entry, maxAttempts.entry, maxAge.entry,
            gateTimeout.entry, settle.entry, resultKeep.entry, maxOperations.entry, maxBody.entry,
            invalidates.entry,
        ])
    }

    enum Parent {
        static let feed = Key("feed", .token, required: AdapterKind.all, "The other feed.")
        static let filter = Key("where", .filter, "Only for its items for which this holds.")
        static let with = Key("with", .texts, "Fields of its item that are copied into the rows.")
        static let concurrent = DefaultedKey(
            "concurrent", .whole(1...1_024), default: 1, "Requests under way at a time.")
        static let changedOnly = DefaultedKey(
            "changed_only", .flag, default: true, "Only for items that changed since their last turn.")

        static let block = Block([
            feed.entry, filter.entry, with.entry, concurrent.entry, changedOnly.entry,
        ])
    }

    static let derive = Key(
        "derive", .map(.thing("a derived value"), .block(Derive.block)),
        "Values that programs work out from items, by name.")
    static let outbox = Key("outbox", .block(Outbox.block), "Operations that programs hand in.")
    static let parent = Key(
        "parent", .block(Parent.block), adapters: AdapterKind.rows.union([.plugin]),
        "One sub-pass for each item of another feed.")
}
