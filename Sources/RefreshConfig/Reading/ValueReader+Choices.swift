import RefreshCore

/// Mappings with a `type`.
extension ValueReader {
    mutating func choice(_ choice: Choice, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if let scalar = node.scalar, !node.isNull { return bare(choice, scalar, node, path) }
        guard case .mapping(let pairs) = node.content else {
            return refuseType(.choice(choice), node, path)
        }
        guard let type = pairs.first(where: { $0.key.scalar?.text == Choice.type }) else {
            return withoutType(choice, pairs, node, path)
        }
        let here = path + [Choice.type]
        guard let scalar = type.value.scalar, !type.value.isNull else {
            return refuseType(.word(choice.names), type.value, here)
        }
        guard case .text(let name)? = word(choice.names, scalar, type.value, here), let kind = choice[name]
        else { return nil }
        let block = choice.block(of: kind)
        var section = Section()
        section.place = node.start
        section.kind = name
        section[Choice.type] = Setting(
            value: .text(name), keyPlace: type.key.start, place: type.value.start)
        for pair in pairs {
            guard let key = pair.key.scalar?.text, key != Choice.type, !section.mentions(key) else {
                continue
            }
            if let entry = block[key] {
                read(entry, pair, path, &section)
            } else {
                stranger(key, pair.key.start, to: kind, of: choice, path, &section)
            }
        }
        return .block(section)
    }

    /// Guesses the kind by the keys that are there.
    private mutating func withoutType(
        _ choice: Choice, _ pairs: [YAMLNode.Pair], _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        let keys = pairs.compactMap { $0.key.scalar?.text }
        let kinds = choice.kinds.filter { kind in keys.allSatisfy { choice.block(of: kind)[$0] != nil } }
        var message = "\"type\" is missing; write \(Shape.list(choice.names))"
        if kinds.count == 1, !keys.isEmpty {
            message = "\"type\" is missing; did you mean \"type: \(kinds[0].name)\"?"
        } else if let word = keys.first(where: { choice[$0] != nil }) {
            message = "\"type\" is missing; write {type: \(word), …}"
        }
        return refuse(.missingKey, node.start, path, message)
    }

    private mutating func bare(
        _ choice: Choice, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        guard case .text(let name)? = word(choice.names, scalar, node, path) else { return nil }
        var section = Section()
        section.place = node.start
        section.kind = name
        section[Choice.type] = Setting(value: .text(name), keyPlace: node.start, place: node.start)
        return .block(section)
    }

    private mutating func stranger(
        _ key: String, _ place: SourcePlace, to kind: Choice.Kind, of choice: Choice, _ path: [String],
        _ section: inout Section
    ) {
        let owners = choice.kinds.filter { $0.block[key] != nil }.map(\.name)
        guard !owners.isEmpty else {
            return unknown(key, place, in: choice.block(of: kind), path, &section)
        }
        let message =
            "\"\(SafeText.short(key))\" is a key of the type \(Shape.list(owners)), not of \(kind.name)"
        problems.add(.misplacedKey, at: place, path, message)
    }
}
