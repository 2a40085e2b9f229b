import RefreshCore

/// Chooses the keys of a document's entries (refresh policy SK1–SK3), as far as one document can tell.
struct KeyLadder {
    struct Entry {
        var id: [UInt8] = []
        var link: [UInt8] = []
        var date: [UInt8] = []
        var title: [UInt8] = []
        /// Of title and content; looked at only where there is no id.
        var content: ContentHash
        /// Of the whole record.
        var record: ContentHash
        var updated: Timestamp?
    }

    struct Choice: Equatable {
        let key: RecordKey
        let origin: KeyLevel
    }

    private static let belowID = [KeyLevel.link, .linkDate, .linkDateTitle]

    private let entries: [Entry]
    /// Whether an earlier entry says the very same.
    private let isCopy: [Bool]
    /// Every entry has an id, and no two have the same: nothing else needs a look.
    private let idsAreAll: Bool
    /// What keys are made of, where an entry has it.
    let level: KeyLevel
    /// Whether ids are of no use because entries share them.
    let sharesIDs: Bool
    /// How often a key of each of the lower steps stands in the document; empty where ids will do.
    private let counts: [[KeyBytes: Int]]

    init(_ entries: [Entry], policy: KeyPolicy = .undecided) {
        self.entries = entries
        let ids = policy.level == .id ? KeyLadder.judge(entries, .id) : nil
        idsAreAll = ids?.isSpotless ?? false
        // A copy has the same id.
        if idsAreAll {
            level = .id
            isCopy = []
            counts = []
            sharesIDs = false
            return
        }
        var records: Set<ContentHash> = []
        let isCopy = entries.map { !records.insert($0.record).inserted }
        self.isCopy = isCopy
        level = policy.isForced ? policy.level : KeyLadder.level(for: entries, isCopy, from: policy.level)
        sharesIDs = level != .id && (ids?.collisions ?? 0) > 1
        let needsLinks = level != .id || entries.contains { $0.id.isEmpty }
        counts = needsLinks ? KeyLadder.belowID.map { KeyLadder.counts(of: $0, entries, isCopy) } : []
    }

    // MARK: - The level

    /// How well a level tells entries apart.
    private struct Judgement {
        /// Entries that lack what the level needs.
        var lacking = 0
        /// Entries that have what an earlier one has, and say something else.
        var collisions = 0
        var repeats = 0

        var isSpotless: Bool { lacking == 0 && repeats == 0 }
        var bad: Int { lacking + collisions }

        /// Fewer than two entries, or no more than one in twenty, are bad.
        func suffices(for count: Int) -> Bool { bad <= 1 || bad * 20 <= count }
    }

    private static func judge(_ entries: [Entry], _ level: KeyLevel, _ isCopy: [Bool]? = nil) -> Judgement {
        var seen: [KeyBytes: Int] = [:]
        seen.reserveCapacity(entries.count)
        var judgement = Judgement()
        for (index, entry) in entries.enumerated() where isCopy?[index] != true {
            let key = level == .id ? entry.id : candidate(entry, level)?.bytes ?? []
            if key.isEmpty {
                judgement.lacking += 1
                continue
            }
            guard let earlier = seen.updateValue(index, forKey: KeyBytes(key)) else { continue }
            judgement.repeats += 1
            let other = entries[earlier]
            let isVersion = entry.updated != nil && other.updated != nil && entry.updated != other.updated
            if entry.record != other.record, !isVersion { judgement.collisions += 1 }
        }
        return judgement
    }

    /// The first level that will do; where none does, the one with the fewest bad entries.
    private static func level(for entries: [Entry], _ isCopy: [Bool], from first: KeyLevel) -> KeyLevel {
        var best = first
        var fewest = Int.max
        for level in first.andBelow where level != .hash || first == .hash {
            let judgement = judge(entries, level, isCopy)
            if judgement.suffices(for: entries.count) { return level }
            if judgement.bad < fewest { (best, fewest) = (level, judgement.bad) }
        }
        // Nothing but its content tells any of them apart.
        return fewest >= entries.count ? .hash : best
    }

