import RefreshCore

/// One refresh that has ended, in as few bytes as it can be told in.
package struct HistoryEntry: Sendable, Equatable {
    /// Who wanted it.
    package enum Cause: UInt8, Sendable, CaseIterable {
        case schedule, visible, refresh, preload, outbox

        package var name: String {
            switch self {
            case .schedule: "schedule"
            case .visible: "visible"
            case .refresh: "refresh"
            case .preload: "preload"
            case .outbox: "outbox"
            }
        }
    }

    /// Why it failed; the words for people stand in the feed's status while they are news.
    package struct Fault: Sendable, Equatable {
        package let `class`: RefreshFailure.Class
        package let code: String
    }

    package let at: Timestamp
    package let cause: Cause
    package let result: Counters.Result
    /// Requests to the upstream.
    package let requests: UInt32
    /// The upstream's last status; nil where no answer came.
    package let status: UInt16?
    /// Of bodies, as they came over the wire.
    package let bytes: UInt64
    package let milliseconds: UInt32
    package let added: UInt32
    package let changed: UInt32
    package let removed: UInt32
    package let fault: Fault?

    /// Nil where the refresh asked no upstream: such a one is no part of the history.
    ///
    /// - Parameters:
    ///   - at: when it began.
    ///   - requests: to the upstream, with those for further pages and those that were repeated.
    ///   - status: the upstream's last; a failure's own stands in where it is nil.
    package init?(
        at: Timestamp, cause: Cause, outcome: RefreshOutcome, took: Duration, requests: Int = 1,
        status: Int? = nil, bytes: Int = 0
    ) {
        guard let result = Counters.Result(outcome) else { return nil }
        self.at = at
        self.cause = cause
        self.result = result
        self.requests = UInt32(clamping: requests)
        self.bytes = UInt64(clamping: bytes)
        milliseconds = UInt32(clamping: took.inMilliseconds)
        var counts = RefreshCounts()
        var failure: RefreshFailure?
        switch outcome {
        case .refreshed(let done): counts = done
        case .failed(let reason): failure = reason
        default: break
        }
        self.status = (status ?? failure?.status).map { UInt16(clamping: $0) }
        fault = failure.map { Fault(class: $0.class, code: $0.code) }
        added = UInt32(clamping: counts.added)
        changed = UInt32(clamping: counts.changed)
        removed = UInt32(clamping: counts.removed)
    }
}

/// The last refreshes of every feed, in memory only.
///
/// Each feed has a ring of its own, which is the shorter the more feeds there are: so all of them together stay small
/// however many feeds somebody configures.
package final class HistoryBoard: Sendable {
    /// Entries of one feed at most.
    package static let longest = 32
    /// Entries that even one of very many feeds keeps.
    package static let shortest = 4
    /// Entries of all feeds, as long as each keeps more than `shortest`.
    package static let inAll = 16_384

    private let rings = Locked<[FeedID: [HistoryEntry]]>([:])

    package init() {}

    /// A refresh of `feed` has ended; what is nil asked nobody and leaves no trace.
    package func note(_ feed: FeedID, _ entry: HistoryEntry?) {
        guard let entry else { return }
        rings.withLock { rings in
            let isNew = rings[feed] == nil
            let limit = HistoryBoard.limit(feeds: rings.count + (isNew ? 1 : 0))
            rings[feed, default: []].append(entry)
            let excess = rings[feed, default: []].count - limit
            if excess > 0 { rings[feed]?.removeFirst(excess) }
        }
    }

    /// The refreshes of `feed`, the newest first.
    package func entries(of feed: FeedID) -> [HistoryEntry] {
        rings.withLock { rings in (rings[feed] ?? []).reversed() }
    }

    /// The feed is no more.
    package func forget(_ feed: FeedID) { rings.withLock { $0[feed] = nil } }

    /// How many entries each of so many feeds keeps.
    package static func limit(feeds: Int) -> Int { max(shortest, min(longest, inAll / max(1, feeds))) }
}
