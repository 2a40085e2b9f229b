import RefreshCore

/// How values of a Swift type are written in the file.
struct Form<Value: Sendable>: Sendable {
    let shape: Shape
    /// The typed value; nil for a value of another shape.
    let take: @Sendable (ConfigValue) -> Value?
    let make: @Sendable (Value) -> ConfigValue
}

/// A key whose absence means nothing was said.
struct Key<Value: Sendable>: Sendable {
    let entry: Entry
    private let take: @Sendable (ConfigValue) -> Value?

    init(
        _ name: String, _ form: Form<Value>, adapters: Set<Feed.Adapter> = Set(Feed.Adapter.allCases),
        required: Set<Feed.Adapter> = [], _ summary: String
    ) {
        entry = Entry(name, form.shape, adapters: adapters, required: required, summary: summary)
        take = form.take
    }

    func value(in section: Section) -> Value? {
        guard let setting = section[entry.name] else { return nil }
        guard let typed = take(setting.value) else {
            preconditionFailure("\(entry.name) was read by its own shape")
        }
        return typed
    }
}

/// A key that always has a value.
struct DefaultedKey<Value: Sendable>: Sendable {
    let entry: Entry
    private let take: @Sendable (ConfigValue) -> Value?
    private let fallback: Value
    private let syndication: Value

    /// `syndication` is the default of the `feed` adapter, where it has another.
    init(
        _ name: String, _ form: Form<Value>, default fallback: Value, syndication: Value? = nil,
        adapters: Set<Feed.Adapter> = Set(Feed.Adapter.allCases), _ summary: String
    ) {
        entry = Entry(
            name, form.shape, fallback: form.make(fallback), syndication: syndication.map(form.make),
            adapters: adapters, summary: summary)
        take = form.take
        self.fallback = fallback
        self.syndication = syndication ?? fallback
    }

    func value(in section: Section, of adapter: Feed.Adapter = .json) -> Value {
        guard let setting = section[entry.name] else { return adapter == .feed ? syndication : fallback }
        guard let typed = take(setting.value) else {
            preconditionFailure("\(entry.name) was read by its own shape")
        }
        return typed
    }
}

extension Section {
    subscript<Value>(key: Key<Value>) -> Value? { key.value(in: self) }
    subscript<Value>(key: DefaultedKey<Value>) -> Value { key.value(in: self) }
    subscript<Value>(key: DefaultedKey<Value>, adapter: Feed.Adapter) -> Value {
        key.value(in: self, of: adapter)
    }

    /// The block under `key`; an empty one where it is left out.
    subscript(block key: Key<Section>) -> Section { key.value(in: self) ?? Section() }
}
