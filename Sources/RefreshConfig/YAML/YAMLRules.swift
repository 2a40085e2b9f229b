import RefreshCore

/// What this language refuses although YAML, or libyaml, would take it: repeated keys, keys that are no text, tags.
struct YAMLRules {
    struct Finding {
        let code: ConfigProblem.Code
        let place: SourcePlace
        let path: [String]
        /// The key that stands twice.
        let key: String?
        let message: String
    }

    private(set) var findings: [Finding] = []

    static func findings(in root: YAMLNode) -> [Finding] {
        var rules = YAMLRules()
        rules.check(root, path: [])
        return rules.findings
    }

    // The depth is bounded by the composer.
    private mutating func check(_ node: YAMLNode, path: [String]) {
        // What an anchor names was checked where it stands.
        guard !node.isAlias else { return }
        if let tag = node.tag, !YAMLRules.isCore(tag) {
            note(.syntax, node.start, path, "tags such as \"\(SafeText.short(tag))\" have no meaning here")
        }
        switch node.content {
        case .scalar: break
        case .sequence(let nodes):
            for (index, child) in nodes.enumerated() { check(child, path: path + ["[\(index)]"]) }
        case .mapping(let pairs): check(pairs, path: path)
        }
    }

    private mutating func check(_ pairs: [YAMLNode.Pair], path: [String]) {
        var first: [[UInt8]: SourcePlace] = [:]
        for pair in pairs {
            guard let key = pair.key.scalar else {
                note(.syntax, pair.key.start, path, "a key must be text, not \(pair.key.noun)")
                continue
            }
            // As bytes: String would take two spellings of an accent for one key.
            if let earlier = first.updateValue(pair.key.start, forKey: Array(key.text.utf8)) {
                first[Array(key.text.utf8)] = earlier
                let message =
                    "duplicate key \"\(SafeText.short(key.text))\"; the first is on line \(earlier.line)"
                note(.duplicateKey, pair.key.start, path, message, key: key.text)
            }
            check(pair.value, path: path + [key.text])
        }
    }

    private mutating func note(
        _ code: ConfigProblem.Code, _ place: SourcePlace, _ path: [String], _ message: String,
        key: String? = nil
    ) {
        findings.append(Finding(code: code, place: place, path: path, key: key, message: message))
    }

    private static func isCore(_ tag: String) -> Bool {
        ["null", "bool", "int", "float", "str", "seq", "map"].contains { tag == "tag:yaml.org,2002:\($0)" }
    }
}
