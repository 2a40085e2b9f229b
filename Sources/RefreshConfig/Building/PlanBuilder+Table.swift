import RefreshCore

/// What the table says of keys, checked where a feed's layers have come together.
extension PlanBuilder {
    mutating func missing(_ entry: Entry, in section: Section, at place: SourcePlace, _ path: [String]) {
        guard !section.mentions(entry.name) else { return }
        problems.add(.missingKey, at: place, path, "\"\(entry.name)\" is missing; write \(entry.shape.noun)")
    }

    /// A key that the feed's adapter has no use for is a misunderstanding; in `defaults` it is meant for others.
    mutating func checkUse(of block: Block, _ section: Section, _ kind: AdapterKind, _ path: [String]) {
        for (name, setting) in section.settings {
            guard let entry = block[name] else { continue }
            let here = path + [name]
            if !entry.adapters.contains(kind) {
                let message = "has no meaning for the adapter \"\(kind.rawValue)\"; remove it"
                problems.add(.conflict, at: setting.keyPlace, here, message)
            } else if case .block(let inner) = setting.value, case .block(let block) = entry.shape {
                checkUse(of: block, inner, kind, here)
            }
        }
    }

    /// Keys that cannot be left out of the blocks that are there.
    mutating func checkNeeds(
        of block: Block, _ section: Section, _ kind: AdapterKind, at place: SourcePlace, _ path: [String]
    ) {
        let chosen = block.oneOf.count { section.mentions($0) }
        if !block.oneOf.isEmpty, chosen > 1 || chosen == 0 && !section.hasStrangers {
            let words = block.oneOf.map { "\"\($0)\"" }
            let list = words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
            problems.add(.conflict, at: section.place, path, "takes one of \(list)")
        }
        for entry in block.entries {
            if entry.required.contains(kind) { missing(entry, in: section, at: place, path) }
            guard let setting = section[entry.name], entry.adapters.contains(kind) else { continue }
            checkNeeds(in: setting, entry.shape, kind, path + [entry.name])
        }
    }

    private mutating func checkNeeds(
        in setting: Setting, _ shape: Shape, _ kind: AdapterKind, _ path: [String]
    ) {
        switch (shape, setting.value) {
        case (.block(let block), .block(let inner)), (.either(_, let block), .block(let inner)):
            checkNeeds(of: block, inner, kind, at: setting.keyPlace, path)
        case (.choice(let choice), .block(let inner)):
            guard let name = inner.kind, let chosen = choice[name] else { return }
            checkNeeds(of: choice.block(of: chosen), inner, kind, at: setting.place, path)
        case (.list(let block), .list(let sections)):
            for (index, section) in sections.enumerated() {
                checkNeeds(of: block, section, kind, at: section.place, path + ["[\(index)]"])
            }
        case (.map(_, let inner), .map(let settings)):
            for named in settings { checkNeeds(in: named.setting, inner, kind, path + [named.name]) }
        default: break
        }
    }

    // MARK: - What does nothing yet

    /// One warning for all keys that this build reads and does nothing with.
    mutating func noteWhatDoesNothing() {
        var found: Set<String> = []
        let root = reading.root
        collect(DaemonTable.block, root[block: RootTable.daemon], "daemon", &found)
        if !reading.plugins.isEmpty { found.formUnion(NotYet.keys.intersection(["plugins"])) }
        if !reading.budgets.isEmpty { found.formUnion(NotYet.keys.intersection(["budgets"])) }
        collect(FeedTable.defaultsBlock, root[block: RootTable.defaults], "feed", &found)
        for named in reading.fragments + reading.feeds {
            guard case .block(let section) = named.setting.value else { continue }
            collect(FeedTable.block, section, "feed", &found)
        }
        guard !found.isEmpty else { return }
        let keys = found.map { $0.hasPrefix("feed.") ? String($0.dropFirst(5)) : $0 }.sorted()
        let message = "these keys do nothing yet in this build: \(keys.joined(separator: ", "))"
        problems.warn(.unsupported, at: nil, message)
    }

    private func collect(_ block: Block, _ section: Section, _ path: String, _ found: inout Set<String>) {
        for (name, setting) in section.settings {
            let here = "\(path).\(name)"
            if NotYet.keys.contains(here) {
                found.insert(here)
            } else if here == "feed.adapter", case .text(let word) = setting.value {
                if let kind = AdapterKind(rawValue: word), NotYet.adapters.contains(kind) {
                    found.insert("\(here): \(word)")
                }
            } else if case .block(let inner) = setting.value, case .block(let block)? = block[name]?.shape {
                collect(block, inner, here, &found)
            }
        }
    }
}
