/// Writes merge keys out: `<<: *anchor` brings in the pairs that a mapping does not have itself.
enum MergeKeys {
    static let name = "<<"

    /// `root` without merge keys; one whose value is no mapping stays, and is an unknown key to whoever reads on.
    static func resolved(_ node: YAMLNode) -> YAMLNode {
        let content: YAMLNode.Content
        switch node.content {
        case .scalar: return node
        case .sequence(let nodes): content = .sequence(nodes.map(resolved))
        case .mapping(let pairs): content = .mapping(merged(pairs))
        }
        var copy = YAMLNode(content, start: node.start, end: node.end, tag: node.tag)
        copy.isAlias = node.isAlias
        return copy
    }

    private static func merged(_ pairs: [YAMLNode.Pair]) -> [YAMLNode.Pair] {
        let own = pairs.map { YAMLNode.Pair(key: $0.key, value: resolved($0.value)) }
        guard own.contains(where: isMerge) else { return own }
        var names = Set(own.compactMap { $0.key.scalar.map { Array($0.text.utf8) } })
        var result: [YAMLNode.Pair] = []
        for pair in own {
            guard isMerge(pair), let brought = pairsOf(pair.value) else {
                result.append(pair)
                continue
            }
            for other in brought {
                guard let name = other.key.scalar, names.insert(Array(name.text.utf8)).inserted else {
                    continue
                }
                result.append(other)
            }
        }
        return result
    }

    private static func isMerge(_ pair: YAMLNode.Pair) -> Bool {
        pair.key.scalar.map { $0.style == .plain && $0.text == name } ?? false
    }

    /// The pairs of a mapping, or of a list of mappings, of which the earlier ones win.
    private static func pairsOf(_ node: YAMLNode) -> [YAMLNode.Pair]? {
        switch node.content {
        case .mapping(let pairs): return pairs
        case .scalar: return nil
        case .sequence(let nodes):
            let lists = nodes.map { node -> [YAMLNode.Pair]? in
                if case .mapping(let pairs) = node.content { pairs } else { nil }
            }
            return lists.contains { $0 == nil } ? nil : lists.flatMap { $0 ?? [] }
        }
    }
}
