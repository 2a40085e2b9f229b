import RefreshCore
import RefreshFormats
import RefreshStore

/// What has to outlive the cache, kept in the durable database: pauses of operators, and the gates of origins, so that a
/// restart hammers nobody who asked for a pause.
package struct DurableMemory: OriginMemory, PauseMemory {
    private let store: DurableStore
    private let time: any TimeSource
    private let log: Log

    package init(_ store: DurableStore, time: any TimeSource, log: Log) {
        self.store = store
        self.time = time
        self.log = log
    }

    // MARK: - Pauses

    package func paused() async -> Set<FeedID> {
        Set(await all(.pauses).compactMap { FeedID($0.name) })
    }

    package func save(_ feed: FeedID, paused: Bool) async {
        do {
            if paused {
                try await store.save(pair(feed.name, "{}"), in: .pauses)
            } else {
                try await store.remove(feed.name, in: .pauses)
            }
        } catch {
            log(.error, "feed \(feed): its pause cannot be kept over a restart: \(error.detail)")
        }
    }

    // MARK: - Origins

    package func origins() async -> [Origin: OriginProgress] {
        var known: [Origin: OriginProgress] = [:]
        for pair in await all(.origins) {
            guard let url = try? WebURL(parsing: pair.name), let progress = DurableMemory.progress(pair.value)
            else { continue }
            known[url.origin] = progress
        }
        return known
    }

    package func save(_ changes: [Origin: OriginProgress]) async {
        for (origin, progress) in changes {
            do {
                if progress.isIdle {
                    try await store.remove("\(origin)", in: .origins)
                } else {
                    try await store.save(pair("\(origin)", DurableMemory.text(progress)), in: .origins)
                }
            } catch {
                log(.warning, "the gate of \(origin) cannot be kept over a restart: \(error.detail)")
            }
        }
    }

    // MARK: - Pieces

    private func all(_ space: DurableStore.Space) async -> [DurableStore.Pair] {
        do {
            return try await store.all(in: space)
        } catch {
            log(.error, "what was kept of \(space.rawValue) cannot be read: \(error.detail)")
            return []
        }
    }

    private func pair(_ name: String, _ text: String) -> DurableStore.Pair {
        DurableStore.Pair(name: name, value: Array(text.utf8), updatedAt: time.now().wall)
    }

    static func text(_ progress: OriginProgress) -> String {
        var text = JSONText()
        text.object { text in
            if let until = progress.gateUntil {
                text.name("gate_until")
                text.number(until.microseconds)
            }
            if let start = progress.lastStart {
                text.name("last_start")
                text.number(start.microseconds)
            }
            text.name("gate_count")
            text.number(progress.gateCount)
            text.name("network_failures")
            text.number(progress.networkFailures)
            text.name("holds")
            text.number(progress.holds)
        }
        return text.text
    }

    /// Nil where `bytes` are no such text.
    static func progress(_ bytes: [UInt8]) -> OriginProgress? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(bytes)), document.root.kind == .object
        else { return nil }
        func number(_ name: String) -> Int64? { document.int64(document.member(name, of: document.root)) }
        return OriginProgress(
            gateUntil: number("gate_until").map(Timestamp.init(microseconds:)),
            gateCount: Int(number("gate_count") ?? 0),
            lastStart: number("last_start").map(Timestamp.init(microseconds:)),
            networkFailures: Int(number("network_failures") ?? 0), holds: Int(number("holds") ?? 0))
    }
}
