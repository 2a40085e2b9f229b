/// What is known of one key; the one place where it is written down.
///
/// A class, since it is looked at for every key of every feed and is too large to be copied each time.
final class Entry: Sendable {
    let name: String
    let shape: Shape
    /// What holds where the key is left out, where that is a value.
    let fallback: ConfigValue?
    /// What holds for some adapters instead.
    let exceptions: [AdapterKind: ConfigValue]
    /// What holds where the key is left out, in words, where it depends on other keys.
    let note: String?
    /// The adapters that the key means something to.
    let adapters: Set<AdapterKind>
    /// The adapters that cannot do without.
    let required: Set<AdapterKind>
    /// One sentence for the reference.
    let summary: String

    init(
        _ name: String, _ shape: Shape, fallback: ConfigValue? = nil,
        exceptions: [AdapterKind: ConfigValue] = [:], note: String? = nil,
        adapters: Set<AdapterKind> = AdapterKind.all, required: Set<AdapterKind> = [], summary: String
    ) {
        self.name = name
        self.shape = shape
        self.fallback = fallback
        self.exceptions = exceptions
        self.note = note
        self.adapters = adapters
        self.required = required
        self.summary = summary
    }

    /// What holds for a feed of this adapter where the key is left out.
    func fallback(for adapter: AdapterKind) -> ConfigValue? { exceptions[adapter] ?? fallback }
}

/// The keys that one mapping may hold.
struct Block: Sendable {
    let entries: [Entry]
    /// Keys of which exactly one has to be there.
    let oneOf: [String]

    init(_ entries: [Entry], oneOf: [String] = []) {
        self.entries = entries
        self.oneOf = oneOf
    }

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    var names: [String] { entries.map(\.name) }

    /// The paths, from this block, of every block below that holds a key of this name.
    func homes(of name: String, deepest: Int = 4) -> [[String]] {
        let own: [[String]] = self[name] == nil ? [] : [[]]
        guard deepest > 0 else { return own }
        return entries.reduce(into: own) { homes, entry in
            for inner in entry.shape.blocks {
                homes += inner.block.homes(of: name, deepest: deepest - 1).map {
                    [entry.name] + inner.path + $0
                }
            }
        }
    }
}

/// A mapping whose `type` says which keys it may hold. The bare word stands for a mapping with nothing else.
struct Choice: Sendable {
    struct Kind: Sendable {
        let name: String
        let summary: String
        let block: Block

        init(_ name: String, _ summary: String, _ entries: [Entry] = [], oneOf: [String] = []) {
            self.name = name
            self.summary = summary
            block = Block(entries, oneOf: oneOf)
        }
    }

    /// The key that names the kind.
    static let type = "type"

    let kinds: [Kind]
    /// Keys that every kind has.
    let common: [Entry]

    init(_ kinds: [Kind], common: [Entry] = []) {
        self.kinds = kinds
        self.common = common
    }

    subscript(name: String) -> Kind? { kinds.first { $0.name == name } }

    var names: [String] { kinds.map(\.name) }

    /// Every key that `kind` may have beside `type`.
    func block(of kind: Kind) -> Block {
        Block(kind.block.entries + common, oneOf: kind.block.oneOf)
    }
}
