import RefreshCore

/// What is known of one key; the one place where it is written down.
struct Entry: Sendable {
    let name: String
    let shape: Shape
    /// What holds where the key is left out.
    let fallback: ConfigValue?
    /// What holds for the `feed` adapter instead.
    let syndication: ConfigValue?
    /// The adapters that the key means something to.
    let adapters: Set<Feed.Adapter>
    /// The adapters that cannot do without.
    let required: Set<Feed.Adapter>
    /// One line for the reference.
    let summary: String

    init(
        _ name: String, _ shape: Shape, fallback: ConfigValue? = nil, syndication: ConfigValue? = nil,
        adapters: Set<Feed.Adapter> = Set(Feed.Adapter.allCases), required: Set<Feed.Adapter> = [],
        summary: String
    ) {
        self.name = name
        self.shape = shape
        self.fallback = fallback
        self.syndication = syndication
        self.adapters = adapters
        self.required = required
        self.summary = summary
    }
}

/// The keys that one mapping may hold.
struct Block: Sendable {
    let entries: [Entry]

    /// `later` are keys of the language that this version does not do.
    init(_ entries: [Entry], later: [String] = []) {
        self.entries = entries + later.map { Entry($0, .later, summary: "Not done by this version.") }
    }

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    var names: [String] { entries.map(\.name) }

    /// The paths, from this block, of every block below that holds a key of this name.
    func homes(of name: String) -> [[String]] {
        let own: [[String]] = self[name] == nil ? [] : [[]]
        return entries.reduce(into: own) { homes, entry in
            switch entry.shape {
            case .block(let inner): homes += inner.homes(of: name).map { [entry.name] + $0 }
            case .feeds(let inner): homes += inner.homes(of: name).map { [entry.name, "NAME"] + $0 }
            default: break
            }
        }
    }
}
