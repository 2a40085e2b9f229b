import RefreshCore

/// Texts with placeholders, and JSON values with such texts in them.
extension ValueReader {
    /// Nil where a placeholder was refused.
    mutating func template(
        _ written: WrittenText, _ role: RequestRole, _ path: [String]
    ) -> DraftTemplate? {
        var parts: [DraftTemplate.Part] = []
        var isRight = true
        for piece in Placeholders.pieces(of: written.text) {
            switch piece {
            case .literal(let text): parts.append(.literal(text))
            case .unclosed(let offset):
                let message = "\"$(\" is never closed; write \"$$(\" for a plain \"$(\""
                problems.add(.badValue, at: written.place(atByte: offset), path, message)
                isRight = false
            case .placeholder(let name, let offset):
                let place = written.place(atByte: offset)
                if let part = part(name, place, role, path) {
                    parts.append(part)
                } else {
                    isRight = false
                }
            }
        }
        return isRight ? DraftTemplate(written: written, parts: parts) : nil
    }

    private mutating func part(
        _ name: String, _ place: SourcePlace, _ role: RequestRole, _ path: [String]
    ) -> DraftTemplate.Part? {
        if let variable = Placeholders.variable(name) { return .variable(variable, place) }
        let found = Placeholders.placeholder(name)
        if let found, role.allows(found) { return .placeholder(found, place) }
        let known = role.placeholders.map(Placeholders.shown).joined(separator: " ")
        let shown = "$(\(SafeText.short(name)))"
        let problem = found == nil ? "unknown placeholder \"\(shown)\"" : "\"\(shown)\" has no meaning here"
        problems.add(.badValue, at: place, path, "\(problem); known are \(known), and $$( is a plain $(")
        return nil
    }

    // MARK: - JSON

    mutating func draft(_ role: RequestRole, _ node: YAMLNode, _ path: [String]) -> DraftJSON? {
        switch node.content {
        case .scalar(let scalar):
            guard case .text = scalar.value, let written = WrittenText(node) else {
                return raw(scalar, node, path).map { .raw($0) }
            }
            return template(written, role, path).map { .text($0) }
        case .sequence(let nodes):
            let values = nodes.enumerated().compactMap { draft(role, $1, path + ["[\($0)]"]) }
            return values.count == nodes.count ? .array(values) : nil
        case .mapping(let pairs):
            if role == .login, ValueReader.isSource(pairs) {
                return loginSecret(node, path).map { .text($0) }
            }
            let members = pairs.compactMap { pair -> DraftJSON.Member? in
                guard let name = pair.key.scalar?.text else { return nil }
                if role == .login, FieldRules.isSecretMember(name), pair.value.scalar?.value == .text {
                    return loginSecret(pair.value, path + [name]).map {
                        DraftJSON.Member(name: name, place: pair.key.start, value: .text($0))
                    }
                }
                return draft(role, pair.value, path + [name]).map {
                    DraftJSON.Member(name: name, place: pair.key.start, value: $0)
                }
            }
            return members.count == pairs.count ? .object(members) : nil
        }
    }

    // MARK: - Secrets of logins

    /// Whether it is `{file: PATH}` or the like, and not an object of the body itself.
    private static func isSource(_ pairs: [YAMLNode.Pair]) -> Bool {
        pairs.count == 1 && ["file", "env", "cred"].contains(pairs[0].key.scalar?.text ?? "")
            && pairs[0].value.scalar != nil
    }

    /// A secret in the body of a login: one that stands in the file itself is hidden like one that does not.
    mutating func loginSecret(_ node: YAMLNode, _ path: [String]) -> DraftTemplate? {
        if node.scalar?.text.contains("$(") == true, let written = WrittenText(node) {
            return template(written, .login, path)
        }
        guard let source = secret(node, path, isPublic: false) else { return nil }
        return DraftTemplate(
            written: WrittenText(text: ConfigValue.text(of: source), start: node.start),
            parts: [.placeholder(.secret(source), node.start)])
    }

    mutating func json(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        var text = JSONText()
        return write(node, to: &text, path) ? .json(text.text) : nil
    }

    private mutating func write(_ node: YAMLNode, to text: inout JSONText, _ path: [String]) -> Bool {
        var isRight = true
        switch node.content {
        case .scalar(let scalar):
            if case .text = scalar.value {
                text.string(scalar.text)
            } else if let raw = raw(scalar, node, path) {
                text.raw(raw.utf8)
            } else {
                isRight = false
            }
        case .sequence(let nodes):
            text.array { text in
                for (index, child) in nodes.enumerated() {
                    if !write(child, to: &text, path + ["[\(index)]"]) { isRight = false }
                }
            }
        case .mapping(let pairs):
            text.object { text in
                for pair in pairs {
                    guard let name = pair.key.scalar?.text else { continue }
                    text.name(name.utf8)
                    if !write(pair.value, to: &text, path + [name]) { isRight = false }
                }
            }
        }
        return isRight
    }

    /// A number, a boolean or null as JSON writes it; numbers as they were written wherever JSON allows.
    private mutating func raw(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> String? {
        switch scalar.value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .text: return nil
        case .integer(let number):
            return JSONNumber.isNumber(scalar.text) ? scalar.text : "\(number)"
        case .float(let number):
            if JSONNumber.isNumber(scalar.text) { return scalar.text }
            if number.isFinite { return "\(number)" }
            problems.add(.badValue, at: node.start, path, "JSON has no \(scalar.text)")
            return nil
        }
    }
}

/// Numbers as JSON writes them (RFC 8259, 6).
enum JSONNumber {
    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == 0x2D { rest = rest.dropFirst() }
        let first = rest.first
        let whole = digits(&rest)
        guard whole > 0, whole == 1 || first != 0x30 else { return false }
        if rest.first == 0x2E {
            rest = rest.dropFirst()
            guard digits(&rest) > 0 else { return false }
        }
        if let letter = rest.first, letter | 0x20 == 0x65 {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
            guard digits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func digits(_ rest: inout Substring.UTF8View) -> Int {
        let count = rest.prefix(while: ASCII.isDigit).count
        rest = rest.dropFirst(count)
        return count
    }
}
