import RefreshCore

/// How values of a Swift type are written in the file.
struct Form<Value: Sendable>: Sendable {
    let shape: Shape
    /// The typed value; nil for a value of another shape.
    let take: @Sendable (ConfigValue) -> Value?
    let make: @Sendable (Value) -> ConfigValue
}

/// A key whose absence means nothing was said, or what `note` tells.
struct Key<Value: Sendable>: Sendable {
    let entry: Entry
    private let take: @Sendable (ConfigValue) -> Value?

    init(
        _ name: String, _ form: Form<Value>, adapters: Set<AdapterKind> = AdapterKind.all,
        required: Set<AdapterKind> = [], note: String? = nil, _ summary: String
    ) {
        entry = Entry(
            name, form.shape, note: note, adapters: adapters, required: required, summary: summary)
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
    private let exceptions: [AdapterKind: Value]

    /// `except` are the defaults of adapters that have another.
    init(
        _ name: String, _ form: Form<Value>, default fallback: Value, except: [AdapterKind: Value] = [:],
        adapters: Set<AdapterKind> = AdapterKind.all, _ summary: String
    ) {
        entry = Entry(
            name, form.shape, fallback: form.make(fallback), exceptions: except.mapValues(form.make),
            adapters: adapters, summary: summary)
        take = form.take
        self.fallback = fallback
        exceptions = except
    }

    func value(in section: Section, of adapter: AdapterKind = .json) -> Value {
        guard let setting = section[entry.name] else { return exceptions[adapter] ?? fallback }
        guard let typed = take(setting.value) else {
            preconditionFailure("\(entry.name) was read by its own shape")
        }
        return typed
    }
}

extension Section {
    subscript<Value>(key: Key<Value>) -> Value? { key.value(in: self) }
    subscript<Value>(key: DefaultedKey<Value>) -> Value { key.value(in: self) }
    subscript<Value>(key: DefaultedKey<Value>, adapter: AdapterKind) -> Value {
        key.value(in: self, of: adapter)
    }

    /// The block under `key`; an empty one where it is left out.
    subscript(block key: Key<Section>) -> Section { key.value(in: self) ?? Section() }
}
