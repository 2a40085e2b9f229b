/// What a reader wants to see of a feed: keys and cursors hold good for the view that they were given for
/// (semantics K2, P1).
package struct ItemView: Hashable, Sendable {
    /// Members of an item's body to show; empty shows all.
    package var fields: [String]
    /// Whether changes tell of what retention has put out (semantics T4).
    package var evictions: Bool
    /// What is shown beside the items: `gone`, `derived`.
    package var include: Set<String>

    package init(fields: [String] = [], evictions: Bool = true, include: Set<String> = []) {
        self.fields = fields
        self.evictions = evictions
        self.include = include
    }

    package static let plain = ItemView()

    /// Stands for the view in keys; 0 for the plain one. The order in which fields are named is the view's own.
    package var hash: UInt32 {
        if self == .plain { return 0 }
        var text = JSONText()
        text.array { text in
            text.array { text in fields.forEach { text.string($0) } }
            text.bool(evictions)
            text.array { text in include.sorted().forEach { text.string($0) } }
        }
        let hash = FNV.hash32(text.bytes)
        return hash == 0 ? 1 : hash
    }
}
