import RefreshCore

/// Reads a tree by the table: every value typed, and every mistake noted on the way.
struct ValueReader {
    var problems: ProblemList
    /// The folder that relative paths start at, with a slash at its end; empty for the current one.
    let folder: String
    /// The blocks around the one being read, from the file's top, for keys that were written one level off.
    private var scopes: [(path: [String], block: Block)] = []

    init(problems: ProblemList, folder: String) {
        self.problems = problems
        self.folder = folder
    }

    /// The file's top.
    mutating func root(_ node: YAMLNode) -> Section? {
        within(RootTable.block, []) { $0.block(RootTable.block, node, []) }
    }

    /// Nil where the value was refused, which is then noted.
    mutating func value(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        switch shape {
        case .block(let block):
            // Keys that all stand in comments leave their block empty; deeper down that is a slip of indentation.
            if node.isNull, path.count == 1 { return .block(Section()) }
            if path == [RootTable.defaults.entry.name] {
                return within(block, path) { $0.block(block, node, path) }.map { .block($0) }
            }
            return self.block(block, node, path).map { .block($0) }
        case .feeds(let block): return feeds(block, node, path)
        case .headers: return headers(node, path)
        case .paths: return paths(node, path)
        default: return scalar(shape, node, path)
        }
    }

    mutating func refuse(
        _ code: ConfigProblem.Code, _ place: SourcePlace, _ path: [String], _ message: String
    ) -> ConfigValue? {
        problems.add(code, at: place, path, message)
        return nil
    }

    mutating func refuseType(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard node.isNull else {
            let subject = path.isEmpty ? "the file " : ""
            let message = "\(subject)must be \(shape.noun), not \(node.noun)"
            return refuse(.wrongType, node.start, path, message)
        }
        let message =
            switch shape {
            case .block, .feeds, .headers: "is empty; indent its keys below it, or remove it"
            default: "is empty; write \(shape.noun), or remove the key"
            }
        return refuse(.wrongType, node.start, path, message)
    }

    // MARK: - Blocks

    private mutating func within<Result>(
        _ block: Block, _ path: [String], _ read: (inout ValueReader) -> Result
    ) -> Result {
        scopes.append((path, block))
        defer { scopes.removeLast() }
        return read(&self)
    }

    private mutating func block(_ block: Block, _ node: YAMLNode, _ path: [String]) -> Section? {
        guard case .mapping(let pairs) = node.content else {
            _ = refuseType(.block(block), node, path)
            return nil
        }
        var section = Section()
        for pair in pairs {
            // Keys that are no text, and repeated ones, are refused for the whole file at once.
            guard let name = pair.key.scalar?.text, section[name] == nil, !section.refused.contains(name)
            else {
                continue
            }
            guard let entry = block[name] else {
                unknown(name, pair.key.start, in: block, path, &section)
                continue
            }
            if case .later = entry.shape {
                unsupported(name, pair.key.start, path + [name])
            } else if let value = value(entry.shape, pair.value, path + [name]) {
                section[name] = Setting(value: value, keyPlace: pair.key.start, place: pair.value.start)
                continue
            }
            section.refuse(name)
        }
        return section
    }

    private mutating func feeds(_ block: Block, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if node.isNull { return .named([]) }
        guard case .mapping(let pairs) = node.content else { return refuseType(.feeds(block), node, path) }
        var feeds: [NamedSection] = []
        var seen: Set<String> = []
        for pair in pairs {
            guard let name = pair.key.scalar?.text, seen.insert(name).inserted else { continue }
            let here = path + [name]
            guard FeedID.isLegal(name) else {
                illegalName(name, pair.key.start, path)
                continue
            }
            // "adapter:" right under "feeds:" is a feed whose keys lost their indentation.
            if block[name] != nil, pair.value.scalar != nil, !pair.value.isNull {
                let message = "\"\(name)\" is a key of a feed; indent it below the name of its feed"
                problems.add(.misplacedKey, at: pair.key.start, path, message)
                continue
            }
            let section = within(block, here) { $0.block(block, pair.value, here) }
            if let section { feeds.append(NamedSection(name: name, place: pair.key.start, section: section)) }
        }
        return .named(feeds)
    }

    private mutating func illegalName(_ name: String, _ place: SourcePlace, _ path: [String]) {
        let message =
            "\"\(SafeText.short(name))\" cannot name a feed; use a-z, 0-9, \".\", \"_\" and \"-\", at most 64, beginning with a letter or digit"
        problems.add(.badValue, at: place, path, message)
    }

    // MARK: - Keys that are not known

    private mutating func unsupported(_ word: String, _ place: SourcePlace, _ path: [String]) {
        problems.add(.unsupported, at: place, path, ValueReader.unsupported(word))
    }

    static func unsupported(_ word: String) -> String {
        "\"\(word)\" is not supported by this version of refreshd"
    }

    private mutating func unknown(
        _ name: String, _ place: SourcePlace, in block: Block, _ path: [String], _ section: inout Section
    ) {
        let shown = SafeText.short(name)
        if let home = home(of: name) {
            let message = "unknown key \"\(shown)\"; it belongs in \(ConfigProblem.dotted(home))"
            problems.add(.misplacedKey, at: place, path, message)
            return
        }
        if name == MergeKeys.name {
            problems.add(.wrongType, at: place, path, "\"<<\" takes an alias of a mapping, or a list of them")
            return
        }
        var message = "unknown key \"\(shown)\""
        if let suggestion = ClosestMatch.suggestion(for: name, among: block.names) {
            message += "; did you mean \"\(suggestion)\"?"
            // One slip is one mistake: the key that was meant is not missing as well.
            section.refuse(suggestion)
        } else if block.entries.count <= 6 {
            message += "; known are \(block.names.joined(separator: ", "))"
        }
        problems.add(.unknownKey, at: place, path, message)
    }

    /// The path of the one nearest block that has this key.
    private func home(of name: String) -> [String]? {
        for scope in scopes.reversed() {
            // `defaults` holds what a feed holds, and a feed is more likely meant.
            let homes = scope.block.homes(of: name).filter { $0.first != RootTable.defaults.entry.name }
            guard let nearest = homes.map(\.count).min() else { continue }
            let candidates = homes.filter { $0.count == nearest }
            return candidates.count == 1 ? (scope.path + candidates[0]).nilIfEmpty : nil
        }
        return nil
    }
}

extension [String] {
    fileprivate var nilIfEmpty: [String]? { isEmpty ? ["the top of the file"] : self }
}
