import RefreshCore

/// What the schedule has learnt (refresh policy 2.1).
extension ProgressCoding {
    static func writePolicy(_ progress: FeedProgress, _ text: inout JSONText) {
        text.count("due_rule", progress.dueRule.rawValue)
        text.time("last_full", progress.lastFull)
        if let hash = progress.bodyHash {
            text.hash("body_hash_high", hash.high)
            text.hash("body_hash_low", hash.low)
        }
        write(progress.rhythm, &text)
        switch progress.httpHint {
        case .silent: break
        case .lasting(let duration): text.number("lasting", duration.inMicroseconds)
        case .expiring(let duration): text.number("expiring", duration.inMicroseconds)
        }
        if let rules = progress.staleRules {
            text.name("stale_rules")
            text.object { text in
                text.number("revalidating", rules.whileRevalidating?.inMicroseconds)
                text.number("on_error", rules.onError?.inMicroseconds)
                text.count("must_revalidate", rules.mustRevalidate ? 1 : 0)
            }
        }
        if let hints = progress.feedHints { write(hints, &text) }
        if let gone = progress.gone {
            text.name("gone")
            text.object { text in
                text.time("since", gone.since)
                text.number("checks", gone.checks.map(Int64.init))
            }
        }
        if let redirects = progress.redirects { write(redirects, &text) }
        text.time("tag_distrusted", progress.tagDistrusted)
        text.time("last_forced", progress.lastForced)
        text.time("full_asked", progress.fullAsked)
        text.count("crashes", progress.crashes)
        write(progress.entryKeys, &text)
    }

    static func readPolicy(_ stored: StoredObject, _ progress: inout FeedProgress) {
        progress.dueRule = DueRule(rawValue: stored.count("due_rule")) ?? .every
        progress.lastFull = stored.time("last_full")
        let hash = ContentHash(high: stored.hash("body_hash_high"), low: stored.hash("body_hash_low"))
        if hash != ContentHash(high: 0, low: 0) { progress.bodyHash = hash }
        progress.rhythm = stored.object("rhythm").map(rhythm) ?? Rhythm()
        if let lasting = stored.number("lasting") { progress.httpHint = .lasting(.microseconds(lasting)) }
        if let expiring = stored.number("expiring") { progress.httpHint = .expiring(.microseconds(expiring)) }
        progress.staleRules = stored.object("stale_rules").map { rules in
            StaleRules(
                whileRevalidating: rules.number("revalidating").map { Duration.microseconds($0) },
                onError: rules.number("on_error").map { Duration.microseconds($0) },
                mustRevalidate: rules.count("must_revalidate") == 1)
        }
        progress.feedHints = stored.object("feed_hints").map(hints)
        if let gone = stored.object("gone"), let since = gone.time("since") {
            progress.gone = GoneMark(since: since, checks: gone.number("checks").map(Int.init))
        }
        progress.redirects = stored.object("redirects").flatMap(redirects)
        progress.tagDistrusted = stored.time("tag_distrusted")
        progress.lastForced = stored.time("last_forced")
        progress.fullAsked = stored.time("full_asked")
        progress.crashes = stored.count("crashes")
        if let keys = stored.object("entry_keys") { progress.entryKeys = entryKeys(keys) }
    }

    // MARK: - Parts

    private static func write(_ rhythm: Rhythm, _ text: inout JSONText) {
        if rhythm == Rhythm() { return }
        text.name("rhythm")
        text.object { text in
            text.count("changes", rhythm.changes)
            // All the bits of it: what is learnt must not drift by being stored.
            text.hash("gap", rhythm.gapSeconds.bitPattern)
            text.time("changed_at", rhythm.changedAt)
        }
    }

    private static func rhythm(_ stored: StoredObject) -> Rhythm {
        let gap = Double(bitPattern: stored.hash("gap"))
        return Rhythm(
            changes: stored.count("changes"), gapSeconds: gap.isFinite ? gap : 0,
            changedAt: stored.time("changed_at"))
    }

    private static func write(_ hints: FeedHints, _ text: inout JSONText) {
        text.name("feed_hints")
        text.object { text in
            text.number("interval", hints.interval?.inMicroseconds)
            text.number("published_gap", hints.publishedGap?.inMicroseconds)
            text.number("skip_hours", Int64(bits(hints.skipHours)))
            text.number("skip_days", Int64(bits(hints.skipDays)))
        }
    }

    private static func hints(_ stored: StoredObject) -> FeedHints {
        var hints = FeedHints()
        hints.interval = stored.number("interval").map { Duration.microseconds($0) }
        hints.publishedGap = stored.number("published_gap").map { Duration.microseconds($0) }
        hints.skipHours = numbers(stored.count("skip_hours"), below: 24)
        hints.skipDays = numbers(stored.count("skip_days"), below: 7)
        return hints
    }

    private static func bits(_ numbers: Set<Int>) -> Int {
        numbers.filter { (0..<32).contains($0) }.reduce(0) { $0 | 1 << $1 }
    }

    private static func numbers(_ bits: Int, below end: Int) -> Set<Int> {
        Set((0..<end).filter { bits & 1 << $0 != 0 })
    }

    private static func write(_ keys: EntryKeys, _ text: inout JSONText) {
        if keys == EntryKeys() { return }
        text.name("entry_keys")
        text.object { text in
            text.words("level", keys.level == .id ? nil : keys.level.rawValue)
            text.count("churns", keys.churns)
            text.count("held", keys.holdsBack ? 1 : 0)
        }
    }

    private static func entryKeys(_ stored: StoredObject) -> EntryKeys {
        var keys = EntryKeys()
        keys.level = stored.words("level").flatMap(KeyLevel.init) ?? .id
        keys.churns = stored.count("churns")
        keys.holdsBack = stored.count("held") == 1
        return keys
    }

    private static func write(_ redirects: RedirectMemory, _ text: inout JSONText) {
        text.name("redirects")
        text.object { text in
            text.words("target", "\(redirects.target)")
            text.count("count", redirects.count)
            text.time("since", redirects.since)
            text.count("adopted", redirects.isAdopted ? 1 : 0)
            text.time("original_asked", redirects.originalAsked)
        }
    }

    private static func redirects(_ stored: StoredObject) -> RedirectMemory? {
        guard let target = stored.words("target").flatMap({ try? WebURL(parsing: $0) }),
            let since = stored.time("since"), let asked = stored.time("original_asked")
        else { return nil }
        return RedirectMemory(
            target: target, count: stored.count("count"), since: since,
            isAdopted: stored.count("adopted") == 1, originalAsked: asked)
    }
}
