/// Where an upstream has moved to for good, and when that is believed (refresh policy RD1–RD3).
///
/// The configured URL is never rewritten: it is asked again every week, and when the new place fails.
package struct RedirectMemory: Sendable, Equatable {
    /// The last URL of the leading run of 301 and 308, as it was last seen.
    package let target: WebURL
    /// Good passes that ended there, in a row.
    package let count: Int
    package let since: Timestamp
    /// Whether requests go to `target` straight away.
    package let isAdopted: Bool
    /// When the configured URL was last asked.
    package let originalAsked: Timestamp

    package init(
        target: WebURL, count: Int = 1, since: Timestamp, isAdopted: Bool = false, originalAsked: Timestamp
    ) {
        self.target = target
        self.count = count
        self.since = since
        self.isAdopted = isAdopted
        self.originalAsked = originalAsked
    }

    private static let goodPasses = 3
    private static let proof: Duration = .seconds(86_400)
    private static let retryOriginal: Duration = .seconds(7 * 86_400)

    /// Where to ask at `now`; nil is the configured URL.
    package func effectiveURL(at now: Timestamp) -> WebURL? {
        isAdopted && now - originalAsked < RedirectMemory.retryOriginal ? target : nil
    }

    /// What is remembered after a good pass that started at `start`.
    ///
    /// - Parameters:
    ///   - memory: what was remembered before it.
    ///   - seen: the permanent target that the pass met; nil where it met none.
    ///   - asked: where it asked; nil is the configured URL.
    static func after(
        _ memory: RedirectMemory?, seen: WebURL?, asked: WebURL?, configured: WebURL, start: Timestamp
    ) -> RedirectMemory? {
        if let asked {
            // It went to the adopted place straight away, which may have moved on in its turn.
            guard let memory, memory.isAdopted, memory.target == asked else { return nil }
            guard let seen, seen != asked, !isDowngrade(from: configured, to: seen) else { return memory }
            return RedirectMemory(target: seen, since: start, originalAsked: start)
        }
        guard let seen, seen != configured, !isDowngrade(from: configured, to: seen) else { return nil }
        guard let memory, memory.target == seen else {
            return RedirectMemory(target: seen, since: start, originalAsked: start)
        }
        let count = memory.count + 1
        let isProven = count >= goodPasses && start - memory.since >= proof
        return RedirectMemory(
            target: seen, count: count, since: memory.since, isAdopted: memory.isAdopted || isProven,
            originalAsked: start)
    }

    /// A failure of the adopted place: the next request goes to the configured URL.
    func afterFailure() -> RedirectMemory {
        guard isAdopted else { return self }
        return RedirectMemory(
            target: target, count: count, since: since, isAdopted: true,
            originalAsked: Timestamp(microseconds: .min))
    }

    private static func isDowngrade(from: WebURL, to: WebURL) -> Bool {
        from.scheme == .https && to.scheme == .http
    }
}