    /// A key for each entry; nil where the entry repeats another one and is dropped.
    func choices() -> [Choice?] {
        if idsAreAll { return entries.map { Choice(key: RecordKey($0.id), origin: .id) } }
        var choices: [Choice?] = []
        choices.reserveCapacity(entries.count)
        var taken: [KeyBytes: Int] = [:]
        taken.reserveCapacity(entries.count)
        var numbers: [KeyBytes: Int] = [:]
        for (index, entry) in entries.enumerated() {
            if isCopy[index] {
                choices.append(nil)
                continue
            }
            let choice = choice(for: entry)
            guard let earlier = taken[KeyBytes(choice.key.bytes)] else {
                taken[KeyBytes(choice.key.bytes)] = index
                choices.append(choice)
                continue
            }
            switch repeated(entry, of: entries[earlier]) {
            case .drop: choices.append(nil)
            case .replace:
                choices[earlier] = nil
                taken[KeyBytes(choice.key.bytes)] = index
                choices.append(choice)
            case .apart:
                let other = apart(choice, entry, taken, &numbers)
                taken[KeyBytes(other.key.bytes)] = index
                choices.append(other)
            }
        }
        return choices
    }

    // MARK: - One entry

    private func choice(for entry: Entry) -> Choice {
        if level == .id, !entry.id.isEmpty { return Choice(key: RecordKey(entry.id), origin: .id) }
        for (origin, counts) in zip(KeyLadder.belowID, counts) where origin >= level {
            if let key = KeyLadder.candidate(entry, origin), counts[KeyBytes(key.bytes)] == 1 {
                return Choice(key: key, origin: origin)
            }
        }
        return Choice(key: RecordKey(KeyLadder.hex(entry.content)), origin: .hash)
    }

    private static func counts(
        of origin: KeyLevel, _ entries: [Entry], _ isCopy: [Bool]
    ) -> [KeyBytes: Int] {
        var counts: [KeyBytes: Int] = [:]
        for (entry, isCopy) in zip(entries, isCopy) where !isCopy {
            if let key = candidate(entry, origin) { counts[KeyBytes(key.bytes), default: 0] += 1 }
        }
        return counts
    }

    private static func candidate(_ entry: Entry, _ origin: KeyLevel) -> RecordKey? {
        let parts: [[UInt8]]
        switch origin {
        case .id: parts = [entry.id]
        case .link: parts = [entry.link]
        case .linkDate: parts = [entry.link, entry.date]
        case .linkDateTitle: parts = [entry.link, entry.date, entry.title]
        case .hash: return RecordKey(hex(entry.content))
        }
        return parts.contains(where: \.isEmpty) ? nil : RecordKey(parts: parts)
    }

    private static func hex(_ hash: ContentHash) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return hash.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    // MARK: - Repeats

    private enum Repeat { case drop, replace, apart }

    private func repeated(_ entry: Entry, of earlier: Entry) -> Repeat {
        // Versions of one entry: the newest counts (RFC 4287, 4.1.1).
        if let updated = entry.updated, let other = earlier.updated, updated != other {
            return updated > other ? .replace : .drop
        }
        return .apart
    }

    /// The first keeps the key; a later one gets its link behind it, or a number.
    private func apart(
        _ choice: Choice, _ entry: Entry, _ taken: [KeyBytes: Int], _ numbers: inout [KeyBytes: Int]
    ) -> Choice {
        let bar = UInt8(ascii: "|")
        if !entry.link.isEmpty {
            let key = RecordKey(choice.key.bytes + [bar] + entry.link)
            if taken[KeyBytes(key.bytes)] == nil { return Choice(key: key, origin: choice.origin) }
        }
        while true {
            // Counted on from the last one: a feed may repeat a key thousands of times.
            let number = numbers[KeyBytes(choice.key.bytes), default: 1] + 1
            numbers[KeyBytes(choice.key.bytes)] = number
            let key = RecordKey(choice.key.bytes + Array("|#\(number)".utf8))
            if taken[KeyBytes(key.bytes)] == nil { return Choice(key: key, origin: choice.origin) }
        }
    }
}
