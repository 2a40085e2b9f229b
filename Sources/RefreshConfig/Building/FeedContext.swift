import RefreshCore

/// One feed under construction.
struct FeedContext {
    let id: FeedID
    let adapter: Feed.Adapter
    let kind: AdapterKind
    /// What the feed itself says.
    let own: Section
    /// With what fragments and defaults say where it is silent.
    let section: Section
    /// Of its name.
    let place: SourcePlace
    let path: [String]
    let vars: [String: String]
    let namespaces: [Namespace]

    init(id: FeedID, adapter: Feed.Adapter, own: Section, section: Section, place: SourcePlace) {
        self.id = id
        self.adapter = adapter
        kind = AdapterKind(adapter)
        self.own = own
        self.section = section
        self.place = place
        path = [RootTable.feeds.entry.name, id.name]
        vars = Dictionary(
            (section[FeedTable.vars] ?? []).compactMap { named in
                if case .text(let text) = named.setting.value { (named.name, text) } else { nil }
            }
        ) { first, _ in first }
        namespaces = (section[block: FeedTable.records][FeedTable.Records.namespaces] ?? []).compactMap {
            if case .text(let uri) = $0.setting.value { Namespace(prefix: $0.name, uri: uri) } else { nil }
        }
    }

    func path<Value>(_ keys: Key<Value>...) -> [String] { path + keys.map(\.entry.name) }
}

/// A value that a request sends, and who says so.
struct SentValue {
    enum Place: Hashable {
        case param(String)
        /// In lower case.
        case header(String)
        /// A member of a JSON body, by its path.
        case body(String)
    }

    let place: Place
    let source: SourcePlace
    let path: [String]
}

/// A placeholder where it stands.
struct FilledValue {
    let placeholder: Placeholder
    let source: SourcePlace
    let path: [String]
}
