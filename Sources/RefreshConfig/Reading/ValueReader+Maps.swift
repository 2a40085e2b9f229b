import RefreshCore

/// Values under names that the user chose.
extension ValueReader {
    mutating func map(
        _ names: NameRule, _ inner: Shape, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        if node.isNull, path.count == 1 { return .map([]) }
        guard case .mapping(let pairs) = node.content else {
            return refuseType(.map(names, inner), node, path)
        }
        var settings: [NamedSetting] = []
        var seen: Set<[UInt8]> = []
        var isWhole = true
        for pair in pairs {
            guard let name = pair.key.scalar?.text, seen.insert(Array(name.utf8)).inserted else { continue }
            guard isLegal(name, names, pair, inner, path),
                let setting = setting(name, names, inner, pair, path)
            else {
                isWhole = false
                continue
            }
            settings.append(NamedSetting(name: name, setting: setting))
        }
        // A feed that is wrong does not make its neighbours so; a list of fields without one is another list.
        if case .block = inner { return .map(settings) }
        return isWhole ? .map(settings) : nil
    }

    private mutating func setting(
        _ name: String, _ names: NameRule, _ inner: Shape, _ pair: YAMLNode.Pair, _ path: [String]
    ) -> Setting? {
        let here = path + [name]
        let value: ConfigValue?
        if case .block(let block) = inner, path.count == 1 {
            value = within(block, here) { $0.block(block, pair.value, here) }.map { .block($0) }
        } else if case .field = names, case .bodyPath = inner {
            value = scalar(.bodyPath(singular: !name.hasSuffix("[]")), pair.value, here)
        } else {
            value = self.value(inner, pair.value, here)
        }
        return value.map { Setting(value: $0, keyPlace: pair.key.start, place: pair.value.start) }
    }

    private mutating func isLegal(
        _ name: String, _ names: NameRule, _ pair: YAMLNode.Pair, _ inner: Shape, _ path: [String]
    ) -> Bool {
        let place = pair.key.start
        switch names {
        case .feed, .thing:
            if !FeedID.isLegal(name) {
                let message =
                    "\"\(SafeText.short(name))\" cannot name \(names.noun); use a-z, 0-9, \".\", \"_\" and \"-\", at most 64, beginning with a letter or digit"
                problems.add(.badValue, .error, at: place, path, scope: .feed(name), message)
                return false
            }
            // "adapter:" right under "feeds:" is a feed whose keys lost their indentation.
            if case .feed = names, case .block(let block) = inner, block[name] != nil,
                pair.value.scalar != nil, !pair.value.isNull
            {
                let message = "\"\(name)\" is a key of a feed; indent it below the name of its feed"
                problems.add(.misplacedKey, at: place, path, message)
                return false
            }
        case .variable:
            if !Placeholders.isName(name) {
                let message =
                    "\"\(SafeText.short(name))\" cannot name a variable; use letters, digits and \"_\""
                problems.add(.badValue, at: place, path, message)
                return false
            }
        case .field, .any:
            if name.isEmpty || name == "[]" {
                problems.add(.badValue, at: place, path, "the name of \(names.noun) must not be empty")
                return false
            }
        }
        return true
    }
}
