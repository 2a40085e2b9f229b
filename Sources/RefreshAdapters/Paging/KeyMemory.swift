import RefreshCore

/// Which keys a pass has met: eight bytes each.
struct KeyMemory: Sendable {
    private let isOn: Bool
    private var all: Set<Int> = []
    private var before: Set<Int> = []

    init(isOn: Bool) { self.isOn = isOn }

    /// Whether more of `keys` were met on earlier pages than `allowance`, or one that was not on the page just before.
    func repeats(_ keys: [RecordKey], allowance: Int) -> Bool {
        guard isOn, !all.isEmpty else { return false }
        if allowance == .max { return false }
        let met = keys.filter { all.contains($0.hashValue) }
        return met.count > allowance || !met.allSatisfy { before.contains($0.hashValue) }
    }

    /// Whether one of `keys`, or all of them, were met before.
    func known(_ keys: [RecordKey], all isAll: Bool) -> Bool {
        isAll ? keys.allSatisfy { all.contains($0.hashValue) } : keys.contains { all.contains($0.hashValue) }
    }

    mutating func forget() {
        all = []
        before = []
    }

    mutating func turnPage(_ keys: [RecordKey]) {
        guard isOn else { return }
        before = Set(keys.map(\.hashValue))
        all.formUnion(before)
    }
}
