import RefreshCore

/// Which tombstones of the log may be forgotten (semantics T2).
struct TombstonePurge {
    private let retention: Retention
    private let now: Timestamp
    /// Tombstones beyond the bound, and bytes beyond the hard one.
    private var excess: Int
    private var excessBytes: Int

    /// Purged by one transaction at most, so that none takes long.
    static let atOnce = 10_000
    /// What a row costs beside its key, about.
    static let rowBytes = 96

    init(_ retention: Retention, tombstones: Int, bytes: Int, now: Timestamp) {
        self.retention = retention
        self.now = now
        excess = tombstones - retention.tombstoneCount
        excessBytes = retention.tombstoneHardBytes.map { bytes - $0.bytes } ?? 0
    }

    enum Verdict: Equatable { case purge, stop }

    /// The verdict on the next tombstone, the longest dead coming first.
    mutating func verdict(deadSince: Timestamp, keyBytes: Int) -> Verdict {
        let age = now - deadSince
        let isDue =
            age > retention.tombstoneAge || excess > 0 && age > retention.tombstoneMinAge || excessBytes > 0
        guard isDue else { return .stop }
        excess -= 1
        excessBytes -= keyBytes + TombstonePurge.rowBytes
        return .purge
    }
}

/// Which lines of the ledger may be forgotten (semantics T8).
struct LedgerPurge {
    let retention: Retention
    let now: Timestamp
    /// Listings of the feed so far.
    let passes: Int64

    /// Lines kept at least, however short the listing is.
    static let count = 20_000
    /// Listings that have to lack a key before it is forgotten.
    static let listings: Int64 = 3

    /// Whether the upstream has not listed the key for long enough.
    func isForgotten(missed: Int64?, listedAt: Timestamp?) -> Bool {
        guard let missed, passes - missed + 1 >= LedgerPurge.listings else { return false }
        guard let listedAt else { return true }
        return now - listedAt > retention.ledger
    }

    /// Lines beyond the bound.
    static func excess(lines: Int, listed: Int) -> Int { max(0, lines - max(count, listed)) }
}
