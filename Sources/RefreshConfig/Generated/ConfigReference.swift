import RefreshCore

/// The reference of every key, in Markdown, made from the table.
package enum ConfigReference {
    /// docs/configuration-reference.md, whole.
    package static let markdown: String = {
        var writer = ReferenceWriter()
        return writer.document()
    }()
}

private struct ReferenceWriter {
    private var text = ""

    mutating func document() -> String {
        text += """
            # Configuration reference

            Every key of `plugins.yaml`, made from the table that `refreshctl check` and the daemon read the file by.
            [configuration.md](configuration.md) says how the language works; `refreshctl schema` prints the same for
            editors.

            """
        section("Top level", "", RootTable.block, depth: 2)
        section("daemon", "", DaemonTable.block, depth: 2)
        section("plugins.NAME", "", PluginTable.block, depth: 2)
        section("budgets.NAME", "", BudgetTable.block, depth: 2)
        section("A feed", "", FeedTable.block, depth: 2)
        notYet()
        return text
    }

    private mutating func section(_ title: String, _ lead: String, _ block: Block, depth: Int) {
        text += "\n\(String(repeating: "#", count: depth)) \(title)\n\n"
        if !lead.isEmpty { text += "\(lead)\n\n" }
        guard !block.entries.isEmpty else { return }
        text += "| Key | Value | Default | |\n|---|---|---|---|\n"
        for entry in block.entries { row(entry) }
        for entry in block.entries { inner(entry, title, depth: depth) }
    }

    private mutating func row(_ entry: Entry) {
        text +=
            "| `\(entry.name)` | \(value(of: entry.shape)) | \(fallback(of: entry)) | \(summary(of: entry)) |\n"
    }

    private mutating func inner(_ entry: Entry, _ title: String, depth: Int) {
        let isTop = title == "Top level"
        let base = title.split(separator: ":").first.map(String.init) ?? title
        let prefix = isTop || title == "A feed" ? "" : "\(base)."
        let name = "\(prefix)\(entry.name)"
        switch entry.shape {
        case .block(let block) where isTop == false:
            guard !isRepeated(entry, in: title) else { return }
            section(name, "", block, depth: 3)
        case .either(let words, let block):
            let list = words.map { "`\($0)`" }.joined(separator: ", ")
            section(name, "A word (\(list)), or:", block, depth: 3)
        case .list(let block): section("\(name)[]", "", block, depth: 3)
        case .map(_, .block(let block)) where isTop == false: section("\(name).NAME", "", block, depth: 3)
        case .choice(let choice): kinds(of: choice, name)
        default: break
        }
    }

    /// Requests and people are the same wherever they stand.
    private func isRepeated(_ entry: Entry, in title: String) -> Bool {
        switch entry.name {
        case "request", "login", "lookup": title != "A feed"
        case "operators", "operate", "read", "control":
            title != "daemon" || entry.shape.blocks.first?.block["users"] != nil
        default: false
        }
    }

    private mutating func kinds(of choice: Choice, _ name: String) {
        text += "\n### \(name)\n\n"
        text += "| `type` | |\n|---|---|\n"
        for kind in choice.kinds { text += "| `\(kind.name)` | \(kind.summary) |\n" }
        if !choice.common.isEmpty {
            text += "\nWith every type:\n\n| Key | Value | Default | |\n|---|---|---|---|\n"
            for entry in choice.common { row(entry) }
        }
        for kind in choice.kinds where !kind.block.entries.isEmpty {
            section("\(name): `type: \(kind.name)`", "", kind.block, depth: 4)
        }
    }

    // MARK: - Cells

    private func value(of shape: Shape) -> String {
        let words: String =
            switch shape {
            case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
            case .whole(let range) where range.count == 1: "\(range.lowerBound)"
            case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
            case .number(let range):
                "\(ConfigValue.number(range.lowerBound).text ?? "") to \(ConfigValue.number(range.upperBound).text ?? "")"
            case .duration(let range, let canBeOff):
                "\(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
                    + (canBeOff ? ", or `off`" : "")
            case .size(let range): "\(range.lowerBound.text) to \(range.upperBound.text)"
            case .choice: "a `type`, or a mapping with one"
            case .map(_, let inner): "a mapping of names to \(inner.isMapping ? "mappings" : inner.noun)"
            default: shape.noun
            }
        return ReferenceWriter.cell(words)
    }

    private func fallback(of entry: Entry) -> String {
        if !entry.required.isEmpty {
            let isAlways = entry.required == AdapterKind.all
            return isAlways ? "needed" : "needed for \(names(of: entry.required))"
        }
        var parts: [String] = []
        if let text = entry.fallback?.text.map(ReferenceWriter.timeless) { parts.append("`\(text)`") }
        for kind in AdapterKind.allCases {
            if let text = entry.exceptions[kind]?.text { parts.append("`\(kind.rawValue)` `\(text)`") }
        }
        if let note = entry.note { parts.append(note) }
        return ReferenceWriter.cell(parts.joined(separator: "; "))
    }

    private func summary(of entry: Entry) -> String {
        guard entry.adapters != AdapterKind.all else { return ReferenceWriter.cell(entry.summary) }
        return ReferenceWriter.cell("\(entry.summary) Adapters: \(names(of: entry.adapters)).")
    }

    private func names(of kinds: Set<AdapterKind>) -> String {
        AdapterKind.allCases.filter(kinds.contains).map { $0 == .plugin ? "plugins" : "`\($0.rawValue)`" }
            .joined(separator: ", ")
    }

    /// The page is not to change with each version.
    private static func timeless(_ text: String) -> String {
        text == DaemonSettings().userAgent ? "refreshd/VERSION" : text
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    private mutating func notYet() {
        guard !NotYet.keys.isEmpty || !NotYet.adapters.isEmpty else { return }
        text += "\n## Nothing yet\n\nThese are read and checked, and do nothing yet in this build:\n\n"
        for key in NotYet.keys.sorted() {
            text += "- `\(key.hasPrefix("feed.") ? String(key.dropFirst(5)) : key)`\n"
        }
        for kind in AdapterKind.allCases where NotYet.adapters.contains(kind) {
            text += "- `adapter: \(kind == .plugin ? "PLUGIN" : kind.rawValue)`\n"
        }
    }
}
