import RefreshCore

/// Reads a tree by the table: every value typed, and every mistake noted on the way.
struct ValueReader {
    var problems: ProblemList
    /// The folder that relative paths start at, with a slash at its end; empty for the current one.
    let folder: String
    /// Whether others than the daemon may read the file, and so the secrets in it.
    var isReadableByOthers = false
    /// What may stand at the top; nil is everything.
    var allowedAtTop: Set<String>?
    /// The blocks around the one being read, from the file's top, for keys that were written one level off.
    private(set) var scopes: [(path: [String], block: Block)] = []
    /// Guessing what somebody meant takes time, and nobody reads the thousandth guess.
    private(set) var guesses = 200

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
        case .block(let block): return blockValue(block, node, path)
        case .choice(let choice): return self.choice(choice, node, path)
        case .either(let words, let block): return either(words, block, node, path)
        case .map(let names, let inner): return map(names, inner, node, path)
        case .list(let block): return list(block, node, path)
        case .params(let role): return params(role, node, path)
        case .headers(let role): return headers(role, node, path)
        case .jsonTemplate(let role): return draft(role, node, path).map { .draft($0) }
        case .json: return json(node, path)
        case .secret(let isPublic): return secret(node, path, isPublic: isPublic).map { .secret($0) }
        case .readPlace, .sendPlace, .tokenPlace: return place(shape, node, path)
        case .bodyPaths, .pathList, .texts, .words, .wholes, .statuses, .command, .feedNames:
            return sequence(shape, node, path)
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
            shape.isMapping
            ? "is empty; indent its keys below it, or remove it"
            : "is empty; write \(shape.noun), or remove the key"
        return refuse(.wrongType, node.start, path, message)
    }

    // MARK: - Blocks

    mutating func within<Result>(
        _ block: Block, _ path: [String], _ read: (inout ValueReader) -> Result
    ) -> Result {
        scopes.append((path, block))
        defer { scopes.removeLast() }
        return read(&self)
    }

    private mutating func blockValue(_ block: Block, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        // Keys that all stand in comments leave their block empty; deeper down that is a slip of indentation.
        if node.isNull, path.count == 1 { return .block(Section()) }
        if path == [RootTable.defaults.entry.name] {
            return within(block, path) { $0.block(block, node, path) }.map { .block($0) }
        }
        return self.block(block, node, path).map { .block($0) }
    }

    mutating func block(_ block: Block, _ node: YAMLNode, _ path: [String]) -> Section? {
        guard case .mapping(let pairs) = node.content else {
            _ = refuseType(.block(block), node, path)
            return nil
        }
        var section = Section()
        section.place = node.start
        for pair in pairs {
            // Keys that are no text, and repeated ones, are refused for the whole file at once.
            guard let name = pair.key.scalar?.text, !section.mentions(name) else { continue }
            if path.isEmpty, let allowedAtTop, !allowedAtTop.contains(name), block[name] != nil {
                let message = "\"\(name)\" belongs in the file that includes this one"
                problems.add(.misplacedKey, at: pair.key.start, path, message)
                continue
            }
            guard let entry = block[name] else {
                unknown(name, pair.key.start, in: block, path, &section)
                continue
            }
            read(entry, pair, path, &section)
        }
        return section
    }

    mutating func read(
        _ entry: Entry, _ pair: YAMLNode.Pair, _ path: [String], _ section: inout Section
    ) {
        if let value = value(entry.shape, pair.value, path + [entry.name]) {
            section[entry.name] = Setting(
                value: value, keyPlace: pair.key.start, place: pair.value.start)
        } else {
            section.refuse(entry.name)
        }
    }

    private mutating func either(
        _ words: [String], _ block: Block, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        if case .mapping = node.content { return self.block(block, node, path).map { .block($0) } }
        guard let scalar = node.scalar, !node.isNull else {
            return refuseType(.either(words, block), node, path)
        }
        return word(words, scalar, node, path)
    }

    private mutating func list(_ block: Block, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .sequence(let nodes) = node.content else { return refuseType(.list(block), node, path) }
        let sections = nodes.enumerated().compactMap { self.block(block, $1, path + ["[\($0)]"]) }
        return sections.count == nodes.count ? .list(sections) : nil
    }

    // MARK: - Guesses

    /// Whether one more guess is worth its time.
    mutating func mayGuess() -> Bool {
        guesses -= 1
        return guesses >= 0
    }
}
