/// The mistakes that the schema cannot see, each with the reason.
enum BeyondSchema {
    static let files: [String: String] = Dictionary(
        groups.flatMap { group in group.names.map { ("\($0).yaml", group.reason) } }
    ) { first, _ in first }

    private static let groups: [(reason: String, names: [String])] = [
        (
            "ranges of durations are no pattern",
            [
                "every-below-minimum", "every-of-feed-below-gap", "every-of-feed-below-minimum",
                "expect-zero", "freshness-wait", "limits-rate-zero-time", "revalidate-too-short",
                "timeout-zero",
            ]
        ),
        (
            "defaults or a fragment may say it",
            [
                "missing-adapter", "missing-key", "missing-url", "xml-without-fields",
                "xml-without-path",
            ]
        ),
        (
            "names that other parts of the file give",
            [
                "adapter-of-plugin-typo", "derive-unknown-plugin", "limits-budget-typo",
                "limits-unknown-budget", "outbox-invalidates", "parent-circle", "parent-itself",
                "parent-typo", "parent-unknown", "unknown-adapter", "use-unknown-fragment",
                "variable-unknown", "variable-with-newline", "variable-without-vars",
            ]
        ),
        (
            "the grammar of paths is no pattern",
            [
                "where-no-condition", "errors-body-no-condition", "expand-not-closed", "bad-path",
                "key-list-not-singular", "key-not-singular", "paginate-next-not-singular",
                "records-drop-bad-path", "records-fields-not-singular",
            ]
        ),
        (
            "what a placeholder needs stands elsewhere",
            [
                "by-id-placeholder", "outbox-address-without-id", "outbox-placeholder",
                "placeholder-cursor-without-paginate", "placeholder-empty", "placeholder-in-host",
                "placeholder-misplaced-ids", "placeholder-op-in-list",
                "placeholder-page-without-paginate", "placeholder-parent-without-parent",
                "placeholder-since-without-incremental", "placeholder-size-without-size",
                "placeholder-unclosed", "placeholder-unknown-in-body", "session-login-placeholder",
                "unknown-placeholder",
            ]
        ),
        (
            "two values that go together, or do not",
            [
                "budget-burst-without-rate", "budget-without-limit", "by-id-join-and-repeat",
                "by-id-without-to", "cron-and-every", "csv-without-columns",
                "freshness-item-without-by-id", "incremental-format-alone",
                "incremental-format-missing", "incremental-step-without-until",
                "incremental-without-to", "limits-burst-without-rate", "oauth2-refresh-token-unused",
                "oauth2-without-refresh-token", "oauth2-without-secret", "paginate-offset-without-to",
                "paginate-page-without-stop", "paginate-size-to-without-size",
                "preload-without-paginate", "tls-cert-without-key", "unix-and-proxy",
                "zone-without-cron",
            ]
        ),
        (
            "values that exclude each other by what they say",
            [
                "authorization-twice", "absent-gone-without-full-every", "body-member-twice", "by-id-batches",
                "by-id-max-wait", "by-id-max-wait-said", "deletes-list-several-key-parts", "header-twice",
                "header-twice-auth",
                "incremental-full-every-off", "incremental-start-ago-int", "incremental-start-no-time",
                "incremental-start-not-epoch", "incremental-zone-on-epoch", "keep-tombstones-min-age",
                "paginate-overlap-too-large", "parameter-twice-auth", "parameter-twice-in-url",
                "parameter-twice-size-and-cursor", "parameter-twice-url-and-params",
                "plugin-named-json", "records-format-of-other-adapter", "skip-everything",
            ]
        ),
        (
            "what the system knows",
            [
                "socket-path-too-long", "zone-unknown",
            ]
        ),
        (
            "a warning only",
            [
                "body-with-get", "token-with-parent", "no-feeds",
            ]
        ),
        (
            "a grammar of its own",
            [
                "include-absolute", "include-climbs", "include-wildcard-folder", "proxy-no-url",
            ]
        ),
    ]
}
