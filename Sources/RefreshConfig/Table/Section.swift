/// What one block of the file says, and nothing of what it leaves out.
struct Section: Equatable, Sendable {
    private(set) var settings: [String: Setting] = [:]
    /// Keys that were written, but not so that they could be read.
    private(set) var refused: Set<String> = []
    /// Whether keys stood here that are not known.
    var hasStrangers = false
    /// The word under `type`, of a choice.
    var kind: String?
    /// Where it begins.
    var place = SourcePlace(line: 1, column: 1)

    subscript(name: String) -> Setting? {
        get { settings[name] }
        set { settings[name] = newValue }
    }

    mutating func refuse(_ name: String) { refused.insert(name) }

    /// Whether the key was written, rightly or not.
    func mentions(_ name: String) -> Bool { settings[name] != nil || refused.contains(name) }

    /// This block with what `other` says where it is silent, block by block.
    ///
    /// Lists and maps are taken whole. A block of another `type` has nothing in common with this one.
    func over(_ other: Section) -> Section {
        guard !other.settings.isEmpty || !other.refused.isEmpty else { return self }
        var result = self
        result.refused.formUnion(other.refused)
        for (name, theirs) in other.settings {
            guard let ours = settings[name] else {
                if !refused.contains(name) { result.settings[name] = theirs }
                continue
            }
            guard case .block(let own) = ours.value, case .block(let rest) = theirs.value,
                own.kind == rest.kind || own.kind == nil || rest.kind == nil
            else { continue }
            result.settings[name] = Setting(
                value: .block(own.over(rest)), keyPlace: ours.keyPlace, place: ours.place,
                origin: ours.origin)
        }
        return result
    }

    /// The same, every value said by `origin`.
    func said(by origin: Setting.Origin) -> Section {
        var result = self
        for (name, setting) in settings {
            var value = setting.value
            if case .block(let inner) = value { value = .block(inner.said(by: origin)) }
            result.settings[name] = Setting(
                value: value, keyPlace: setting.keyPlace, place: setting.place, origin: origin)
        }
        return result
    }
}
