import RefreshCore

/// Tells new entries from old ones under new ids: a feed that makes up its ids anew each time must not look as if
/// all of it had changed (refresh policy SK4).
package struct ChurnGuard: Sendable {
    /// An entry by its key and by what else it is known by.
    package struct Entry: Sendable, Equatable {
        package let key: RecordKey
        package let digest: EntryDigest

        package init(key: RecordKey, digest: EntryDigest) {
            self.key = key
            self.digest = digest
        }
    }

    /// A stored item that goes on under another key.
    package struct Rekeying: Sendable, Equatable {
        package let from: RecordKey
        package let to: RecordKey
    }

    /// Entries that a document must have at least to be judged.
    package let least: Int
    /// The share, in percent, that has to be unknown, and of that the share that has to be found again.
    package let share: Int

    package init(least: Int = 5, share: Int = 80) {
        self.least = least
        self.share = share
    }

    /// The stored items that the document lists under other keys; empty where its ids are believed.
    ///
    /// - Parameters:
    ///   - listed: the document's entries.
    ///   - stored: the feed's live items, in any order.
    package func rekeyings(listed: [Entry], stored: [Entry]) -> [Rekeying] {
        guard listed.count >= least else { return [] }
        let known = Set(stored.map(\.key))
        let unknown = listed.filter { !known.contains($0.key) }
        guard isMost(unknown.count, of: listed.count) else { return [] }
        let keys = Set(listed.map(\.key))
        let absent = stored.filter { !keys.contains($0.key) }
        let found = matches(unknown, absent)
        return isMost(found.count, of: unknown.count) ? found : []
    }

    private func isMost(_ part: Int, of whole: Int) -> Bool { part > 0 && part * 100 >= whole * share }

    /// Pairs by link, then by title and date, each only where it stands for one entry on both sides.
    private func matches(_ unknown: [Entry], _ absent: [Entry]) -> [Rekeying] {
        var found: [RecordKey: RecordKey] = [:]
        var taken: Set<RecordKey> = []
        let traits: [(EntryDigest) -> UInt64?] = [{ $0.link }, { $0.titleAndDate }]
        for trait in traits {
            let old = ChurnGuard.unique(absent.filter { !taken.contains($0.key) }, trait)
            let new = ChurnGuard.unique(unknown.filter { found[$0.key] == nil }, trait)
            for (digest, key) in new {
                guard let from = old[digest] else { continue }
                found[key] = from
                taken.insert(from)
            }
        }
        return unknown.compactMap { entry in found[entry.key].map { Rekeying(from: $0, to: entry.key) } }
    }

    private static func unique(
        _ entries: [Entry], _ trait: (EntryDigest) -> UInt64?
    ) -> [UInt64: RecordKey] {
        var keys: [UInt64: RecordKey?] = [:]
        for entry in entries {
            guard let digest = trait(entry.digest) else { continue }
            keys[digest] = keys[digest] == nil ? .some(entry.key) : .some(nil)
        }
        return keys.compactMapValues { $0 }
    }
}
