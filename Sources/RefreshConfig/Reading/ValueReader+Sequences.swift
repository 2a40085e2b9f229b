import RefreshCore

/// Lists of scalars. One value alone stands for a list of it.
extension ValueReader {
    mutating func sequence(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let nodes: [YAMLNode]
        switch node.content {
        case .sequence(let list): nodes = list
        case .scalar where !node.isNull: nodes = [node]
        default: return refuseType(shape, node, path)
        }
        let isList = if case .sequence = node.content { true } else { false }
        if nodes.isEmpty, let message = ValueReader.mustHave(shape) {
            return refuse(.badValue, node.start, path, message)
        }
        func here(_ index: Int) -> [String] { isList ? path + ["[\(index)]"] : path }
        switch shape {
        case .bodyPaths:
            return all(nodes, here) { $0.bodyPath($1, $2, singular: true) }.map { .bodyPaths($0) }
        case .pathList: return all(nodes, here) { $0.jsonPath($1, $2, singular: false) }.map { .paths($0) }
        case .wholes(let range): return all(nodes, here) { $0.wholeItem(range, $1, $2) }.map { .wholes($0) }
        case .statuses: return all(nodes, here) { $0.status($1, $2) }.map { .statuses($0) }
        case .words(let words): return all(nodes, here) { $0.wordItem(words, $1, $2) }.map { .texts($0) }
        case .command: return all(nodes, here) { $0.textItem($1, $2) }.flatMap { command($0, node, path) }
        default: return all(nodes, here) { $0.textItem($1, $2) }.map { .texts($0) }
        }
    }

    private static func mustHave(_ shape: Shape) -> String? {
        switch shape {
        case .bodyPaths, .pathList: "the list is empty; write a path"
        case .command: "the list is empty; write a program"
        default: nil
        }
    }

    /// Nil where any item was refused.
    private mutating func all<Item>(
        _ nodes: [YAMLNode], _ path: (Int) -> [String],
        _ read: (inout ValueReader, YAMLNode, [String]) -> Item?
    ) -> [Item]? {
        var items: [Item] = []
        for (index, node) in nodes.enumerated() {
            if let item = read(&self, node, path(index)) { items.append(item) }
        }
        return items.count == nodes.count ? items : nil
    }

    private mutating func bodyPath(_ node: YAMLNode, _ path: [String], singular: Bool) -> WrittenText? {
        guard case .bodyPaths(let paths)? = scalar(.bodyPath(singular: singular), node, path) else {
            return nil
        }
        return paths.first
    }

    private mutating func textItem(_ node: YAMLNode, _ path: [String]) -> String? {
        guard let scalar = node.scalar, scalar.value != .null else {
            _ = refuseType(.text, node, path)
            return nil
        }
        if !scalar.text.isEmpty { return scalar.text }
        problems.add(.badValue, at: node.start, path, "must not be empty")
        return nil
    }

    private mutating func wordItem(_ words: [String], _ node: YAMLNode, _ path: [String]) -> String? {
        guard case .text(let word)? = scalar(.word(words), node, path) else { return nil }
        return word
    }

    private mutating func wholeItem(_ range: ClosedRange<Int>, _ node: YAMLNode, _ path: [String]) -> Int? {
        guard case .whole(let number)? = scalar(.whole(range), node, path) else { return nil }
        return number
    }

    private mutating func status(_ node: YAMLNode, _ path: [String]) -> ErrorRule.Status? {
        guard let scalar = node.scalar, scalar.value != .null else {
            _ = refuseType(.statuses, node, path)
            return nil
        }
        let text = scalar.text.lowercased()
        if text.utf8.count == 3, text.hasSuffix("xx"), let hundreds = Int(text.prefix(1)),
            (1...5).contains(hundreds)
        {
            return .hundred(hundreds)
        }
        if case .integer(let code) = scalar.value, (100...599).contains(code) { return .code(code) }
        let message = "\"\(SafeText.short(scalar.text))\" is no status; write one such as 404 or 5xx"
        problems.add(.badValue, at: node.start, path, message)
        return nil
    }

    /// No shell is asked, so what only a shell would do is a misunderstanding.
    private mutating func command(_ words: [String], _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let program = words[0]
        if case .scalar = node.content, program.contains(" ") {
            return refuse(
                .badValue, node.start, path,
                "there is no shell; write a list of the program and its arguments")
        }
        if program.contains("/"), !program.hasPrefix("/") {
            let message =
                "\"\(SafeText.short(program))\" is relative; write an absolute path, or a name without a slash"
            return refuse(.badValue, node.start, path, message)
        }
        if words.contains(where: { $0.utf8.contains(0) }) {
            return refuse(.badValue, node.start, path, "holds control characters")
        }
        return .texts(words)
    }
}
