import RefreshCore

/// The effective values of one feed and who says each; no secret stands in it.
package struct Explanation: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        /// From the feed's own block, joined by dots.
        package let path: String
        /// As somebody would write it in the file.
        package let value: String
        /// `FILE:LINE`, with the fragment or `defaults`; `default` where nobody says anything.
        package let origin: String
        /// Nobody says anything, so that the table's own default holds.
        package let isDefault: Bool
    }

    package let feed: FeedID
    package private(set) var lines: [Line] = []

    private let kind: AdapterKind
    private let files: [String]

    init(_ context: FeedContext, plugins: [String], files: [String]) {
        feed = context.id
        kind = context.kind
        self.files = files
        add(FeedTable.block, context.section, [])
    }

    /// As people read it, one value a line.
    package var text: String {
        lines.map { "\($0.path) = \($0.value)  (\($0.origin))\n" }.joined()
    }

    /// The same for programs.
    package var json: String {
        var text = JSONText()
        text.object { text in
            text.name("feed")
            text.string(feed.name)
            text.name("values")
            text.array { text in
                for line in lines {
                    text.object { text in
                        text.name("path")
                        text.string(line.path)
                        text.name("value")
                        text.string(line.value)
                        text.name("origin")
                        text.string(line.origin)
                        text.name("default")
                        text.bool(line.isDefault)
                    }
                }
            }
        }
        return text.text
    }

    /// Puts what really holds in the place of words that say what it depends on.
    mutating func settle(by feed: Feed) {
        let details = feed.details.value
        var known = [
            "allow_private": feed.request.allowPrivate ? "true" : "false",
            "deletes.confirm": "\(feed.deletes.confirm)",
            "freshness.scope": details.freshness.scope.rawValue,
            "limits.item_bytes": details.limits.itemBytes.text,
        ]
        if let full = details.incremental?.fullEvery {
            known["incremental.full_every"] = DurationText.format(full)
        }
        if details.incremental?.fullEvery == nil { known["incremental.full_every"] = "off" }
        if let fresh = details.freshness.freshFor {
            known["freshness.fresh_for"] = DurationText.format(fresh)
        }
        if feed.adapter == .json { known["records.path"] = "$" }
        let isCalendar = feed.schedule.cron != nil
        lines = lines.compactMap { line in
            guard line.isDefault else { return line }
            if line.path == (isCalendar ? "every" : "zone") { return nil }
            return known[line.path].map {
                Line(path: line.path, value: $0, origin: line.origin, isDefault: true)
            } ?? line
        }
    }

    // MARK: - Table and values

    private mutating func add(_ block: Block, _ section: Section, _ path: [String]) {
        for entry in block.entries where entry.adapters.contains(kind) {
            let here = path + [entry.name]
            if let setting = section[entry.name] {
                add(setting, entry.shape, here)
            } else if case .block(let inner) = entry.shape, Explanation.isAlwaysThere(entry) {
                add(inner, Section(), here)
            } else if let value = entry.fallback(for: kind)?.text ?? entry.note {
                lines.append(
                    Line(path: ConfigProblem.dotted(here), value: value, origin: "default", isDefault: true))
            }
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
            Line(
                path: ConfigProblem.dotted(path), value: SafeText.escaped(text), origin: origin,
                isDefault: false))
    }

    /// Blocks whose absence turns nothing off, so that their defaults hold.
    private static func isAlwaysThere(_ entry: Entry) -> Bool {
        [
            "schedule", "request", "redirects", "tls", "records", "deletes", "freshness", "keep",
            "tombstones", "limits", "retry", "csv",
        ]
        .contains(entry.name)
    }
}
