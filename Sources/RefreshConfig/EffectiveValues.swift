import RefreshCore

/// Walks a block of the table beside what the files say of it, and notes every value with who says it.
struct EffectiveValues: Equatable, Sendable {
    var lines: [Explanation.Line] = []
    private let kind: AdapterKind
    private let files: [String]

    init(for kind: AdapterKind, files: [String]) {
        self.kind = kind
        self.files = files
    }

    mutating func add(_ block: Block, _ section: Section, _ path: [String]) {
        for entry in block.entries where entry.adapters.contains(kind) {
            let here = path + [entry.name]
            if let setting = section[entry.name] {
                add(setting, entry.shape, here)
            } else if case .block(let inner) = entry.shape, EffectiveValues.isAlwaysThere(entry) {
                add(inner, Section(), here)
            } else if let value = entry.fallback(for: kind)?.text ?? entry.note {
                lines.append(
                    Explanation.Line(
                        path: ConfigProblem.dotted(here), value: value, origin: "default", isDefault: true))
            }
        }
    }

    /// The blocks of a map, each under its name.
    mutating func add(_ named: [NamedSetting], _ block: Block) {
        for one in named {
            if case .block(let section) = one.setting.value { add(block, section, [one.name]) }
        }
    }

    private mutating func add(_ setting: Setting, _ shape: Shape, _ path: [String]) {
        switch (shape, setting.value) {
        case (.secret(isPublic: true), .secret(.literal(let name))): add(.text(name), setting, path)
        case (.block(let block), .block(let section)), (.either(_, let block), .block(let section)):
            add(block, section, path)
        case (.choice(let choice), .block(let section)):
            guard let name = section.kind, let kind = choice[name] else { return }
            if let type = section[Choice.type] { add(.text(name), type, path + [Choice.type]) }
            add(choice.block(of: kind), section, path)
        case (.map(_, let inner), .map(let settings)):
            for named in settings {
                let marked = Setting(
                    value: named.setting.value, keyPlace: named.setting.keyPlace,
                    place: named.setting.place, origin: setting.origin)
                add(marked, inner, path + [named.name])
            }
        case (.list(let block), .list(let sections)):
            for (index, section) in sections.enumerated() {
                add(block, section.said(by: setting.origin), path + ["[\(index)]"])
            }
        case (_, .params(let params)):
            for param in params {
                let texts = param.values.map(\.written.text)
                add(
                    texts.count == 1 ? .text(texts[0]) : .texts(texts), at: param.place, setting,
                    path + [param.name])
            }
        case (_, .headers(let headers)):
            for header in headers {
                let value: ConfigValue =
                    switch header.value {
                    case .secret(let source): .secret(source)
                    case .template(let template):
                        FieldRules.isSecret(header.name)
                            ? .secret(.literal("")) : .template(template)
                    }
                add(value, at: header.place, setting, path + [header.name])
            }
        default: add(setting.value, setting, path)
        }
    }

    private mutating func add(_ value: ConfigValue, _ setting: Setting, _ path: [String]) {
        add(value, at: setting.keyPlace, setting, path)
    }

    private mutating func add(
        _ value: ConfigValue, at place: SourcePlace, _ setting: Setting, _ path: [String]
    ) {
        guard let text = value.text else { return }
        let spot = "\(SafeText.escaped(files[place.file])):\(place.line)"
        let origin =
            switch setting.origin {
            case .feed: spot
            case .fragment(let name): "\(spot), fragment \(name)"
            case .defaults: "\(spot), defaults"
            }
        lines.append(
            Explanation.Line(
                path: ConfigProblem.dotted(path), value: SafeText.escaped(text), origin: origin,
                isDefault: false))
    }

    /// Blocks whose absence turns nothing off, so that their defaults hold.
    private static func isAlwaysThere(_ entry: Entry) -> Bool {
        [
            "schedule", "request", "redirects", "tls", "records", "deletes", "freshness", "keep",
            "tombstones", "limits", "retry", "csv", "socket", "control", "log", "connections", "access",
            "backup",
        ]
        .contains(entry.name)
    }
}
